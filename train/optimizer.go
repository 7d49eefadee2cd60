package train

import (
	"fmt"
	"math"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"synochess/internal/kernels"
	"synochess/net/graph"
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

	path    *kernels.TrainPath
	pathErr error         // why there is none
	step    kernels.AdamW // of the tensor that is being changed
	rate    float64       // learning rate of the next step; set before each
	steps   int           // steps done
	norm    float64       // of the last gradient, before clipping
	m       [][]float32   // [param][element]: mean gradient (adamw), velocity (sgd)
	v       [][]float32   // [param][element]: mean squared gradient (adamw only)
}

const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

var _ gorgonia.Solver = (*optimizer)(nil)

// newOptimizer allocates the state for a model.
func newOptimizer(c *Config, model []gorgonia.ValueGrad) *optimizer {
	o := &optimizer{kind: c.Optimizer, momentum: c.Momentum, decay: c.WeightDecay, clip: c.ClipNorm}
	o.path, o.pathErr = kernels.ChooseTrainPath()
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
	if o.pathErr != nil {
		return o.pathErr
	}
	if len(model) != len(o.m) {
		return fmt.Errorf("optimizer made for %d tensors, given %d", len(o.m), len(model))
	}
	weights, grads := make([][]float32, len(model)), make([][]float32, len(model))
	var total float64
	for i, p := range model {
		g, err := p.Grad()
		if err != nil {
			return fmt.Errorf("gradient of %s: %w", paramName(p), err)
		}
		weights[i], grads[i] = floats(p.Value()), floats(g)
		if len(grads[i]) != len(o.m[i]) || len(weights[i]) != len(o.m[i]) {
			return fmt.Errorf("optimizer state for %s has %d values, the tensor %d and its gradient %d", paramName(p), len(o.m[i]), len(weights[i]), len(grads[i]))
		}
		s := squareSum(grads[i])
		if s-s != 0 {
			return fmt.Errorf("the gradient of %q is not finite", paramName(p))
		}
		total += s
	}
	o.norm = math.Sqrt(total)
	scale := float32(1)
	if o.norm > o.clip {
		scale = float32(o.clip / o.norm)
	}
	o.steps++
	for i, p := range model {
		keep := float32(1)
		if p.Value().Shape().Dims() > 1 {
			keep = float32(1 - float64(o.rate*o.decay))
		}
		if o.kind == AdamW {
			o.adamW(weights[i], grads[i], o.m[i], o.v[i], scale, keep)
		} else {
			o.sgd(weights[i], grads[i], o.m[i], scale, keep)
		}
	}
	return nil
}

// adamW is AdamW with bias correction; the decay is apart from the gradient's step.
func (o *optimizer) adamW(w, g, m, v []float32, scale, keep float32) {
	o.step = kernels.AdamW{
		Scale: scale, Beta1: beta1, Rest1: 1 - beta1, Beta2: beta2, Rest2: 1 - beta2, Keep: keep, Epsilon: epsilon,
		Rate: float32(o.rate / (1 - power(beta1, o.steps))), Correction: float32(1 / (1 - power(beta2, o.steps))),
	}
	o.step.Step(o.path, w, g, m, v)
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

// squareSum returns the sum of squares.
func squareSum(x []float32) (s float64) {
	for _, v := range x {
		s += float64(float64(v) * float64(v))
	}
	return s
}

// paramName returns a tensor's name for an error.
func paramName(p gorgonia.ValueGrad) string {
	if q, ok := p.(graph.Param); ok {
		return q.Name
	}
	return fmt.Sprint(p)
}

// floats returns the data of a float32 tensor.
func floats(v gorgonia.Value) []float32 { return v.(*tensor.Dense).Data().([]float32) }
