package kernels

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestVectorKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 8))
	for n := range 20 {
		a, b := randomSlice(r, n), randomSlice(r, n+3)
		sum, scaled, dot := append([]float32(nil), b...), append([]float32(nil), b...), 0.0
		Add(sum, a)
		AddScaled(scaled, a, 0.5)
		for i := range b {
			want, wantScaled := b[i], b[i]
			if i < n {
				want += a[i]
				wantScaled += 0.5 * a[i]
				dot += float64(a[i]) * float64(b[i])
			}
			if sum[i] != want || math.Abs(float64(scaled[i]-wantScaled)) > 1e-6 {
				t.Fatalf("length %d, element %d: %v and %v, want %v and %v", n, i, sum[i], scaled[i], want, wantScaled)
			}
		}
		if got := float64(Dot(a, b)); math.Abs(got-dot) > 1e-5 {
			t.Fatalf("length %d: dot product %v, want %v", n, got, dot)
		}
	}
}

func TestReLU(t *testing.T) {
	nan := float32(math.NaN())
	x := []float32{-1, 2, nan, float32(math.Inf(1)), -3}
	ReLU(x)
	if x[0] != 0 || x[1] != 2 || x[2] == x[2] || !math.IsInf(float64(x[3]), 1) || x[4] != 0 {
		t.Errorf("ReLU gives %v", x)
	}
	y := []float32{1, 2, 3, -4, 5, -6}
	AddBiasReLU(y, []float32{0, -2.5, 1})
	for i, want := range []float32{1, 0, 4, 0, 2.5, 0} {
		if y[i] != want {
			t.Errorf("with bias, element %d is %v, want %v", i, y[i], want)
		}
	}
}
