package net

import (
	"fmt"
	"math"
	"reflect"

	"synochess/internal/setting"
)

// Grow returns weights of a larger architecture that compute the same function as w, but for rounding: with the stored
// batch-norm statistics, and with those of a batch too. Every size of arch may be larger than that of w, and its encoding
// version newer; each that is smaller is a fault of its key (package setting). The encoding's fields of arch are filled
// in where they are zero; arch must pass Check after that. The record is that of w; test vectors and quantisation have to
// be made anew. With the architecture of w it is a copy.
//
// The tensors of w are a part of the new ones. What w computes takes nothing from new channels, so the weights from these
// into it are zero; a new block adds nothing, because the scale of its second batch norm is zero. All other new weights
// begin as New does with the seed. So in the first step of training those zeros have a gradient, and once they have moved,
// so has the rest.
func Grow(w *Weights, arch Arch, seed uint64) (*Weights, error) {
	if err := w.Arch.CheckEncoding(); err != nil {
		return nil, err
	}
	arch = arch.Complete()
	if err := w.Arch.checkLarger(arch); err != nil {
		return nil, err
	}
	if arch == w.Arch {
		return w.Clone(), nil
	}
	if w.Arch.FromTo > 0 {
		w = w.rescaled(arch)
	}
	g := New(arch, seed)
	g.Record = w.Record
	for _, t := range g.Tensors {
		if old := w.Tensor(t.Name); old != nil && len(t.Shape) == 1 {
			copy(t.Data, old.Data)
		}
	}
	olds := map[string]Layer{}
	for _, l := range w.Arch.Layers() {
		olds[l.Name] = l
	}
	var below Kind
	for _, l := range arch.Layers() {
		if old, there := olds[l.Name]; there {
			g.embed(w, old, l, below)
		}
		below = l.Kind
	}
	tower := arch.Tower()
	for i := 2 + 2*w.Arch.Blocks; i < len(tower); i += 2 {
		clear(g.Tensor(tower[i].Name + ".bn.scale").Data)
	}
	return g, nil
}

// checkLarger reports each size in which a network of this architecture does not fit into another.
func (a Arch) checkLarger(other Arch) error {
	var faults setting.Faults
	for _, f := range setting.Fields(reflect.TypeFor[Arch]()) {
		mine, others := f.In(reflect.ValueOf(a)).Int(), f.In(reflect.ValueOf(other)).Int()
		if others < mine {
			faults = append(faults, setting.Fault{Path: f.Key, Says: fmt.Sprintf("is %d, but the network to begin with has %d, and a network only grows; use %d or more",
				others, mine, mine)})
		}
	}
	if faults == nil {
		return nil
	}
	return faults
}

// rescaled returns the network with q and k of its from-to term so much larger that its products stay what they are under
// the scale of another number of channels.
func (w *Weights) rescaled(other Arch) *Weights {
	w = w.Clone()
	factor := float32(math.Sqrt(float64(w.Arch.FromToScale() / other.FromToScale())))
	for _, l := range w.Arch.Policy()[1:] {
		for i := range w.Tensor(l.Weight()).Data {
			w.Tensor(l.Weight()).Data[i] *= factor
		}
	}
	return w
}

// embed puts the weights of a layer of w into those of the layer that it has become. below is the kind of the layer
// before it.
func (g *Weights) embed(w *Weights, old, l Layer, below Kind) {
	groups, at := 1, func(in int) int { return in }
	switch {
	case l.Kind == Stem:
		embedRows(g.Tensor(l.VectorWeight()), w.Tensor(old.VectorWeight()), 1, at)
		groups, at = 9, func(in int) int {
			if in >= w.Arch.Planes { // the constant planes come last
				in += g.Arch.Planes - w.Arch.Planes
			}
			return in
		}
	case l.Kind == Conv:
		groups = 9
	case l.Kind == Dense && below == Square:
		groups = 64
	}
	embedRows(g.Tensor(l.Weight()), w.Tensor(old.Weight()), groups, at)
}

// embedRows puts weights [group][in][out] into larger ones with as many groups, where input in of the old ones is input
// at(in). What is new of the old outputs' weights becomes zero.
func embedRows(to, from *Tensor, groups int, at func(in int) int) {
	ins, outs := from.Shape[0]/groups, from.Shape[1]
	newIns, newOuts := to.Shape[0]/groups, to.Shape[1]
	for row := range to.Shape[0] {
		clear(to.Data[row*newOuts:][:outs])
	}
	for g := range groups {
		for in := range ins {
			copy(to.Data[(g*newIns+at(in))*newOuts:], from.Data[(g*ins+in)*outs:][:outs])
		}
	}
}
