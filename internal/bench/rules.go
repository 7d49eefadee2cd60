package bench

import (
	"math/rand/v2"
	"time"

	"synochess/env"
	"synochess/env/encode"
	"synochess/internal/eval"
	"synochess/mcts"
)

// ours names contenders of this program that have no variants.
const ours = "synochess"

// rules measures move generation.
func (s *session) rules() error {
	const depth = 4
	for _, name := range []string{"moddable", "pychess"} {
		r, err := env.Builtin(name)
		if err != nil {
			return err
		}
		p := r.StartPosition()
		err = s.hold(contest{
			group: "rules", name: "perft 4 " + name, unit: "leaves/s", units: float64(r.Perft(&p, depth)), budget: time.Second,
			contenders: []contender{{name: ours, clock: CPU, run: local(CPU, func() error { r.Perft(&p, depth); return nil })}},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// constant answers every row alike and at no cost: what is left is the search.
type constant struct{}

func (constant) ID() string         { return "constant" }
func (constant) KernelPath() string { return "none" }

func (constant) Evaluate(b *eval.Batch) error {
	b.PrepareOutputs()
	for row := range b.Len() {
		copy(b.RowWDL(row), []float32{0.3, 0.4, 0.3})
	}
	return nil
}

// search measures the search without a network.
func (s *session) search() error {
	r, err := env.Builtin("moddable")
	if err != nil {
		return err
	}
	g, err := randomGame(r, 12, 3)
	if err != nil {
		return err
	}
	for _, c := range []struct {
		name, mode string
		visits     int
	}{{"gumbel, 64 visits", mcts.ModeGumbel, 64}, {"puct, 800 visits", mcts.ModePUCT, 800}} {
		cfg := mcts.DefaultConfig()
		cfg.Mode = c.mode
		search := mcts.New(cfg, nil)
		err := s.hold(contest{
			group: "search", name: c.name, unit: "simulations/s", units: float64(c.visits), budget: time.Second,
			contenders: []contender{{name: ours + " without network", clock: CPU, run: local(CPU, func() error {
				_, err := search.Run(g, mcts.Options{Visits: c.visits, FreshRoot: true}, constant{}, nil)
				return err
			})}},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// randomGame plays random moves from the start; a game that ends early is begun again with other ones.
func randomGame(r *env.Rules, plies int, seed uint64) (*env.Game, error) {
	for rng := rand.New(rand.NewPCG(seed, 1)); ; {
		g := env.NewGame(r, r.StartPosition())
		for g.Ply() < plies && !g.Outcome().Over() {
			moves := g.LegalMoves()
			if err := g.Play(moves[rng.IntN(len(moves))]); err != nil {
				return nil, err
			}
		}
		if !g.Outcome().Over() {
			return g, nil
		}
	}
}

// positions returns rows of random games, at all stages of the game.
func positions(n int) (*eval.Batch, error) {
	r, err := env.Builtin("moddable")
	if err != nil {
		return nil, err
	}
	b := encode.NewBatch()
	for i := range n {
		g, err := randomGame(r, i*7%80, uint64(i))
		if err != nil {
			return nil, err
		}
		encode.AppendRow(b, r, g.Position(), g.Repetitions(), g.LegalMoves())
	}
	return b, nil
}
