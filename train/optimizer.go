package train

import (
	"fmt"
	"math"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"synochess/net/graph"
	"synochess/net/kernels"
	"synochess/net/kernels/training"
)

// optimizer is a gorgonia.Solver whose state can be saved. Gorgonia's own AdamW leaves the weights as
// they are, and no stock solver's state can be saved or clips float32 gradients.
//
// Tensors of one dimension (biases, batch norms) are not decayed.
type optimizer struct {
	kind     string // AdamW or SGD
	momentum float64
	decay    float64
	clip     float64

	kernels        *kernels.Path
	each           func(n int, f func(i int)) // does f(i) for i in [0, n), in any order and on some threads
	chunks         []chunk                    // of the model
	squares        []float64                  // [chunk]: sum of squares
	weights, grads [][]float32                // [param], of the step that is being done
	rate           float64                    // learning rate of the next step; set before each
	steps          int                        // steps done
	norm           float64                    // of the last gradient, before clipping
	m              [][]float32                // [param][element]: mean gradient (adamw), velocity (sgd)
	v              [][]float32                // [param][element]: mean squared gradient (adamw only)
}

const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

var _ gorgonia.Solver = (*optimizer)(nil)

// newOptimizer allocates the state for a model; each is graph.Graph.Each, or does the same.
func newOptimizer(c *Config, model []gorgonia.ValueGrad, on *kernels.Path, each func(n int, f func(i int))) *optimizer {
	o := &optimizer{kind: c.Optimizer, momentum: c.Momentum, decay: c.WeightDecay, clip: c.ClipNorm, kernels: on, each: each, chunks: chunksOf(model)}
	o.squares = make([]float64, len(o.chunks))
	o.weights, o.grads = make([][]float32, len(model)), make([][]float32, len(model))
	for _, p := range model {
		n := p.Value().Shape().TotalSize()
		o.m = append(o.m, make([]float32, n))
		if o.kind == AdamW {
			o.v = append(o.v, make([]float32, n))
		}
	}
	return o
}

// Step clips the gradients of the model by their common norm and changes its weights. If a gradient is
// not finite nothing is changed, and the error names its tensor.
func (o *optimizer) Step(model []gorgonia.ValueGrad) error {
	if len(model) != len(o.m) {
		return fmt.Errorf("optimizer made for %d tensors, given %d", len(o.m), len(model))
	}
	for i, p := range model {
		g, err := p.Grad()
		if err != nil {
			return fmt.Errorf("gradient of %s: %w", paramName(p), err)
		}
		o.weights[i], o.grads[i] = floats(p.Value()), floats(g)
		if w, g := len(o.weights[i]), len(o.grads[i]); g != len(o.m[i]) || w != len(o.m[i]) {
			return fmt.Errorf("optimizer state for %s has %d values, the tensor %d and its gradient %d", paramName(p), len(o.m[i]), w, g)
		}
	}
	var total float64
	for i, s := range o.squareSums(o.grads) {
		if s-s != 0 { // infinite, or not a number
			return fmt.Errorf("the gradient of %q is not finite", paramName(model[o.chunks[i].param]))
		}
		total += s
	}
	o.norm = math.Sqrt(total)
	scale := float32(1)
	if o.norm > o.clip {
		scale = float32(o.clip / o.norm)
	}
	o.steps++
	matrix, vector := o.updates(scale)
	o.each(len(o.chunks), func(i int) {
		c := o.chunks[i]
		update := vector
		if model[c.param].Value().Shape().Dims() > 1 {
			update = matrix
		}
		w, g, m := o.weights[c.param][c.lo:c.hi], o.grads[c.param][c.lo:c.hi], o.m[c.param][c.lo:c.hi]
		if o.kind == AdamW {
			update.Step(o.kernels, w, g, m, o.v[c.param][c.lo:c.hi])
		} else {
			o.sgd(w, g, m, update.Scale, update.Keep)
		}
	})
	return nil
}

// squareSums returns the sum of squares of each chunk of data, [param][element]. The next call overwrites it.
func (o *optimizer) squareSums(data [][]float32) []float64 {
	o.each(len(o.chunks), func(i int) {
		c := o.chunks[i]
		o.squares[i] = squareSum(data[c.param][c.lo:c.hi])
	})
	return o.squares
}

// updates returns the numbers of an AdamW step with bias correction, for tensors that are decayed (those of two or more
// dimensions) and for those that are not. The decay is apart from the gradient's step. SGD uses Scale and Keep only.
func (o *optimizer) updates(scale float32) (matrix, vector *training.AdamW) {
	r := training.AdamW{
		Scale: scale, Beta1: beta1, Rest1: 1 - beta1, Beta2: beta2, Rest2: 1 - beta2, Keep: 1, Epsilon: epsilon,
		Rate: float32(o.rate / (1 - power(beta1, o.steps))), Correction: float32(1 / (1 - power(beta2, o.steps))),
	}
	decayed := r
	decayed.Keep = float32(1 - float64(o.rate*o.decay))
	return &decayed, &r
}

// sgd is gradient descent with (heavy ball) momentum; the decay does not enter the velocity.
func (o *optimizer) sgd(w, g, m []float32, scale, keep float32) {
	g, m = g[:len(w)], m[:len(w)]
	rate, momentum := float32(o.rate), float32(o.momentum)
	for i := range w {
		m[i] = float32(momentum*m[i]) + float32(g[i]*scale)
		w[i] = float32(keep*w[i]) - float32(rate*m[i])
	}
}

// paramName returns the name that a parameter's tensor has in net.Weights. Parameters that are of no graph, as in tests, have none
// and are printed.
func paramName(p gorgonia.ValueGrad) string {
	if q, ok := p.(graph.Param); ok {
		return q.Name
	}
	return fmt.Sprint(p)
}

// floats returns the data of a float32 tensor.
func floats(v gorgonia.Value) []float32 { return v.(*tensor.Dense).Data().([]float32) }
