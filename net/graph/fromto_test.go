package graph

import (
	"math"
	"math/rand/v2"
	"testing"

	"synochess/env/encode"
	"synochess/net"
	"synochess/net/kernels"
)

// captureRow is a position with a piece, a few moves of it that go two squares or more, and something to capture
// on the target of one of them, which is the best.
func captureRow(r *rand.Rand, a net.Arch, moves int) *Example {
	row := &Example{Row: encode.Row{Planes: make([]uint64, a.Planes), Scalars: make([]uint16, a.Scalars), Scales: make([]uint16, a.Scalars)}, PolicyWeight: 1}
	for i := range row.Scales {
		row.Scales[i] = 1
	}
	for from := uint16(r.IntN(64)); len(row.Moves) < moves; {
		row.Planes[0] = 1 << from
		row.Moves = row.Moves[:0]
		for _, plane := range r.Perm(56) { // as a queen moves
			index := uint16(plane)*64 + from
			if _, ok := encode.IndexMove(index); ok && plane%7 > 0 && len(row.Moves) < moves {
				row.Moves = append(row.Moves, index)
			}
		}
	}
	row.Policy = make([]float32, moves)
	best := r.IntN(moves)
	row.Policy[best] = 1
	_, to := encode.IndexSquares(row.Moves[best])
	row.Planes[1] = 1 << to
	return row
}

// TestTermSeesTheTarget: a network without blocks knows of a square what is on it and around it. What stands
// on the target of a longer move decides which is best; only the from-to term can tell.
func TestTermSeesTheTarget(t *testing.T) {
	const moves, batch, steps = 8, 24, 80
	loss := func(fromTo int) float64 {
		w := net.New(net.Arch{Blocks: 0, Width: 8, ValueChannels: 1, ValueHidden: 1, FromTo: fromTo}, 1)
		g := build(t, kernels.Best(), w, batch, 2)
		r := rand.New(rand.NewPCG(3, 3))
		var last float64
		for step := range steps {
			rows := make([]*Example, batch) // new ones each time: nothing can be learned by heart
			for i := range rows {
				rows[i] = captureRow(r, w.Arch, moves)
			}
			if err := g.SetRows(rows); err != nil {
				t.Fatal(err)
			}
			tally, err := g.Gradients()
			if err != nil {
				t.Fatal(err)
			}
			if step >= steps-10 {
				last += tally.Policy.Loss / batch / 10
			}
			for _, p := range g.Params() {
				grad, err := p.Grad()
				if err != nil {
					t.Fatal(err)
				}
				weight := floats(p.Value())
				for i, v := range floats(grad) {
					weight[i] -= 0.5 * v
				}
			}
		}
		return last
	}
	without, with := loss(0), loss(8)
	t.Logf("cross entropy %.3f without the term, %.3f with it; knowing nothing gives %.3f", without, with, math.Log(moves))
	if without < 0.95*math.Log(moves) {
		t.Error("the network without the term knows more than it can see")
	}
	if with > 0.5*math.Log(moves) {
		t.Error("the network with the term has not learned where the captures are")
	}
}
