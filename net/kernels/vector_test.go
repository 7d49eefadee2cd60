package kernels

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestVectorKernels(t *testing.T) {
	everyPath(t, func(t *testing.T, p *Path) {
		r := rand.New(rand.NewPCG(1, 8))
		for n := range 100 {
			a, b := randomSlice(r, n), randomSlice(r, n+3)
			sum, scaled, dot := append([]float32(nil), b...), append([]float32(nil), b...), 0.0
			p.Add(sum, a)
			p.AddScaled(scaled, a, 0.5)
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
			if got := float64(p.Dot(a, b)); math.Abs(got-dot) > 1e-5 {
				t.Fatalf("length %d: dot product %v, want %v", n, got, dot)
			}
		}
	})
}

func TestReLU(t *testing.T) {
	everyPath(t, func(t *testing.T, p *Path) {
		nan, inf := float32(math.NaN()), float32(math.Inf(1))
		for n := range 40 {
			x := make([]float32, n)
			from := []float32{-1, 2, nan, inf, -3, -inf}
			want := []float32{0, 2, nan, inf, 0, 0}
			for i := range x {
				x[i] = from[i%6]
			}
			p.ReLU(x)
			for i, v := range x {
				if w := want[i%6]; v != w && (v == v || w == w) {
					t.Fatalf("ReLU of %v is %v", from[i%6], v)
				}
			}
		}
	})
}

func TestAddBiasReLU(t *testing.T) {
	y := []float32{1, 2, 3, -4, 5, -6}
	AddBiasReLU(y, []float32{0, -2.5, 1})
	for i, want := range []float32{1, 0, 4, 0, 2.5, 0} {
		if y[i] != want {
			t.Errorf("with bias, element %d is %v, want %v", i, y[i], want)
		}
	}
}
