package kernels

import "testing"

func BenchmarkTrainInnerLoops(b *testing.B) {
	const k, n = 32, 16
	a, x := make([]float32, 64*32), make([]float32, 4*k*n)
	bb := make([]float32, 64*32)
	c := make([]float32, 64*32)
	var c0, c1 [4]float32
	rate := func(b *testing.B, products int) {
		b.ReportMetric(2*float64(products)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
	}
	var ws Workspace
	b.Run("dot2x4", func(b *testing.B) {
		for range b.N {
			dot2x4(a[:k], a[k:2*k], x[:4*k], &c0, &c1)
		}
		rate(b, 8*k)
	})
	b.Run("cross2x4", func(b *testing.B) {
		for range b.N {
			cross2x4(x, x, 4*k, 4*k, n, &c0, &c1)
		}
		rate(b, 8*4*n)
	})
	b.Run("gemmNN", func(b *testing.B) {
		for range b.N {
			gemm(&ws, 64, 32, 32, Mat(a, 32), Mat(bb, 32), c, 32, false)
		}
		rate(b, 64*32*32)
	})
	b.Run("gemmNT", func(b *testing.B) {
		for range b.N {
			gemm(&ws, 64, 32, 32, Mat(a, 32), MatT(bb, 32), c, 32, false)
		}
		rate(b, 64*32*32)
	})
	b.Run("gemmTN", func(b *testing.B) {
		for range b.N {
			gemm(&ws, 32, 32, 64, MatT(a, 32), Mat(bb, 32), c, 32, true)
		}
		rate(b, 64*32*32)
	})
}

func BenchmarkTrainConvBN(b *testing.B) {
	const batch, n = 256, 32
	pool := NewPool(Portable(), 1)
	l := NewConvBN(pool, ConvShape{Batch: batch, In: n, Out: n, Epsilon: testEpsilon})
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
	if err := l.Forward(x, w, ones, ones, nil, nil); err != nil {
		b.Fatal(err)
	}
	b.Run("forward", func(b *testing.B) {
		for range b.N {
			l.Forward(x, w, ones, ones, nil, nil)
		}
		b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N)/batch, "us/position")
	})
	b.Run("backward", func(b *testing.B) {
		for range b.N {
			l.Backward(x, ones, dy)
		}
		b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N)/batch, "us/position")
	})
}
