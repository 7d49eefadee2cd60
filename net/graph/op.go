package graph

import (
	"fmt"
	"hash"
	"hash/fnv"
	"sync/atomic"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// opNumber makes the hash of every op its own: Gorgonia merges nodes of equal hash.
var opNumber atomic.Uint64

// op is what all our ops share: everything of gorgonia.Op but Do.
type op struct {
	name string
	hash uint32
	in   []int // dimensions of each input, 0 for a scalar
	out  tensor.Shape
}

func newOp(name string, out tensor.Shape, inputs gorgonia.Nodes) op {
	o := op{name: fmt.Sprintf("%s#%d", name, opNumber.Add(1)), out: out}
	for _, n := range inputs {
		o.in = append(o.in, n.Shape().Dims())
	}
	h := fnv.New32a()
	o.WriteHash(h)
	o.hash = h.Sum32()
	return o
}

func (o *op) Arity() int { return len(o.in) }

func (o *op) Type() hm.Type {
	types := make([]hm.Type, 0, len(o.in)+1)
	for _, d := range o.in {
		types = append(types, tensorType(d))
	}
	return hm.NewFnType(append(types, tensorType(o.out.Dims()))...)
}

func tensorType(dims int) hm.Type {
	if dims == 0 {
		return tensor.Float32
	}
	return gorgonia.TensorType{Dims: dims, Of: tensor.Float32}
}

func (o *op) InferShape(...gorgonia.DimSizer) (tensor.Shape, error) { return o.out.Clone(), nil }
func (o *op) ReturnsPtr() bool                                      { return false }
func (o *op) CallsExtern() bool                                     { return false }
func (o *op) OverwritesInput() int                                  { return -1 }
func (o *op) WriteHash(h hash.Hash)                                 { h.Write([]byte(o.name)) }
func (o *op) Hashcode() uint32                                      { return o.hash }
func (o *op) String() string                                        { return o.name }

// floats returns the data of a float32 tensor.
func floats(v gorgonia.Value) []float32 { return v.(*tensor.Dense).Data().([]float32) }

// dense wraps data, which it does not copy.
func dense(data []float32, shape ...int) *tensor.Dense {
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(data))
}

// pickOp returns a tensor that the backward op before it has filled.
type pickOp struct {
	op
	value *tensor.Dense
}

func (o *pickOp) Do(...gorgonia.Value) (gorgonia.Value, error) { return o.value, nil }

// backward makes the nodes of a node's gradients: run, applied to the inputs, fills all of them.
// A nil gradient stays nil.
func backward(name string, inputs gorgonia.Nodes, grads []*tensor.Dense, run func([]gorgonia.Value) error) (gorgonia.Nodes, error) {
	nodes := make(gorgonia.Nodes, len(grads))
	var first *gorgonia.Node
	for i, g := range grads {
		var err error
		switch {
		case g == nil:
		case first == nil:
			o := &backwardOp{op: newOp(name+".backward", g.Shape(), inputs), first: g, run: run}
			first, err = gorgonia.ApplyOp(o, inputs...)
			nodes[i] = first
		default:
			after := gorgonia.Nodes{first}
			nodes[i], err = gorgonia.ApplyOp(&pickOp{newOp(name+".pick", g.Shape(), after), g}, after...)
		}
		if err != nil {
			return nil, fmt.Errorf("gradient %d of %s: %w", i, name, err)
		}
	}
	return nodes, nil
}

// backwardOp fills all gradients of one node and returns the first.
type backwardOp struct {
	op
	first *tensor.Dense
	run   func([]gorgonia.Value) error
}

func (o *backwardOp) Do(v ...gorgonia.Value) (gorgonia.Value, error) { return o.first, o.run(v) }
