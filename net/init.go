package net

import (
	"math"
	"math/rand/v2"
	"strings"
)

// outputScale shrinks the two output layers at the start, so that an untrained network says nearly
// the same of every move and every result.
const outputScale = 0.02

// New returns untrained weights: He initialisation (uniform, so that the same seed gives the same bits
// on every processor), batch norms that change nothing, biases zero, output layers near zero. The from-to
// term is zero, because one of its two layers is; the other is not, so that the first learns. The
// encoding's fields of arch are filled in where they are zero. Arch must pass Check after that.
func New(arch Arch, seed uint64) *Weights {
	w := empty(arch.Complete())
	for i, t := range w.Tensors {
		switch {
		case strings.HasSuffix(t.Name, ".bn.scale"), strings.HasSuffix(t.Name, ".bn.var"):
			for j := range t.Data {
				t.Data[j] = 1
			}
		case t.Name == "policy.to.weight":
		case strings.HasSuffix(t.Name, ".weight"):
			limit := math.Sqrt(6 / float64(t.Shape[0]))
			if t.Name == "policy.weight" || t.Name == "value.fc2.weight" {
				limit *= outputScale
			}
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			for j := range t.Data {
				t.Data[j] = float32(limit * (2*r.Float64() - 1))
			}
		}
	}
	return w
}
