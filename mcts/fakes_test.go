package mcts

import (
	"testing"

	"synochess/env"
	"synochess/env/encode"
)

// fake is an evaluator whose answers are given by a function of the decoded position: the worth for the
// mover, in [-1,1], and the logit of each move.
type fake struct {
	worth func(p *env.Position) float64
	logit func(p *env.Position, m env.Move) float32
	rows  int // answered so far
}

func (f *fake) ID() string         { return "fake" }
func (f *fake) KernelPath() string { return "none" }

func (f *fake) Evaluate(b *encode.Batch) error {
	b.PrepareOutputs()
	for row := range b.Len() {
		p, _, err := encode.Decode(b.Row(row))
		if err != nil {
			return err
		}
		v := 0.0
		if f.worth != nil {
			v = f.worth(&p)
		}
		out := b.RowWDL(row)
		out[0], out[1], out[2] = float32(max(v, 0)), float32(1-max(v, -v)), float32(max(-v, 0))
		for i, index := range b.Moves(row) {
			if f.logit != nil {
				m, _ := encode.IndexMove(index)
				b.RowLogits(row)[i] = f.logit(&p, m)
			}
		}
	}
	f.rows += b.Len()
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

// material is a worth by piece values, for the mover.
func material(p *env.Position) float64 {
	values := [env.NumPieces]float64{
		env.Pawn: 1, env.Knight: 3, env.Bishop: 3, env.Rook: 5, env.Queen: 9,
		env.Chariot: 5, env.Horse: 3, env.Cannon: 3, env.Elephant: 1.5, env.Advisor: 1.5, env.Soldier: 1,
	}
	sum := -0.8 * float64(p.Hand())
	for pc := env.Pawn; pc < env.NumPieces; pc++ {
		for mask := p.Pieces(pc); mask != 0; mask &= mask - 1 {
			if pc.Army() == env.Western {
				sum += values[pc]
			} else {
				sum -= values[pc]
			}
		}
	}
	if p.SideToMove() == env.Eastern {
		sum = -sum
	}
	return max(-0.9, min(0.9, sum/20))
}

// hashed is a worth and hashedLogit a logit, both noise that depends on nothing but position and move.
func hashed(p *env.Position) float64 {
	return float64(p.Hash()>>40)/(1<<24)*1.6 - 0.8
}

func hashedLogit(p *env.Position, m env.Move) float32 {
	return float32((p.Hash()^uint64(m)*0x9e3779b97f4a7c15)*0xd6e8feb86659fd93>>48) / (1 << 14)
}

func builtin(t testing.TB, name string) *env.Rules {
	t.Helper()
	r, err := env.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// gameAt returns a game that starts at a FEN, "" being the start position, and has had the moves.
func gameAt(t testing.TB, r *env.Rules, fen string, moves ...string) *env.Game {
	t.Helper()
	start := r.StartPosition()
	if fen != "" {
		var err error
		if start, err = r.ParseFEN(fen); err != nil {
			t.Fatal(err)
		}
	}
	g := env.NewGame(r, start)
	play(t, g, moves...)
	return g
}

func play(t testing.TB, g *env.Game, moves ...string) {
	t.Helper()
	for _, text := range moves {
		if err := g.PlayUCI(text); err != nil {
			t.Fatal(err)
		}
	}
}

func run(t testing.TB, s *Search, g *env.Game, o Options, ev Evaluator) *Result {
	t.Helper()
	r, err := s.Run(g, o, ev, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
