package train

import "gorgonia.org/gorgonia"

// chunkFloats is the most values of a chunk. It is a multiple of the values in every processor's vector, so that only the end of
// a tensor is computed value by value.
const chunkFloats = 8192

// chunk is a part [lo, hi) of a parameter, which one thread works on at a time. Sums are taken within chunks and then
// over the chunks in their order, so that they do not depend on the number of threads.
type chunk struct{ param, lo, hi int }

// chunksOf divides the tensors of a model.
func chunksOf(model []gorgonia.ValueGrad) (all []chunk) {
	for i, p := range model {
		n := p.Value().Shape().TotalSize()
		for lo := 0; lo < n; lo += chunkFloats {
			all = append(all, chunk{i, lo, min(lo+chunkFloats, n)})
		}
	}
	return all
}

// squareSum returns the sum of squares. Four sums keep the adders busy.
func squareSum(x []float32) float64 {
	var a, b, c, d float64
	for ; len(x) >= 4; x = x[4:] {
		a += float64(float64(x[0]) * float64(x[0]))
		b += float64(float64(x[1]) * float64(x[1]))
		c += float64(float64(x[2]) * float64(x[2]))
		d += float64(float64(x[3]) * float64(x[3]))
	}
	for _, v := range x {
		a += float64(float64(v) * float64(v))
	}
	return (a + b) + (c + d)
}
