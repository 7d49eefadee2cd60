package net

import (
	"math"
	"math/rand/v2"
)

// start says how a tensor begins.
type start uint8

const (
	startHe    start = iota // He initialisation (uniform, so that the same seed gives the same bits on every processor)
	startSmall              // that, shrunk by outputScale
	startZero
	startOne
)

// outputScale shrinks the output layers at the start, so that an untrained network says nearly
// the same of every move and every result.
const outputScale = 0.02

// New returns untrained weights: He initialisation, batch norms that change nothing, biases zero, output layers near
// zero. The from-to term is zero, because one of its two layers is; the other is not, so that the first learns. The
// encoding's fields of arch are filled in where they are zero. Arch must pass Check after that.
func New(arch Arch, seed uint64) *Weights {
	w := empty(arch.Complete())
	for i, s := range w.Arch.shapes() {
		data := w.Tensors[i].Data
		switch s.start {
		case startHe, startSmall:
			limit := math.Sqrt(6 / float64(s.dims[0]))
			if s.start == startSmall {
				limit *= outputScale
			}
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			for j := range data {
				data[j] = float32(limit * (2*r.Float64() - 1))
			}
		case startOne:
			for j := range data {
				data[j] = 1
			}
		}
	}
	return w
}
