package training

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"synochess/net/kernels"
)

// eachPath runs a test on every path that training has code of its own for. Those that cannot run here are named.
func eachPath(t *testing.T, name string, f func(t *testing.T, path *kernels.Path)) {
	for _, p := range kernels.Paths() {
		if assemblyOf(p) == nil && p != kernels.Portable {
			continue
		}
		t.Run(p.Float.Name+"/"+name, func(t *testing.T) {
			if !p.Float.Runs {
				t.Skipf("skipped: this processor does not have %s", p.Float.Needs)
			}
			f(t, p)
		})
	}
}

func TestTrainingThreads(t *testing.T) {
	// The same bits on any number of threads, and when run again; other paths give them but for rounding.
	for _, shape := range []struct{ in, out int }{{6, 8}, {16, 32}} {
		results := map[string][][]float32{}
		eachPath(t, fmt.Sprint(shape), func(t *testing.T, path *kernels.Path) {
			want := trainingRun(t, path, 1, shape.in, shape.out)
			for _, threads := range []int{1, 2, 3, 7} {
				for i, got := range trainingRun(t, path, threads, shape.in, shape.out) {
					if !slices.Equal(got, want[i]) {
						t.Errorf("%d threads: tensor %d differs", threads, i)
					}
				}
			}
			results[path.Float.Name] = want
		})
		for name, got := range results {
			for i, want := range results[kernels.Portable.Float.Name] {
				checkClose(t, fmt.Sprintf("%s: tensor %d", name, i), got[i], double(want), 2e-5)
			}
		}
	}
}

// trainingRun runs one step of a few layers and returns all that they computed.
func trainingRun(t *testing.T, path *kernels.Path, threads, in, out int) [][]float32 {
	t.Helper()
	const batch = 70
	r := rand.New(rand.NewPCG(4, 4))
	pool := NewPool(path, threads)
	conv := newLoneConvBN(pool, ConvShape{Batch: batch, In: in, Out: out, Epsilon: testEpsilon})
	lin := NewLin(pool, LinShape{Batch: batch, Board: true, In: out, Out: 5})
	sparse := NewLin(pool, LinShape{Batch: batch, Board: true, In: out, Out: 5, SparseGrad: true})
	open := NewLin(pool, LinShape{Batch: batch, Board: true, In: out, Out: 5, SparseGrad: true})
	squares := make([][2]uint8, 64*5)
	for i := range squares {
		squares[i] = [2]uint8{uint8(i / 5), uint8(i * 7 % 64)}
	}
	ends := NewFromTo(open, FromToShape{Channels: 3, Scale: 0.6, Squares: squares})
	ce := NewMaskedCE(pool, batch, 64*5)
	x, w, ones := randomBoards(r, batch, in), randomData(r, 9*in*out, 0.3, 0), slices.Repeat([]float32{1}, out)
	w2, bias := randomData(r, out*5, 0.3, 0), randomData(r, 5, 0.3, 0)
	if err := conv.forward(x, w, ones, ones, nil, nil); err != nil {
		t.Fatal(err)
	}
	lin.Forward(conv.Y, w2, bias)
	sparse.Forward(conv.Y, w2, bias)
	targets := slices.Repeat([]float32{1. / 320}, batch*320)
	from, to := randomData(r, out*3, 0.3, 0), randomData(r, out*3, 0.3, 0)
	open.ForwardOpen(conv.Y, w2, bias, targets)
	ends.Forward(conv.Y, from, to)
	loss, err := ce.Forward(lin.Y, targets, slices.Repeat([]float32{1}, batch))
	if err != nil {
		t.Fatal(err)
	}
	lin.Backward(conv.Y, w2, ce.Grad)
	sparse.Backward(conv.Y, w2, ce.Grad)
	open.Backward(conv.Y, w2, ce.Grad)
	ends.Backward(conv.Y, ce.Grad)
	conv.backward(x, ones, lin.DX)
	return [][]float32{{loss}, conv.Y, conv.DX, conv.DW, conv.DScale, conv.DBias, conv.DAdd, conv.RunMean, conv.RunVar,
		lin.Y, lin.DX, lin.DW, lin.DB, sparse.DX, sparse.DW, sparse.DB,
		open.Y, open.DX, open.DW, open.DB, ends.DFrom, ends.DTo}
}
