package inference

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"synochess/net/kernels"
)

// everyPath runs a test on each path in float32. Those that cannot run here are named.
func everyPath(t *testing.T, f func(t *testing.T, p *kernels.Path)) {
	for _, p := range kernels.Paths() {
		t.Run(p.Float.Name, func(t *testing.T) {
			if !p.Float.Runs {
				t.Skipf("skipped: this processor does not have %s", p.Float.Needs)
			}
			f(t, p)
		})
	}
}

// randomSlice returns n numbers of the normal distribution.
func randomSlice(r *rand.Rand, n int) []float32 {
	s := make([]float32, n)
	for i := range s {
		s[i] = float32(r.NormFloat64())
	}
	return s
}

// randomTrunk returns convolutions that keep the size of their input, and rows of input.
func randomTrunk(seed uint64, width, convs, rows int) ([]Conv, []float32) {
	r := rand.New(rand.NewPCG(seed, 9))
	list := make([]Conv, convs)
	for i := range list {
		list[i] = Conv{Weight: randomSlice(r, 9*width*width), Bias: randomSlice(r, width)}
		scale := float32(math.Sqrt(1 / float64(9*width)))
		for j := range list[i].Weight {
			list[i].Weight[j] *= scale
		}
	}
	x := randomSlice(r, rows*64*width)
	for i, v := range x {
		x[i] = max(v, 0)
	}
	return list, x
}

func TestTrunksMatchDirect(t *testing.T) {
	everyPath(t, func(t *testing.T, p *kernels.Path) {
		for _, width := range []int{1, 4, 7, 16, 32, 48, 64, 80, 112} {
			for rows := 1; rows <= 11; rows += 5 {
				convs, x := randomTrunk(uint64(width), width, 4, rows)
				want := append([]float32(nil), x...)
				NewTrunk(p, width, convs).Run(x, rows)
				NewDirect(width, convs).Run(want, rows)
				for i := range x {
					if d := math.Abs(float64(x[i] - want[i])); !(d <= 3e-5*max(1, math.Abs(float64(want[i])))) {
						t.Fatalf("width %d, %d rows: element %d is %g, want %g", width, rows, i, x[i], want[i])
					}
				}
			}
		}
	})
}

// A single one in the middle of an otherwise empty board shows the filter turned by half a turn.
func TestWinogradShowsFilter(t *testing.T) {
	for _, square := range []int{0, 7, 27, 28, 35, 36, 56, 63} {
		var board, out [64]float32
		board[square] = 1
		filter := func(ky, kx int) float32 { return float32(1 + ky*3 + kx) }
		var v, m [winoBoard]float32
		winoIn(&v, &board)
		for p := range winoPoints {
			for tile := range winoTiles {
				m[p*4+tile] = v[p*4+tile] * filterPoint(filter, p/6, p%6)
			}
		}
		winoOut(&out, &m, 0, false)
		for s, y := range out {
			want := float32(0)
			ky, kx := square>>3-s>>3+1, square&7-s&7+1
			if ky >= 0 && ky < 3 && kx >= 0 && kx < 3 {
				want = filter(ky, kx)
			}
			if math.Abs(float64(y-want)) > 1e-5 {
				t.Fatalf("one at %d: square %d is %g, want %g", square, s, y, want)
			}
		}
	}
}

// Whatever else is in the batch, and wherever a row lies in it, its result is the same bits.
func TestTrunkRowsAreIndependent(t *testing.T) {
	everyPath(t, func(t *testing.T, p *kernels.Path) {
		for _, width := range []int{20, 48, 64} {
			const rows = 19
			convs, x := randomTrunk(5, width, 4, rows)
			trunk := NewTrunk(p, width, convs)
			for batch := 1; batch <= rows; batch += 3 {
				all := append([]float32(nil), x[:batch*64*width]...)
				trunk.Run(all, batch)
				for n := range batch {
					one := append([]float32(nil), x[n*64*width:(n+1)*64*width]...)
					trunk.Run(one, 1)
					for i, y := range one {
						if math.Float32bits(y) != math.Float32bits(all[n*64*width+i]) {
							t.Fatalf("width %d row %d of %d element %d: alone %g, among others %g", width, n, batch, i, y, all[n*64*width+i])
						}
					}
				}
			}
		}
	})
}

// What overflows must come out as something that is not finite, not as a zero.
func TestTrunkKeepsOverflow(t *testing.T) {
	everyPath(t, func(t *testing.T, p *kernels.Path) {
		convs, x := randomTrunk(5, 16, 2, 1)
		for i := range convs {
			for j := range convs[i].Weight {
				convs[i].Weight[j] = 1e30 * float32(1-2*(i&1))
			}
		}
		NewTrunk(p, 16, convs).Run(x, 1)
		for _, v := range x {
			if v-v != 0 {
				return
			}
		}
		t.Error("every output is finite")
	})
}

func TestTrunkDoesNotAllocate(t *testing.T) {
	everyPath(t, func(t *testing.T, p *kernels.Path) {
		convs, x := randomTrunk(5, 16, 2, 3)
		trunk := NewTrunk(p, 16, convs)
		if n := testing.AllocsPerRun(5, func() { trunk.Run(x, 3) }); n != 0 {
			t.Errorf("%v allocations a run", n)
		}
	})
}

func BenchmarkTrunk(b *testing.B) {
	for _, d := range [][2]int{{2, 32}, {4, 48}, {6, 64}} {
		for _, p := range kernels.Paths() {
			if !p.Float.Runs {
				continue
			}
			b.Run(fmt.Sprintf("%dx%d/%s", d[0], d[1], p.Float.Name), func(b *testing.B) {
				convs, x := randomTrunk(1, d[1], 2*d[0], 8)
				trunk := NewTrunk(p, d[1], convs)
				work := make([]float32, len(x))
				perSecond(b, 8, "boards", func() {
					copy(work, x)
					trunk.Run(work, 8)
				})
			})
		}
	}
}

func BenchmarkPhases(b *testing.B) {
	t := newPortableTrunk(32, nil).(*portableTrunk)
	convs, x := randomTrunk(1, 32, 2, 4)
	l := newPortableLayer(32, 32, convs[0])
	t.enter(x, 4)
	b.Run("products", func(b *testing.B) {
		for b.Loop() {
			t.products(&l, 4)
		}
	})
	b.Run("finish", func(b *testing.B) {
		for b.Loop() {
			t.finish(&l, 4, true, true)
		}
	})
	b.Run("enter", func(b *testing.B) {
		for b.Loop() {
			t.enter(x, 4)
		}
	})
}
