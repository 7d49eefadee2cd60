package training

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"synochess/net/kernels"
)

func TestLinByHand(t *testing.T) {
	l := NewLin(NewPool(kernels.Portable, 1), LinShape{Batch: 1, In: 2, Out: 2, ReLU: true})
	x, w := []float32{2, 3}, []float32{1, -1, 10, 0.5} // w[in][out]
	l.Forward(x, w, []float32{0.5, -1})
	if want := []float32{32.5, 0}; !slices.Equal(l.Y, want) {
		t.Fatalf("y = %v, want %v", l.Y, want)
	}
	l.Backward(x, w, []float32{1, 7}) // the second output is shut
	for _, c := range []struct {
		name      string
		got, want []float32
	}{
		{"DX", l.DX, []float32{1, 10}}, {"DW", l.DW, []float32{2, 0, 3, 0}}, {"DB", l.DB, []float32{1, 0}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestLinAgainstReference(t *testing.T) {
	for _, s := range []LinShape{
		{Batch: 3, In: 7, Out: 5, ReLU: true},
		{Batch: 19, In: 6, Out: 3},
		{Batch: 18, Board: true, In: 4, Out: 3, ReLU: true},
		{Batch: 2, Board: true, In: 6, Out: 9, SparseGrad: true},
		{Batch: 17, In: 6, Out: 9, SparseGrad: true, ReLU: true},
		{Batch: 17, In: 64, Out: 32, ReLU: true},
		{Batch: 2, Board: true, In: 16, Out: 81, SparseGrad: true},
		{Batch: 3, Board: true, In: 16, Out: 16},
	} {
		eachPath(t, fmt.Sprintf("%+v", s), func(t *testing.T, path *kernels.Path) {
			r := rand.New(rand.NewPCG(2, uint64(s.Batch)))
			x := randomData(r, s.Batch*s.In, 1, 0)
			if s.Board {
				x = randomBoards(r, s.Batch, s.In)
			}
			w, bias := randomData(r, s.In*s.Out, 0.5, 0), randomData(r, s.Out, 0.5, 0)
			l := NewLin(NewPool(path, 2), s)
			dy := randomData(r, len(l.Y), 1, 0)
			for i := range dy {
				if s.SparseGrad && i%4 != 0 {
					dy[i] = 0
				}
			}
			xR, wR, biasR, dyR := double(x), double(w), double(bias), double(dy)
			l.Forward(x, w, bias)
			checkClose(t, "Y", l.Y, referenceLin(s, xR, wR, biasR), 1e-6)
			l.Backward(x, w, dy)
			loss := func() float64 { return dot(referenceLin(s, xR, wR, biasR), dyR) }
			checkGradient(t, r, "DW", l.DW, wR, loss)
			checkGradient(t, r, "DB", l.DB, biasR, loss)
			if s.Board {
				checkBoards(t, r, "DX", l.DX, xR, s.In, loss)
			} else {
				checkGradient(t, r, "DX", l.DX, xR, loss)
			}
		})
	}
}

// TestLinOpen: with a mask, what is not masked is what the whole layer computes, gradients included.
func TestLinOpen(t *testing.T) {
	eachPath(t, "", func(t *testing.T, path *kernels.Path) {
		s := LinShape{Batch: 19, Board: true, In: 16, Out: 9, SparseGrad: true}
		r := rand.New(rand.NewPCG(5, 5))
		x, w, bias := randomBoards(r, s.Batch, s.In), randomData(r, s.In*s.Out, 0.5, 0), randomData(r, s.Out, 0.5, 0)
		whole, open := NewLin(NewPool(path, 1), s), NewLin(NewPool(path, 2), s)
		for range 2 { // the second step has other masks: nothing of the first may remain
			targets, dy := slices.Repeat([]float32{-1}, len(whole.Y)), make([]float32, len(whole.Y))
			for i := range targets {
				if r.IntN(8) == 0 {
					targets[i], dy[i] = r.Float32(), float32(r.NormFloat64())
				}
			}
			whole.Forward(x, w, bias)
			open.ForwardOpen(x, w, bias, targets)
			var got, want []float32
			for i, v := range targets {
				if v >= 0 {
					got, want = append(got, open.Y[i]), append(want, whole.Y[i])
				}
			}
			checkClose(t, "Y", got, double(want), 1e-6)
			whole.Backward(x, w, dy)
			open.Backward(x, w, dy)
			checkClose(t, "DX", open.DX, double(whole.DX), 1e-6)
			checkClose(t, "DW", open.DW, double(whole.DW), 1e-6)
			checkClose(t, "DB", open.DB, double(whole.DB), 1e-6)
		}
	})
}
