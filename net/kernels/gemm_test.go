package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// naiveGemm is the definition, in float64.
func naiveGemm(m, n, k int, a, b Operand, c []float32, ldc int, accumulate bool) {
	at := func(o Operand, i, j int) float64 {
		if o.Transposed {
			i, j = j, i
		}
		return float64(o.Data[i*o.Stride+j])
	}
	for i := range m {
		for j := range n {
			var sum float64
			if accumulate {
				sum = float64(c[i*ldc+j])
			}
			for p := range k {
				sum += at(a, i, p) * at(b, p, j)
			}
			c[i*ldc+j] = float32(sum)
		}
	}
}

func randomSlice(r *rand.Rand, n int) []float32 {
	s := make([]float32, n)
	for i := range s {
		s[i] = float32(r.NormFloat64())
	}
	return s
}

func TestGemmMatchesDefinition(t *testing.T) { everySet(t, gemmMatchesDefinition) }

func gemmMatchesDefinition(t *testing.T, set *Set) {
	r := rand.New(rand.NewPCG(1, 2))
	shapes := [][3]int{
		{1, 1, 1}, {4, 2, 4}, {5, 3, 7}, {64, 32, 300}, {3, 81, 32}, {9, 1, 513}, {2, 2, 0},
		{23, 64, 5}, {33, 112, 9}, {512, 8, 64}, {7, 17, 3},
	}
	for _, d := range shapes {
		m, n, k := d[0], d[1], d[2]
		ws := new(Workspace)
		for form := range 8 {
			a, b := Mat(randomSlice(r, m*(k+3)), k+3), Mat(randomSlice(r, k*(n+2)), n+2)
			if form&1 != 0 {
				a = MatT(randomSlice(r, k*(m+1)), m+1)
			}
			if form&2 != 0 {
				b = MatT(randomSlice(r, n*(k+5)), k+5)
			}
			accumulate := form&4 != 0
			ldc := n + 4
			got := randomSlice(r, m*ldc)
			want := append([]float32(nil), got...)
			set.Gemm(ws, m, n, k, a, b, got, ldc, accumulate)
			packed := append([]float32(nil), want...)
			set.GemmPacked(new(Workspace), m, a, set.Pack(k, n, b), packed, ldc, accumulate)
			if k > 0 && !slices.Equal(packed, got) {
				t.Fatalf("%dx%dx%d form %d: a packed B gives another product", m, n, k, form)
			}
			naiveGemm(m, n, k, a, b, want, ldc, accumulate)
			for i := range got {
				if d := math.Abs(float64(got[i] - want[i])); d > 1e-5*math.Sqrt(float64(k+1))*4 {
					t.Fatalf("%dx%dx%d form %d: element %d is %g, want %g", m, n, k, form, i, got[i], want[i])
				}
			}
		}
	}
}

// A row's result must not depend on the rows beside it.
func TestGemmRowsAreIndependent(t *testing.T) {
	everySet(t, func(t *testing.T, set *Set) {
		r := rand.New(rand.NewPCG(3, 4))
		const m, n, k = 25, 55, 290
		a, b := randomSlice(r, m*k), randomSlice(r, k*n)
		all, one := make([]float32, m*n), make([]float32, n)
		ws := new(Workspace)
		set.Gemm(ws, m, n, k, Mat(a, k), Mat(b, n), all, n, false)
		for i := range m {
			set.Gemm(ws, 1, n, k, Mat(a[i*k:], k), Mat(b, n), one, n, false)
			for j := range one {
				if one[j] != all[i*n+j] {
					t.Fatalf("row %d column %d: alone %g, among others %g", i, j, one[j], all[i*n+j])
				}
			}
		}
	})
}

func BenchmarkGemm(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, d := range [][3]int{{512, 32, 288}, {288, 32, 512}} {
		m, n, k := d[0], d[1], d[2]
		x, y, z := randomSlice(r, m*k), randomSlice(r, k*n), make([]float32, m*n)
		name := fmt.Sprintf("%dx%dx%d", m, n, k)
		rate := func(b *testing.B) {
			b.ReportMetric(float64(b.N)*2*float64(m*n*k)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		}
		b.Run(name, func(b *testing.B) {
			ws := new(Workspace)
			for b.Loop() {
				gemm(ws, m, n, k, Mat(x, k), Mat(y, n), z, n, false)
			}
			rate(b)
		})
		b.Run(name+"/naive", func(b *testing.B) {
			for b.Loop() {
				clear(z)
				for i := range m {
					for p := range k {
						v, row, out := x[i*k+p], y[p*n:p*n+n], z[i*n:i*n+n]
						for j, w := range row {
							out[j] += float32(v * w)
						}
					}
				}
			}
			rate(b)
		})
	}
}
