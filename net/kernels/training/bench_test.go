package training

import (
	"testing"

	"synochess/net/kernels"
)

func BenchmarkTrainInnerLoops(b *testing.B) {
	const k, n = 32, 16
	a, x := make([]float32, 2*k), make([]float32, 4*k*n)
	var c0, c1 [4]float32
	run := func(name string, products int, f func()) {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				f()
			}
			b.ReportMetric(2*float64(products)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
	run("dot2x4", 8*k, func() { dot2x4(a[:k], a[k:], x[:4*k], &c0, &c1) })
	run("cross2x4", 8*4*n, func() { cross2x4(x, x, 4*k, 4*k, n, &c0, &c1) })
}

// BenchmarkTrainConvBN is one layer of the quick run's network beside its baseline, the convolution
// written from its definition. A position takes 1.2 MFLOP forward that way, and twice that backward.
func BenchmarkTrainConvBN(b *testing.B) {
	const batch, n = 256, 32
	l := newLoneConvBN(NewPool(kernels.Portable, 1), ConvShape{Batch: batch, In: n, Out: n, Epsilon: testEpsilon})
	x, dy := make([]float32, batch*boardArea*n), make([]float32, batch*boardArea*n)
	for i := range x {
		x[i], dy[i] = float32(i%7), float32(i%5)-2
	}
	w, ones := make([]float32, 9*n*n), make([]float32, n)
	for i := range w {
		w[i] = float32(i%11) / 30
	}
	for i := range ones {
		ones[i] = 1
	}
	if err := l.forward(x, w, ones, ones, nil, nil); err != nil {
		b.Fatal(err)
	}
	run := func(name string, positions int, f func()) {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				f()
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N*positions), "us/position")
		})
	}
	run("forward", batch, func() { l.forward(x, w, ones, ones, nil, nil) })
	run("backward", batch, func() { l.backward(x, ones, dy) })
	x64, w64, ones64 := double(x[:8*boardArea*n]), double(w), double(ones)
	run("naive-forward", 8, func() { referenceConvBN(8, n, n, x64, w64, ones64, ones64, nil, nil, nil, nil) })
}
