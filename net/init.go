package net

import (
	"math"
	"math/rand/v2"
	"strings"
)

// outputScale shrinks the output layers at the start, so that an untrained network says nearly the same of
// every move and every result.
const outputScale = 0.02

// isOutput tells the layers that end in logits. Of the from-to term, a product of two layers, it is one of
// them: were both near zero, so were both gradients.
func isOutput(name string) bool {
	return name == "policy.weight" || name == "policy.to.weight" || name == "value.fc2.weight"
}

// New returns untrained weights: He initialisation (uniform, so that the same seed gives the same bits
// on every processor), batch norms that change nothing, biases zero, output layers near zero. The
// encoding's fields of arch are filled in where they are zero. Arch must pass Check after that.
func New(arch Arch, seed uint64) *Weights {
	w := empty(arch.Complete())
	for i, t := range w.Tensors {
		switch {
		case strings.HasSuffix(t.Name, ".bn.scale"), strings.HasSuffix(t.Name, ".bn.var"):
			for j := range t.Data {
				t.Data[j] = 1
			}
		case strings.HasSuffix(t.Name, ".weight"):
			limit := math.Sqrt(6 / float64(t.Shape[0]))
			if isOutput(t.Name) {
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
