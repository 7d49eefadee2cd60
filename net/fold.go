package net

import "math"

// Norm is a batch norm at inference: y*Scale[c] + Shift[c]. It is what a Stem or Conv layer has between its sums and
// its relu.
type Norm struct {
	Scale, Shift []float32 // [channel]
}

// Norm returns the batch norm of a Stem or Conv layer, with its running mean and variance.
func (w *Weights) Norm(l Layer) Norm {
	data := func(part string) []float32 { return w.Tensor(l.Name + ".bn." + part).Data }
	scale, bias, mean, variance := data("scale"), data("bias"), data("mean"), data("var")
	n := Norm{make([]float32, len(scale)), make([]float32, len(scale))}
	for c := range scale {
		f := float64(scale[c]) / math.Sqrt(float64(variance[c])+Epsilon)
		n.Scale[c] = float32(f)
		n.Shift[c] = float32(float64(bias[c]) - float64(f*float64(mean[c])))
	}
	return n
}

// Fold returns weights [row][channel] with each channel scaled: with Shift as bias they give what the norm would.
func (n Norm) Fold(weight []float32) []float32 {
	out := make([]float32, len(weight))
	for i, v := range weight {
		out[i] = float32(v * n.Scale[i%len(n.Scale)])
	}
	return out
}
