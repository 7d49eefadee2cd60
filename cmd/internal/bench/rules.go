package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"synochess/env"
	"synochess/env/encode"
	"synochess/mcts"
	"synochess/selfplay/uciengine/fairy"
)

// ours is this program among the contenders. Where it takes part more than once, what tells the parts apart follows.
const ours = "synochess"

// rules measures move generation: of the default rule set, and of those that Fairy-Stockfish knows too.
func (s *session) rules() error {
	const depth = 4
	for _, name := range append([]string{"moddable"}, fairy.Rules...) {
		r, err := env.Builtin(name)
		if err != nil {
			return err
		}
		p := r.StartPosition()
		leaves := r.Perft(&p, depth)
		c := contest{
			group: "rules", name: fmt.Sprintf("%s, perft %d", name, depth), unit: "leaves/s", units: float64(leaves), budget: 2 * time.Second,
			contenders: []contender{{name: ours, clock: CPU, run: local(CPU, func() error { r.Perft(&p, depth); return nil })}},
		}
		if s.fairy != nil && slices.Contains(fairy.Rules, name) {
			if err := s.fairy.position(r, &p); err != nil {
				return err
			}
			c.contenders = append(c.contenders, contender{name: s.fairy.version, rival: true, clock: CPU, run: func(n int) (total float64, err error) {
				for range n {
					seconds, err := s.fairy.perft(depth, leaves)
					if err != nil {
						return 0, err
					}
					total += seconds
				}
				return total, nil
			}})
		}
		if err := s.hold(c); err != nil {
			return err
		}
	}
	return nil
}

// constant answers every row alike and at no cost: what is left is the search.
type constant struct{}

func (constant) ID() string         { return "constant" }
func (constant) KernelPath() string { return "none" }

func (constant) Evaluate(b *encode.Batch) error {
	b.PrepareOutputs()
	for row := range b.Len() {
		copy(b.RowWDL(row), []float32{0.3, 0.4, 0.3})
	}
	return nil
}

// search measures the search without a network, in a position that Fairy-Stockfish can search too. The nodes
// of its alpha-beta search are no simulations; the ratio compares what each program does in a second.
func (s *session) search() error {
	r, err := env.Builtin("moddable-fsf")
	if err != nil {
		return err
	}
	g := randomGame(r, 12, 3)
	if s.fairy != nil {
		if err := s.fairy.position(r, g.Position()); err != nil {
			return err
		}
	}
	for _, x := range []struct {
		mode   string
		visits int
	}{{mcts.ModeGumbel, 64}, {mcts.ModePUCT, 800}} {
		cfg := mcts.ReferenceConfig()
		cfg.Mode = x.mode
		search := mcts.New(cfg, nil)
		c := contest{
			group: "search", name: fmt.Sprintf("%s, visits %d", x.mode, x.visits), unit: "simulations/s", units: float64(x.visits), budget: 2 * time.Second,
			contenders: []contender{{name: ours + " without network", clock: CPU, run: local(CPU, func() error {
				_, err := search.Run(g, mcts.Options{Visits: x.visits, FreshRoot: true}, constant{}, nil)
				return err
			})}},
		}
		if s.fairy != nil {
			c.contenders = append(c.contenders, contender{name: s.fairy.version + " alpha-beta nodes", rival: true, clock: CPU, run: func(n int) (float64, error) {
				seconds, err := s.fairy.search() // of a fixed number of nodes, whatever n is
				return seconds * float64(n*x.visits), err
			}})
		}
		if err := s.hold(c); err != nil {
			return err
		}
	}
	return nil
}

// randomGame plays random moves from the start; a game that ends early is begun again with other ones.
func randomGame(r *env.Rules, plies int, seed uint64) *env.Game {
	for rng := rand.New(rand.NewPCG(seed, 1)); ; {
		if g := env.RandomGame(r, plies, rng); !g.Outcome().Over() {
			return g
		}
	}
}

// positions returns rows of random games, at all stages of the game.
func positions(n int) (*encode.Batch, error) {
	r, err := env.Builtin("moddable")
	if err != nil {
		return nil, err
	}
	b := encode.NewBatch()
	for i := range n {
		g := randomGame(r, i*7%80, uint64(i))
		encode.AppendRow(b, r, g.Position(), g.Repetitions(), g.LegalMoves())
	}
	return b, nil
}
