package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// everyInt16Set runs a test on each quantised path. Those that cannot run here are named.
func everyInt16Set(t *testing.T, f func(t *testing.T, set *Int16Set)) {
	for _, name := range Int16Names() {
		t.Run(name, func(t *testing.T) {
			set, err := Int16ByName(name)
			if err != nil {
				t.Skipf("skipped: %v", err)
			}
			f(t, set)
		})
	}
}

// randomInt16 returns a quantised trunk, the one it was made from, and rows of input.
func randomInt16(seed uint64, width, convs, rows int) (*Int16Trunk, []Conv, []float32) {
	list, x := randomTrunk(seed, width, convs, rows)
	r := rand.New(rand.NewPCG(seed, 4))
	limits := make([][]float32, convs)
	for i := range limits {
		limits[i] = make([]float32, width)
		for c := range limits[i] {
			limits[i][c] = float32(3 + r.Float64())
		}
	}
	return QuantiseTrunk(width, list, limits), list, x
}

// All paths give the same bits.
func TestInt16TrunksAgree(t *testing.T) {
	everyInt16Set(t, func(t *testing.T, set *Int16Set) {
		for _, width := range []int{16, 32, 48, 64, 80, 112} {
			for _, rows := range []int{1, 2, 5, 8, 11} {
				q, _, x := randomInt16(uint64(width), width, 4, rows)
				want := append([]float32(nil), x...)
				PortableInt16().NewTrunk(q).Run(want, rows)
				set.NewTrunk(q).Run(x, rows)
				for i := range x {
					if math.Float32bits(x[i]) != math.Float32bits(want[i]) {
						t.Fatalf("width %d, %d rows: element %d is %g, want %g", width, rows, i, x[i], want[i])
					}
				}
			}
		}
	})
}

func BenchmarkInt16Trunk(b *testing.B) {
	for _, d := range [][2]int{{2, 32}, {4, 48}, {6, 64}} {
		for _, name := range Int16Names()[:len(Int16Names())-1] {
			set, err := Int16ByName(name)
			if err != nil {
				continue
			}
			b.Run(fmt.Sprintf("%dx%d/%s", d[0], d[1], set.Name), func(b *testing.B) {
				q, _, x := randomInt16(1, d[1], 2*d[0], 8)
				trunk := set.NewTrunk(q)
				work := make([]float32, len(x))
				for b.Loop() {
					copy(work, x)
					trunk.Run(work, 8)
				}
				b.ReportMetric(float64(8*b.N)/b.Elapsed().Seconds(), "boards/s")
			})
		}
	}
}
