package fast

import (
	"synochess/net"
	"synochess/net/kernels/inference"
)

// foldTrunk returns the convolutions of the residual blocks, with their batch norms folded in.
func foldTrunk(w *net.Weights) []inference.Conv {
	var convs []inference.Conv
	for _, l := range w.Arch.Tower()[1:] {
		n := w.Norm(l)
		convs = append(convs, inference.Conv{Weight: n.Fold(w.Tensor(l.Weight()).Data), Bias: n.Shift})
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
