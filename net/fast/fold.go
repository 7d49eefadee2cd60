package fast

import (
	"math"
	"strconv"

	"synochess/net"
	"synochess/net/kernels/inference"
)

// norm is a batch norm at inference: y*scale[c] + shift[c].
type norm struct {
	scale, shift []float32 // [channel]
}

// foldNorm reads the batch norm that follows the layer of that name.
func foldNorm(w *net.Weights, layer string) norm {
	data := func(part string) []float32 { return w.Tensor(layer + ".bn." + part).Data }
	scale, bias, mean, variance := data("scale"), data("bias"), data("mean"), data("var")
	n := norm{make([]float32, len(scale)), make([]float32, len(scale))}
	for c := range scale {
		f := float64(scale[c]) / math.Sqrt(float64(variance[c])+net.Epsilon)
		n.scale[c] = float32(f)
		n.shift[c] = float32(float64(bias[c]) - float64(f*float64(mean[c])))
	}
	return n
}

// apply returns weights [row][channel] with each channel scaled.
func (n norm) apply(weight []float32) []float32 {
	out := make([]float32, len(weight))
	for i, v := range weight {
		out[i] = float32(v * n.scale[i%len(n.scale)])
	}
	return out
}

// foldConv returns a convolution of the trunk with its batch norm folded in.
func foldConv(w *net.Weights, layer string) inference.Conv {
	n := foldNorm(w, layer)
	return inference.Conv{Weight: n.apply(w.Tensor(layer + ".weight").Data), Bias: n.shift}
}

// foldTrunk returns the convolutions of the residual blocks.
func foldTrunk(w *net.Weights) []inference.Conv {
	var convs []inference.Conv
	for i := range w.Arch.Blocks {
		for _, conv := range []string{".conv1", ".conv2"} {
			convs = append(convs, foldConv(w, "block"+strconv.Itoa(i)+conv))
		}
	}
	return convs
}

// transpose returns the transpose of a row-major matrix.
func transpose(m []float32, rows, cols int) []float32 {
	t := make([]float32, len(m))
	for i := range rows {
		for j := range cols {
			t[j*rows+i] = m[i*cols+j]
		}
	}
	return t
}
