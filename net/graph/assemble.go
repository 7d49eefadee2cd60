package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"synochess/net"
	"synochess/net/kernels/training"
)

// layers holds the kernels of a network and what is written to it: the state that its graphs share.
type layers struct {
	boards  input // [batch][10][10][InputPlanes]
	vector  input // [batch][VectorLen]
	tower   *training.Tower
	convs   []named[*training.ConvBN] // of the tower's layers
	project *training.Lin             // of the vector, into the stem
	heads
}

// named is a layer and its name in net's tensor names.
type named[T any] struct {
	name  string
	layer T
}

// newLayers allocates the kernels of an architecture.
func newLayers(pool *training.Pool, a net.Arch, o Options) *layers {
	convs := a.Tower()
	stem := convs[0]
	l := &layers{boards: newInput(o.Batch, 10, 10, stem.In), vector: newInput(o.Batch, stem.Vector)}
	l.tower = training.NewTower(pool, training.TowerShape{Batch: o.Batch, In: stem.In, Width: stem.Out, Blocks: a.Blocks, Epsilon: net.Epsilon})
	for i, c := range l.tower.Layers {
		l.convs = append(l.convs, named[*training.ConvBN]{convs[i].Name, c})
	}
	l.project = training.NewLin(pool, training.LinShape{Batch: o.Batch, In: stem.Vector, Out: stem.Out, NoInputGrad: true})
	l.heads = newHeads(pool, a, o)
	return l
}

// input is a tensor that a batch is written to, and its data, because taking it out of a tensor allocates.
type input struct {
	value *tensor.Dense
	data  []float32
}

func newInput(shape ...int) input {
	data := make([]float32, tensor.Shape(shape).TotalSize())
	return input{dense(data, shape...), data}
}

// program is one Gorgonia graph over the layers.
type program struct {
	graph  *gorgonia.ExprGraph
	params gorgonia.Nodes // in the order of the parameters
	byName map[string]*gorgonia.Node
	loss   *gorgonia.Node
}

// assemble builds the graph of the whole network; params holds the trained tensors by their names.
func assemble(a net.Arch, l *layers, params []*parameter) (*program, error) {
	p := &program{graph: gorgonia.NewGraph(), byName: map[string]*gorgonia.Node{}}
	for _, q := range params {
		n := p.node(q.name, q.value)
		p.params, p.byName[q.name] = append(p.params, n), n
	}
	x, err := p.tower(a.Tower(), l)
	for _, h := range l.heads.all() {
		if err != nil {
			break
		}
		var loss *gorgonia.Node
		if loss, err = p.head(h, x); err == nil && p.loss != nil {
			loss, err = gorgonia.Add(p.loss, loss)
		}
		p.loss = loss
	}
	if err != nil {
		return nil, fmt.Errorf("building the network's graph: %w", err)
	}
	return p, nil
}

// node appends a tensor.
func (p *program) node(name string, t *tensor.Dense) *gorgonia.Node {
	return gorgonia.NewTensor(p.graph, tensor.Float32, t.Dims(), gorgonia.WithShape(t.Shape()...), gorgonia.WithName(name), gorgonia.WithValue(t))
}

// tower appends the stem and the blocks.
func (p *program) tower(convs []net.Layer, l *layers) (*gorgonia.Node, error) {
	vector, err := lin("stem.vector", l.project, p.node("input.vector", l.vector.value), p.byName[convs[0].VectorWeight()], nil, nil)
	if err != nil {
		return nil, err
	}
	var params gorgonia.Nodes
	for _, c := range convs {
		params = append(params, p.byName[c.Weight()], p.byName[c.Name+".bn.scale"], p.byName[c.Name+".bn.bias"])
	}
	return tower(l.tower, p.node("input.boards", l.boards.value), vector, params)
}
