package net

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Tensor is one named array of the network.
type Tensor struct {
	Name  string
	Shape []int
	Data  []float32 // row-major, the product of Shape values
}

// Record is what a weights file tells of its past. Nothing of it decides an evaluation.
type Record struct {
	Rules    []string        // canonical texts of the rule sets trained on
	Training json.RawMessage // how it was trained, as JSON; may be empty
}

// Weights is a network: architecture, tensors in their fixed order, and where they come from.
type Weights struct {
	Arch    Arch
	Tensors []*Tensor
	Record  Record

	vectors   []TestVector // see Vectors
	vectorsOf string       // the EvalID they were computed with

	quantisation   *Quantisation // see Quantisation
	quantisationOf string        // the EvalID it was measured with
}

// Precision names the arithmetic the tensors are meant for; PrecisionInt16 needs a Quantisation besides.
const Precision = "float32"

// empty returns weights of the architecture with every tensor zero.
func empty(arch Arch) *Weights {
	w := &Weights{Arch: arch}
	for _, s := range arch.shapes() {
		w.Tensors = append(w.Tensors, &Tensor{Name: s.name, Shape: s.dims, Data: make([]float32, s.len())})
	}
	return w
}

// Tensor returns the tensor of that name, or nil if the architecture has none.
func (w *Weights) Tensor(name string) *Tensor {
	for _, t := range w.Tensors {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Clone returns a deep copy.
func (w *Weights) Clone() *Weights {
	c := *w
	c.Tensors = make([]*Tensor, len(w.Tensors))
	for i, t := range w.Tensors {
		c.Tensors[i] = &Tensor{t.Name, slices.Clone(t.Shape), slices.Clone(t.Data)}
	}
	c.Record = Record{slices.Clone(w.Record.Rules), slices.Clone(w.Record.Training)}
	c.vectors = slices.Clone(w.vectors)
	c.quantisation = w.quantisation.clone()
	return &c
}

// Parameters returns the number of values in all tensors.
func (w *Weights) Parameters() int {
	n := 0
	for _, t := range w.Tensors {
		n += len(t.Data)
	}
	return n
}

// Check reports an architecture out of range, a tensor that is missing, misplaced or of the wrong
// shape, a value that is not finite, or a variance below zero.
func (w *Weights) Check() error {
	if err := w.Arch.Check(); err != nil {
		return err
	}
	shapes := w.Arch.shapes()
	for i, s := range shapes {
		if i >= len(w.Tensors) || w.Tensors[i].Name != s.name {
			return fmt.Errorf("network weights: tensor %q is missing or out of order for this architecture", s.name)
		}
		t := w.Tensors[i]
		if !slices.Equal(t.Shape, s.dims) || len(t.Data) != s.len() {
			return fmt.Errorf("network weights: tensor %q has shape %v and %d values, the architecture needs %v",
				s.name, t.Shape, len(t.Data), s.dims)
		}
		if err := t.check(); err != nil {
			return err
		}
	}
	if len(w.Tensors) > len(shapes) {
		return fmt.Errorf("network weights: tensor %q does not belong to this architecture", w.Tensors[len(shapes)].Name)
	}
	return nil
}

// check reports a value no network may hold.
func (t *Tensor) check() error {
	variance := strings.HasSuffix(t.Name, ".var")
	for i, v := range t.Data {
		if v-v != 0 {
			return fmt.Errorf("network weights: tensor %q holds %v at index %d; discard these weights and go back to an earlier checkpoint", t.Name, v, i)
		}
		if variance && v < 0 {
			return fmt.Errorf("network weights: tensor %q holds the negative variance %v at index %d", t.Name, v, i)
		}
	}
	return nil
}

// EvalID returns 16 hexadecimal digits that name what decides an evaluation: architecture, encoding,
// tensors and precision. Records, test vectors and the file format do not enter.
func (w *Weights) EvalID() string {
	h := sha256.New()
	a := w.Arch
	fmt.Fprintf(h, "synochess network\nblocks %d width %d value %d %d\ninputs %d %d policy %d encoding %d\n%s\n",
		a.Blocks, a.Width, a.ValueChannels, a.ValueHidden, a.Planes, a.Scalars, a.PolicyPlanes, a.EncodingVersion, Precision)
	var buf []byte
	for _, t := range w.Tensors {
		fmt.Fprintf(h, "%s %v\n", t.Name, t.Shape)
		buf = appendFloats(buf[:0], t.Data)
		h.Write(buf)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
