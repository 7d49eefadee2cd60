package train

import (
	"fmt"
	"math"
	"slices"

	"synochess/datasets"
	"synochess/env"
	"synochess/env/encode"
	"synochess/net/graph"
)

// Sample is one position to learn from.
type Sample struct {
	graph.Example
	Game uint64 // number of the game it is from
	Ply  int    // plies of that game before it
}

// Neutral returns a sample of a position whose targets say nothing: all moves alike, and a draw.
func Neutral(r encode.Row) *Sample {
	n := len(r.Moves)
	return &Sample{Example: graph.Example{
		Row: r, Policy: slices.Repeat([]float32{1 / float32(n)}, n), PolicyWeight: 1, WDL: [3]float32{0, 1, 0}, ValueWeight: 1,
	}}
}

// Trainable reports whether there is anything to learn: a policy or a value target.
func (s *Sample) Trainable() bool { return s.PolicyWeight > 0 || s.ValueWeight > 0 }

// Targets replays a game of rule set r and returns one Sample a ply, indexed by ply. Plies that are not
// wanted (nil: all are) or have no target give a Sample that is not Trainable and has no inputs. It checks each
// move, each policy target that is wanted, and the result; its errors name the game and the ply.
func Targets(g *datasets.Game, r *env.Rules, c *Config, wanted []bool) ([]Sample, error) {
	fail := func(err error) error { return fmt.Errorf("game %d of run %s, %w", g.Number, g.RunID, err) }
	if r.Hash() != g.RulesHash {
		return nil, fail(fmt.Errorf("rule set %q (hash %016x) is not the game's (hash %016x)", r.Name, r.Hash(), g.RulesHash))
	}
	samples, scratch := make([]Sample, len(g.Plies)), encode.NewBatch()
	end, err := g.Replay(r, func(game *env.Game, ply int) error {
		s := &samples[ply]
		s.Game, s.Ply = g.Number, ply
		if wanted != nil && !wanted[ply] {
			return nil
		}
		return s.set(g, c, game, scratch)
	})
	if err != nil {
		return nil, fail(err)
	}
	if g.Ending == datasets.ByRules && end.Result != g.Result {
		return nil, fail(fmt.Errorf("the game is recorded as %s, the rules say %s", g.Result, end.Result))
	}
	return samples, nil
}

// set makes the sample of the position that game, a replay of g, has come to. It overwrites scratch.
func (s *Sample) set(g *datasets.Game, c *Config, game *env.Game, scratch *encode.Batch) error {
	s.setValue(g, s.Ply, c)
	p := &g.Plies[s.Ply]
	if p.Search == datasets.FullSearch {
		s.PolicyWeight = p.PolicyWeight
	}
	if s.Trainable() {
		s.setInputs(scratch, game)
	}
	if s.PolicyWeight > 0 {
		return s.setPolicy(p, game)
	}
	return nil
}

// setInputs encodes the position of the game. It overwrites scratch.
func (s *Sample) setInputs(scratch *encode.Batch, g *env.Game) {
	scratch.Reset()
	encode.AppendRow(scratch, g.Rules(), g.Position(), g.Repetitions(), g.LegalMoves())
	s.Row = scratch.Row(0).Clone()
}

// setPolicy takes the improved policy of the search, in the order of the legal moves.
func (s *Sample) setPolicy(p *datasets.Ply, g *env.Game) error {
	legal := g.LegalMoves()
	if len(p.Actions) != len(legal) {
		return fmt.Errorf("the search lists %d actions, and the position has %d legal moves", len(p.Actions), len(legal))
	}
	policy := make(map[env.Move]float32, len(legal))
	for i := range p.Actions {
		policy[p.Actions[i].Move] = p.Actions[i].Policy
	}
	s.Policy = make([]float32, len(legal))
	var sum float64
	for i, m := range legal {
		v, ok := policy[m]
		if !ok {
			return fmt.Errorf("the search lists no action for the legal move %s", g.Rules().MoveString(m))
		}
		s.Policy[i] = v
		sum += float64(v)
	}
	if !(math.Abs(sum-1) < 0.01) { // stored in fixed point
		return fmt.Errorf("the policy target sums to %v, not 1", sum)
	}
	for i, v := range s.Policy {
		s.Policy[i] = float32(float64(v) / sum)
	}
	return nil
}

// setValue mixes the game's result with the search's value, both for the mover of the ply. A game without a result gives no target.
func (s *Sample) setValue(g *datasets.Game, ply int, c *Config) {
	p := &g.Plies[ply]
	z, ok := g.WDLFor(g.Mover(ply))
	if !ok || p.ValueWeight == 0 {
		return
	}
	s.ValueWeight = p.ValueWeight
	keep := power(c.Discount, len(g.Plies)-ply)
	wdl := [3]float64{float64(float64(z[0]) * keep), 0, float64(float64(z[2]) * keep)}
	wdl[1] = 1 - wdl[0] - wdl[2]
	if known := p.After[0] + p.After[1] + p.After[2]; known > 0 {
		for i := range wdl {
			wdl[i] = float64((1-c.QWeight)*wdl[i]) + float64(c.QWeight*float64(p.After[i]/known))
		}
	}
	for i := range wdl {
		s.WDL[i] = float32(wdl[i])
	}
}

// power returns x to the power of n >= 0 by multiplications alone, which give the same bits on every processor.
func power(x float64, n int) float64 {
	y := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			y *= x
		}
		x *= x
	}
	return y
}
