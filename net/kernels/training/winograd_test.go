package training

import (
	"math/rand/v2"
	"testing"

	"synochess/net/kernels/winograd"
)

// TestTransforms compares the transforms of one board of one channel with the matrices they were made from.
func TestTransforms(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	f4 := winograd.F4
	x := randomBoards(r, 1, 1)
	v, m := make([]float32, frequencies*4), randomData(r, frequencies*4, 1, 0)
	y := make([]float32, boardArea)
	transformInput(x, 1, v, 4)
	transformOutput(m, 4, y, 1)
	for tile := range 4 {
		corner := tile/2*4*10 + tile%2*4 // of the tile's inputs
		var got, out []float32
		for f := range frequencies {
			got = append(got, v[f*4+tile])
		}
		checkClose(t, "input", got, winograd.In(f4, f4, func(rank, file int) float64 { return float64(x[corner+10*rank+file]) }), 1e-6)
		for i := range 16 {
			out = append(out, y[corner+11+i/4*10+i%4])
		}
		checkClose(t, "output", out, winograd.Out(f4, f4, func(i, j int) float64 { return float64(m[(i*6+j)*4+tile]) }), 1e-6)
	}
	w := randomData(r, 9, 1, 0)
	padded := padChannels(1)
	u, ut := make([]float32, frequencies*padded*padded), make([]float32, frequencies*padded*padded)
	transformWeights(w, 1, 1, u, ut)
	want := make([]float64, frequencies)
	winograd.Filter(f4, f4, (*[9]float64)(double(w)), want)
	var got []float32
	for f := range frequencies {
		got = append(got, u[f*padded*padded])
	}
	checkClose(t, "weights", got, want, 1e-6)
}
