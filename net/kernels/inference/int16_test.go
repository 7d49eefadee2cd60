package inference

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"synochess/net/kernels"
	"synochess/net/kernels/winograd"
)

// everyInt16Path runs a test on each path for quantised trunks. Those that cannot run here are named.
func everyInt16Path(t *testing.T, f func(t *testing.T, p *kernels.Path)) {
	for _, p := range kernels.Paths() {
		if p.Int16.Name == "" {
			continue
		}
		t.Run(p.Int16.Name, func(t *testing.T) {
			if !p.Int16.Runs {
				t.Skipf("skipped: this processor does not have %s", p.Int16.Needs)
			}
			f(t, p)
		})
	}
}

// randomInt16 returns a quantised trunk and rows of input, some of them beyond
// the limits.
func randomInt16(seed uint64, width, convs, rows int) (*Quantised, []float32) {
	list, x := randomTrunk(seed, width, convs, rows)
	r := rand.New(rand.NewPCG(seed, 4))
	limits := make([][]float32, convs)
	for i := range limits {
		limits[i] = make([]float32, width)
		for c := range limits[i] {
			limits[i][c] = float32(3 + r.Float64())
		}
	}
	return Quantise(width, list, limits), x
}

// All paths give the same bits.
func TestInt16TrunksAgree(t *testing.T) {
	everyInt16Path(t, func(t *testing.T, p *kernels.Path) {
		for _, width := range []int{16, 32, 48, 64, 80, 112} {
			for _, rows := range []int{1, 2, 11} {
				q, x := randomInt16(uint64(width), width, 4, rows)
				want := append([]float32(nil), x...)
				newPortableInt16Trunk(q).Run(want, rows)
				NewInt16Trunk(p, q).Run(x, rows)
				for i := range x {
					if math.Float32bits(x[i]) != math.Float32bits(want[i]) {
						t.Fatalf("width %d, %d rows: element %d is %g, want %g", width, rows, i, x[i], want[i])
					}
				}
			}
		}
	})
}

// Quantised trunks compute the convolutions up to the rounding of activations and weights.
func TestInt16TrunkMatchesDirect(t *testing.T) {
	for _, width := range []int{16, 64} {
		convs, x := randomTrunk(7, width, 6, 3)
		limits := make([][]float32, len(convs))
		for i := range limits {
			limits[i] = slices.Repeat([]float32{16}, width) // a unit is 1/30
		}
		q := Quantise(width, convs, limits)
		want := append([]float32(nil), x...)
		NewDirect(width, convs).Run(want, 3)
		newPortableInt16Trunk(q).Run(x, 3)
		var sum, most float64
		for i := range x {
			d := math.Abs(float64(x[i] - want[i]))
			sum, most = sum+d, max(most, d)
		}
		mean := sum / float64(len(x))
		t.Logf("width %d: mean difference %.4f, largest %.4f", width, mean, most)
		if !(mean < 0.02 && most < 0.15) {
			t.Errorf("width %d: mean difference %g, largest %g", width, mean, most)
		}
	}
}

// The worst weights and activations there can be: at each point all weights of an output of one sign and
// as large as they get, or alternating in a way that the transformed inputs follow. Sums stay in 32 bits.
func TestInt16SumsDoNotOverflow(t *testing.T) {
	const width = 64
	r := rand.New(rand.NewPCG(1, 2))
	for kind := range 3 {
		c := Conv{Weight: make([]float32, 9*width*width), Bias: make([]float32, width)}
		for i := range c.Weight {
			switch kind {
			case 0:
				c.Weight[i] = 1
			case 1:
				c.Weight[i] = float32(r.IntN(3) - 1)
			case 2:
				c.Weight[i] = float32(math.Exp(8 * r.NormFloat64()))
			}
		}
		q := quantiseConv(width, c, func(int) float64 { return 1 }, func(int) float64 { return 1 })
		tight := false
		for p := range int16Points {
			for o := range width {
				var sum int64
				for i := range width {
					u := int64(q.U[(p*width+i)*width+o])
					sum += max(u, -u)
				}
				bound := sum * int64(int16Reach(p))
				if bound > math.MaxInt32 {
					t.Fatalf("kind %d, point %d, output %d: a sum can reach %d", kind, p, o, bound)
				}
				tight = tight || bound > math.MaxInt32*9/10
			}
		}
		if !tight {
			t.Errorf("kind %d: no sum comes near the bound, so the weights are coarser than they need be", kind)
		}
	}
}

// The input transform is exact: in 16 bits it gives what it gives without a limit.
func TestInt16TransformIsExact(t *testing.T) {
	if reach := int16Reach(7); reach > math.MaxInt16 || reach < 32700 {
		t.Errorf("the largest transformed input is %v", reach)
	}
	r := rand.New(rand.NewPCG(1, 2))
	trunk := newPortableInt16Trunk(&Quantised{Width: 1}).(*portableInt16Trunk)
	for range 2000 {
		board := make([]uint16, 64)
		for i := range board {
			board[i] = uint16(r.IntN(2) * Int16Top)
		}
		trunk.transformIn(board)
		for tile := range int16Tiles {
			want := winograd.In(winograd.F4, winograd.F4, func(y, x int) float64 {
				rank, file := tile/2*4-1+y, tile%2*4-1+x
				if rank < 0 || rank > 7 || file < 0 || file > 7 {
					return 0
				}
				return float64(board[rank*8+file])
			})
			for p, v := range want {
				if got := trunk.v[p*int16Tiles+tile]; float64(got) != v {
					t.Fatalf("point %d of tile %d is %d, want %v", p, tile, got, v)
				}
			}
		}
	}
}

// Activations beyond the limits count as the limits, on all paths.
func TestInt16Saturates(t *testing.T) {
	everyInt16Path(t, func(t *testing.T, p *kernels.Path) {
		q, x := randomInt16(3, 32, 4, 2)
		for i := range x {
			x[i] *= 1e6
		}
		full := append([]float32(nil), x...)
		for i := range full {
			if full[i] > 0 {
				full[i] = 4 // no limit is larger
			}
		}
		NewInt16Trunk(p, q).Run(x, 2)
		NewInt16Trunk(p, q).Run(full, 2)
		for i := range x {
			if x[i] != full[i] || x[i]-x[i] != 0 {
				t.Fatalf("element %d is %g, want %g", i, x[i], full[i])
			}
		}
	})
}

// Whatever else is in the batch, and wherever a row lies in it, its result is the same bits.
func TestInt16RowsAreIndependent(t *testing.T) {
	everyInt16Path(t, func(t *testing.T, p *kernels.Path) {
		const width, rows = 48, 19
		q, x := randomInt16(5, width, 4, rows)
		trunk := NewInt16Trunk(p, q)
		all := append([]float32(nil), x...)
		trunk.Run(all, rows)
		for n := range rows {
			one := x[n*64*width : (n+1)*64*width]
			trunk.Run(one, 1)
			for i, y := range one {
				if math.Float32bits(y) != math.Float32bits(all[n*64*width+i]) {
					t.Fatalf("row %d element %d: alone %g, among others %g", n, i, y, all[n*64*width+i])
				}
			}
		}
	})
}

func BenchmarkInt16Trunk(b *testing.B) {
	for _, d := range [][2]int{{2, 32}, {4, 48}, {6, 64}} {
		for _, p := range kernels.Paths() {
			if !p.Int16.Runs || p == kernels.Portable {
				continue
			}
			b.Run(fmt.Sprintf("%dx%d/%s", d[0], d[1], p.Int16.Name), func(b *testing.B) {
				q, x := randomInt16(1, d[1], 2*d[0], 8)
				trunk := NewInt16Trunk(p, q)
				work := make([]float32, len(x))
				perSecond(b, 8, "boards", func() {
					copy(work, x)
					trunk.Run(work, 8)
				})
			})
		}
	}
}
