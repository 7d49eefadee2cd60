package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// naiveGemm is the definition, in float64.
func naiveGemm(m, n, k int, a, b Operand, c []float32, ldc int) {
	at := func(o Operand, i, j int) float64 {
		if o.Transposed {
			i, j = j, i
		}
		return float64(o.Data[i*o.Stride+j])
	}
	for i := range m {
		for j := range n {
			var sum float64
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

func TestGemmMatchesDefinition(t *testing.T) {
	everyShape(t, func(t *testing.T, r *rand.Rand, m, n, k int) {
		for form := range 4 {
			a, b := Mat(randomSlice(r, m*(k+3)), k+3), Mat(randomSlice(r, k*(n+2)), n+2)
			if form&1 != 0 {
				a = MatT(randomSlice(r, k*(m+1)), m+1)
			}
			if form&2 != 0 {
				b = MatT(randomSlice(r, n*(k+5)), k+5)
			}
			got := randomSlice(r, m*(n+4))
			want := slices.Clone(got)
			Gemm(new(Workspace), m, n, k, a, b, got, n+4)
			naiveGemm(m, n, k, a, b, want, n+4)
			checkProduct(t, fmt.Sprintf("form %d", form), got, want, k)
		}
	})
}

func TestGemmPackedMatchesDefinition(t *testing.T) {
	everyPath(t, func(t *testing.T, p *Path) {
		everyShape(t, func(t *testing.T, r *rand.Rand, m, n, k int) {
			a, b := randomSlice(r, m*(k+3)), randomSlice(r, k*n)
			got := randomSlice(r, m*(n+4))
			want := slices.Clone(got)
			p.GemmPacked(new(Workspace), m, a, k+3, p.Pack(k, n, b), got, n+4)
			naiveGemm(m, n, k, Mat(a, k+3), Mat(b, n), want, n+4)
			checkProduct(t, "packed", got, want, k)
			if p != Portable {
				return
			}
			Gemm(new(Workspace), m, n, k, Mat(a, k+3), Mat(b, n), want, n+4)
			if !slices.Equal(got, want) {
				t.Error("a packed B gives another product")
			}
		})
	})
}

// everyShape runs a test on products that fill tiles and ones that do not.
func everyShape(t *testing.T, f func(t *testing.T, r *rand.Rand, m, n, k int)) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, d := range [][3]int{
		{1, 1, 1}, {4, 2, 4}, {5, 3, 7}, {64, 32, 300}, {3, 81, 32}, {9, 1, 513},
		{23, 64, 5}, {33, 112, 9}, {512, 8, 64}, {7, 17, 3},
	} {
		t.Run(fmt.Sprintf("%dx%dx%d", d[0], d[1], d[2]), func(t *testing.T) { f(t, r, d[0], d[1], d[2]) })
	}
}

// checkProduct compares a product of depth k, and what lies around it.
func checkProduct(t *testing.T, name string, got, want []float32, k int) {
	t.Helper()
	for i := range got {
		if d := math.Abs(float64(got[i] - want[i])); !(d <= 1e-5*math.Sqrt(float64(k+1))*4) {
			t.Fatalf("%s: element %d is %g, want %g", name, i, got[i], want[i])
		}
	}
}

// A row's result must not depend on the rows beside it.
func TestGemmRowsAreIndependent(t *testing.T) {
	everyPath(t, func(t *testing.T, p *Path) {
		r := rand.New(rand.NewPCG(3, 4))
		const m, n, k = 25, 55, 290
		a, b := randomSlice(r, m*k), p.Pack(k, n, randomSlice(r, k*n))
		all, one := make([]float32, m*n), make([]float32, n)
		ws := new(Workspace)
		p.GemmPacked(ws, m, a, k, b, all, n)
		for i := range m {
			p.GemmPacked(ws, 1, a[i*k:], k, b, one, n)
			if !slices.Equal(one, all[i*n:(i+1)*n]) {
				t.Fatalf("row %d: alone %g, among others %g", i, one, all[i*n:(i+1)*n])
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
				Gemm(ws, m, n, k, Mat(x, k), Mat(y, n), z, n)
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
