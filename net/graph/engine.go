package graph

import (
	"gorgonia.org/tensor"

	"synochess/net/kernels/training"
)

// engine is Gorgonia's own, except that it does a sum of tensors of one shape on the pool's threads: the sum of the
// heads' gradients is the one large piece of work that Gorgonia adds to a network by itself.
type engine struct {
	tensor.StdEng
	pool *training.Pool
}

// Add returns a+b, in the tensor that the options name if they do.
func (e engine) Add(a, b tensor.Tensor, opts ...tensor.FuncOpt) (tensor.Tensor, error) {
	reuse, increment := tensor.ParseFuncOpts(opts...).IncrReuse()
	to, ok := plain(reuse)
	x, okX := plain(a)
	y, okY := plain(b)
	if !ok || !okX || !okY || increment || !a.Shape().Eq(b.Shape()) || !a.Shape().Eq(reuse.Shape()) {
		return e.StdEng.Add(a, b, opts...)
	}
	e.pool.Add(to, x, y)
	return reuse, nil
}

// plain returns the data of a float32 tensor that lies in memory as its shape says.
func plain(t tensor.Tensor) (data []float32, ok bool) {
	d, ok := t.(*tensor.Dense)
	if !ok || d.RequiresIterator() || !d.DataOrder().IsContiguous() || d.DataOrder().IsColMajor() {
		return nil, false
	}
	data, ok = d.Data().([]float32)
	return data, ok && len(data) == d.Shape().TotalSize()
}
