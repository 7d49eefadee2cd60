package train

import (
	"math"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"synochess/net/kernels"
)

// fakeParam is a tensor with a gradient, without a graph.
type fakeParam struct{ value, grad *tensor.Dense }

func (p fakeParam) Value() gorgonia.Value         { return p.value }
func (p fakeParam) Grad() (gorgonia.Value, error) { return p.grad, nil }

func fake(value, grad []float32, shape ...int) fakeParam {
	t := func(d []float32) *tensor.Dense { return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(d)) }
	return fakeParam{t(value), t(grad)}
}

// inTurn is graph.Graph.Each on one thread.
func inTurn(n int, f func(i int)) {
	for i := range n {
		f(i)
	}
}

// optimizerConfig has round numbers: rate .1, decay .5, gradients clipped to length 5.
func optimizerConfig(kind string) Config {
	c := validConfig()
	c.Optimizer, c.Momentum, c.WeightDecay, c.ClipNorm = kind, 0.5, 0.5, 5
	return c
}

func TestOptimizerByHand(t *testing.T) {
	// The gradient (6, 8) is 10 long: clipped, it is (3, 4).
	for _, c := range []struct {
		kind   string
		first  [2]float64 // weights after one step, from (1, 2); the second is in a vector: no decay
		second [2]float64
	}{
		// m = .1 g, v = .001 g^2, both corrected to g and g^2: a step of the rate, whatever g.
		{AdamW, [2]float64{1*0.95 - 0.1, 2 - 0.1}, [2]float64{0.85*0.95 - 0.1, 1.9 - 0.1}},
		// velocity 3 and 4, then .5*3 + 3 and .5*4 + 4
		{SGD, [2]float64{1*0.95 - 0.3, 2 - 0.4}, [2]float64{0.65*0.95 - 0.45, 1.6 - 0.6}},
	} {
		t.Run(c.kind, func(t *testing.T) {
			config := optimizerConfig(c.kind)
			model := []gorgonia.ValueGrad{fake([]float32{1}, []float32{6}, 1, 1), fake([]float32{2}, []float32{8}, 1)}
			o := newOptimizer(&config, model, kernels.Best(), inTurn)
			o.rate = 0.1
			for i, want := range [][2]float64{c.first, c.second} {
				if err := o.Step(model); err != nil {
					t.Fatal(err)
				}
				for j, p := range model {
					if got := float64(floats(p.Value())[0]); math.Abs(got-want[j]) > 1e-6 {
						t.Errorf("step %d: weight %d is %v, want %v", i+1, j, got, want[j])
					}
				}
			}
			if math.Abs(o.norm-10) > 1e-6 {
				t.Errorf("norm %v, want 10", o.norm)
			}
		})
	}
}

func TestOptimizerNotFinite(t *testing.T) {
	config := optimizerConfig(AdamW)
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		model := []gorgonia.ValueGrad{fake([]float32{1}, []float32{6}, 1), fake([]float32{2}, []float32{float32(bad)}, 1)}
		err := newOptimizer(&config, model, kernels.Best(), inTurn).Step(model)
		if err == nil || !strings.Contains(err.Error(), "not finite") {
			t.Errorf("gradient %v: error %v", bad, err)
		}
		if w := floats(model[0].Value())[0]; w != 1 {
			t.Errorf("gradient %v: a weight changed to %v", bad, w)
		}
	}
}
