package training

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"synochess/net/kernels"
)

func TestFromToByHand(t *testing.T) {
	// Two channels in, two of q and k. Square 0 holds (1, 2), square 9 holds (3, 0); the others nothing.
	// q(0) = (1, 2), k(9) = (3*2, 3*4) = (6, 12), q . k = 30, scaled 15; the policy itself gives 0.5.
	pool := NewPool(kernels.Portable, 1)
	policy := NewLin(pool, LinShape{Batch: 1, Board: true, In: 2, Out: 1, SparseGrad: true})
	squares := make([][2]uint8, 64)
	squares[5] = [2]uint8{0, 9}
	f := NewFromTo(policy, FromToShape{Channels: 2, Scale: 0.5, Squares: squares})
	x := make([]float32, 2*boardArea)
	at0, at9 := squareOf(0, 0, 2), squareOf(0, 9, 2)
	copy(x[at0:], []float32{1, 2})
	copy(x[at9:], []float32{3, 0})
	targets := slices.Repeat([]float32{-1}, 64)
	targets[5] = 1
	policy.ForwardOpen(x, []float32{0, 0}, []float32{0.5}, targets)
	from, to := []float32{1, 0, 0, 1}, []float32{2, 4, 8, 16}
	f.Forward(x, from, to)
	if policy.Y[5] != 15.5 {
		t.Errorf("the open output is %v, want 15.5", policy.Y[5])
	}
	// With a gradient of 2, scaled 1: dq(0) = k(9), dk(9) = q(0).
	dy := make([]float32, 64)
	dy[5] = 2
	policy.Backward(x, []float32{0, 0}, dy)
	f.Backward(x, dy)
	for _, c := range []struct {
		name      string
		got, want []float32
	}{
		{"DFrom", f.DFrom, []float32{6, 12, 12, 24}},
		{"DTo", f.DTo, []float32{3, 6, 0, 0}},
		{"DX of the from square", policy.DX[at0 : at0+2], []float32{6, 12}},
		{"DX of the target", policy.DX[at9 : at9+2], []float32{2*1 + 4*2, 8*1 + 16*2}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
}

// TestFromToAgainstReference takes finite differences of the sum, in float64, over moves of random squares.
func TestFromToAgainstReference(t *testing.T) {
	for _, c := range []struct{ batch, in, out, channels int }{{2, 6, 5, 3}, {17, 16, 3, 4}, {2, 32, 7, 16}} {
		eachPath(t, fmt.Sprint(c), func(t *testing.T, path *kernels.Path) {
			r := rand.New(rand.NewPCG(8, uint64(c.batch)))
			s := FromToShape{Channels: c.channels, Scale: 0.3}
			for range 64 * c.out {
				s.Squares = append(s.Squares, [2]uint8{uint8(r.IntN(64)), uint8(r.IntN(64))})
			}
			s.Squares[7] = [2]uint8{9, 9} // a drop
			policy := NewLin(NewPool(path, 2), LinShape{Batch: c.batch, Board: true, In: c.in, Out: c.out, SparseGrad: true})
			f := NewFromTo(policy, s)
			x, w, bias := randomBoards(r, c.batch, c.in), randomData(r, c.in*c.out, 0.5, 0), randomData(r, c.out, 0.5, 0)
			from, to := randomData(r, c.in*c.channels, 0.5, 0), randomData(r, c.in*c.channels, 0.5, 0)
			xR, wR, biasR, fromR, toR := double(x), double(w), double(bias), double(from), double(to)
			ends := LinShape{Batch: c.batch, Board: true, In: c.in, Out: c.channels}
			none := make(f64, c.channels)
			forward := func() f64 {
				y := referenceLin(policy.LinShape, xR, wR, biasR)
				q, k := referenceLin(ends, xR, fromR, none), referenceLin(ends, xR, toR, none)
				for i := range y {
					p, squares := i/(64*c.out)*64, s.Squares[i%(64*c.out)]
					a, b := (p+int(squares[0]))*c.channels, (p+int(squares[1]))*c.channels
					y[i] += float64(s.Scale) * dot(q[a:a+c.channels], k[b:b+c.channels])
				}
				return y
			}
			var dyR f64
			for range 2 { // the second step has other moves: nothing of the first may remain
				targets, dy := slices.Repeat([]float32{-1}, len(policy.Y)), make([]float32, len(policy.Y))
				for i := range targets {
					if i%(64*c.out) == 7 || r.IntN(8) == 0 {
						targets[i], dy[i] = r.Float32(), float32(r.NormFloat64())
					}
				}
				policy.ForwardOpen(x, w, bias, targets)
				f.Forward(x, from, to)
				var got []float32
				var want f64
				for i, y := range forward() {
					if targets[i] >= 0 {
						got, want = append(got, policy.Y[i]), append(want, y)
					}
				}
				checkClose(t, "Y", got, want, 1e-5)
				policy.Backward(x, w, dy)
				f.Backward(x, dy)
				dyR = double(dy)
			}
			loss := func() float64 { return dot(forward(), dyR) }
			checkGradient(t, r, "DFrom", f.DFrom, fromR, loss)
			checkGradient(t, r, "DTo", f.DTo, toR, loss)
			checkGradient(t, r, "DW", policy.DW, wR, loss)
			checkBoards(t, r, "DX", policy.DX, xR, c.in, loss)
		})
	}
}
