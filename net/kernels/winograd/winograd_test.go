package winograd

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// The matrices of F(4,3) as Lavin and Gray print them.
func TestF4(t *testing.T) {
	want := F{
		Filter: [][3]float64{
			{1. / 4, 0, 0}, {-1. / 6, -1. / 6, -1. / 6}, {-1. / 6, 1. / 6, -1. / 6},
			{1. / 24, 1. / 12, 1. / 6}, {1. / 24, -1. / 12, 1. / 6}, {0, 0, 1},
		},
		In: [][]float64{
			{4, 0, -5, 0, 1, 0}, {0, -4, -4, 1, 1, 0}, {0, 4, -4, -1, 1, 0},
			{0, -2, -1, 2, 1, 0}, {0, 2, -1, -2, 1, 0}, {0, 4, 0, -5, 0, 1},
		},
		Out: [][]float64{
			{1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 1},
		},
	}
	if !reflect.DeepEqual(F4, want) {
		t.Errorf("F(4,3) is %v, want %v", F4, want)
	}
}

// A tile's outputs are those of the convolution's definition, for all transforms of the program.
func TestTransformsConvolve(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ down, along F }{{F4, F4}, {TallDown, TallAlong}} {
		high, wide := len(c.down.Out), len(c.along.Out)
		inputs := make([]float64, (high+2)*(wide+2))
		for i := range inputs {
			inputs[i] = r.NormFloat64()
		}
		d := func(rank, file int) float64 { return inputs[rank*(wide+2)+file] }
		var taps [9]float64
		for i := range taps {
			taps[i] = r.NormFloat64()
		}
		u := make([]float64, len(c.down.Filter)*len(c.along.Filter))
		Filter(c.down, c.along, &taps, u)
		v := In(c.down, c.along, d)
		if len(u) != len(v) {
			t.Fatalf("%d points of the filter, %d of the input", len(u), len(v))
		}
		for i, got := range Out(c.down, c.along, func(i, j int) float64 { return u[i*(wide+2)+j] * v[i*(wide+2)+j] }) {
			want := 0.
			for tap, w := range taps {
				want += w * d(i/wide+tap/3, i%wide+tap%3)
			}
			if math.Abs(got-want) > 1e-12 {
				t.Errorf("%dx%d outputs: output %d is %v, want %v", high, wide, i, got, want)
			}
		}
	}
}
