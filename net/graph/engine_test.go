package graph

import (
	"slices"
	"testing"

	"gorgonia.org/tensor"

	"synochess/net/kernels"
	"synochess/net/kernels/training"
)

// TestEngineAdd: whatever way a sum is asked for, it is Gorgonia's, and it is written where Gorgonia would.
func TestEngineAdd(t *testing.T) {
	ours := engine{pool: training.NewPool(kernels.Best(), 2)}
	const rows, n = 301, 37
	filled := func(e tensor.Engine, factor float32) *tensor.Dense {
		data := make([]float32, rows*n)
		for i := range data {
			data[i] = factor * float32(i)
		}
		return tensor.New(tensor.WithShape(rows, n), tensor.WithBacking(data), tensor.WithEngine(e))
	}
	for _, c := range []struct {
		name string
		opts func(a, b, to *tensor.Dense) []tensor.FuncOpt
	}{
		{"new", func(_, _, _ *tensor.Dense) []tensor.FuncOpt { return nil }},
		{"reuse", func(_, _, to *tensor.Dense) []tensor.FuncOpt { return []tensor.FuncOpt{tensor.WithReuse(to)} }},
		{"reuse a", func(a, _, _ *tensor.Dense) []tensor.FuncOpt { return []tensor.FuncOpt{tensor.WithReuse(a)} }},
		{"reuse b", func(_, b, _ *tensor.Dense) []tensor.FuncOpt { return []tensor.FuncOpt{tensor.WithReuse(b)} }},
		{"increment", func(_, _, to *tensor.Dense) []tensor.FuncOpt { return []tensor.FuncOpt{tensor.WithIncr(to)} }},
		{"unsafe", func(_, _, _ *tensor.Dense) []tensor.FuncOpt { return []tensor.FuncOpt{tensor.UseUnsafe()} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var results [2][3][]float32 // [engine]: the sum, a, to
			for i, e := range []tensor.Engine{tensor.StdEng{}, ours} {
				a, b, to := filled(e, 0.1), filled(e, 0.3), filled(e, 7)
				sum, err := tensor.Add(a, b, c.opts(a, b, to)...)
				if err != nil {
					t.Fatal(err)
				}
				results[i] = [3][]float32{floats(sum), floats(a), floats(to)}
			}
			for k, name := range []string{"the sum", "a", "the other tensor"} {
				if !slices.Equal(results[0][k], results[1][k]) {
					t.Errorf("%s is not as Gorgonia leaves it", name)
				}
			}
		})
	}
	// A transposed tensor does not lie as its shape says.
	a, b := filled(ours, 0.1), filled(ours, 0.3)
	if err := a.T(); err != nil {
		t.Fatal(err)
	}
	if err := b.T(); err != nil {
		t.Fatal(err)
	}
	sum, err := tensor.Add(a, b, tensor.WithReuse(tensor.New(tensor.WithShape(n, rows), tensor.Of(tensor.Float32))))
	if err != nil {
		t.Fatal(err)
	}
	if v, err := sum.At(3, 5); err != nil || v != filled(ours, 0.1).Float32s()[5*n+3]+filled(ours, 0.3).Float32s()[5*n+3] {
		t.Errorf("element (3, 5) of a sum of transposed tensors is %v (error %v)", v, err)
	}
}
