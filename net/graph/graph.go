package graph

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"synochess/net"
	"synochess/net/kernels"
	"synochess/net/kernels/training"
)

// building guards Gorgonia's package state: graphs must be built one after another.
var building sync.Mutex

// Options are what a graph fixes beside the architecture.
type Options struct {
	Batch       int           // positions a step, at least 1
	Kernels     *kernels.Path // that runs here; plain Go where training has no assembly for it
	Threads     int           // threads of the kernels, at least 1
	ValueWeight float64       // factor of the value loss in the loss
}

// parameter is a trained tensor.
type parameter struct {
	name  string // as in package net
	value *tensor.Dense
}

// Graph is a network that can be trained. Make one with Build.
type Graph struct {
	arch    net.Arch
	batch   int
	filled  int     // rows of the last SetRows
	wrong   []error // [batch], what is wrong with a row of the last SetRows
	pool    *training.Pool
	layers  *layers
	masked  []float32 // a policy target without legal moves
	params  []*parameter
	model   []gorgonia.ValueGrad
	train   gorgonia.VM // forward and backward
	forward gorgonia.VM // forward only, over the same layers
}

// Build makes the graph of an architecture, with all trained tensors zero until Load.
func Build(arch net.Arch, o Options) (*Graph, error) {
	if err := arch.Check(); err != nil {
		return nil, err
	}
	if o.Batch < 1 || o.Threads < 1 {
		return nil, fmt.Errorf("training graph: batch %d and threads %d must be at least 1", o.Batch, o.Threads)
	}
	g := &Graph{arch: arch, batch: o.Batch, masked: slices.Repeat([]float32{-1}, 64*arch.PolicyPlanes)}
	g.pool, g.wrong = training.NewPool(o.Kernels, o.Threads), make([]error, o.Batch)
	g.layers = newLayers(g.pool, arch, o)
	for _, t := range net.New(arch, 0).Tensors {
		if !isStatistic(t.Name) {
			clear(t.Data)
			g.params = append(g.params, &parameter{t.Name, dense(t.Data, t.Shape...)})
		}
	}
	building.Lock()
	defer building.Unlock()
	training, err := assemble(arch, g.layers, g.params)
	if err != nil {
		return nil, err
	}
	if _, err := gorgonia.Grad(training.loss, training.params...); err != nil {
		return nil, fmt.Errorf("differentiating the network's graph: %w", err)
	}
	g.train = gorgonia.NewTapeMachine(training.graph, gorgonia.WithEngine(engine{pool: g.pool}))
	for i, n := range training.params {
		g.model = append(g.model, Param{Name: g.params[i].name, node: n})
	}
	forward, err := assemble(arch, g.layers, g.params)
	if err != nil {
		return nil, err
	}
	g.forward = gorgonia.NewTapeMachine(forward.graph)
	return g, nil
}

// isStatistic tells a batch norm's running statistics, which are not trained, from the parameters.
func isStatistic(name string) bool {
	return strings.HasSuffix(name, ".bn.mean") || strings.HasSuffix(name, ".bn.var")
}

// Param is a trained tensor with its gradient, as a gorgonia.Solver takes it.
type Param struct {
	Name string // as in package net
	node *gorgonia.Node
}

// Value returns the tensor (*tensor.Dense of float32).
func (p Param) Value() gorgonia.Value { return p.node.Value() }

// Grad returns the gradient that the last Gradients computed.
func (p Param) Grad() (gorgonia.Value, error) { return p.node.Grad() }

// Params returns the trained tensors (each a Param) in the order of net's tensors, for a solver.
func (g *Graph) Params() []gorgonia.ValueGrad { return g.model }

// Each calls f(i) once for every i in [0, n), on the graph's threads. It must not be called by f.
func (g *Graph) Each(n int, f func(i int)) { g.pool.Each(n, f) }

// Batch returns the number of positions of a full batch.
func (g *Graph) Batch() int { return g.batch }

// tensors calls f with the name and data of every tensor of package net that the graph holds.
func (g *Graph) tensors(f func(name string, data []float32)) {
	for _, p := range g.params {
		f(p.name, floats(p.value))
	}
	for _, c := range g.layers.convs {
		f(c.name+".bn.mean", c.layer.RunMean)
		f(c.name+".bn.var", c.layer.RunVar)
	}
}

// Load copies weights and running statistics into the graph. The architectures must be equal.
func (g *Graph) Load(w *net.Weights) error {
	return g.exchange(w, func(mine, theirs []float32) { copy(mine, theirs) })
}

// Store copies the graph's weights and running statistics into w. The architectures must be equal.
func (g *Graph) Store(w *net.Weights) error {
	return g.exchange(w, func(mine, theirs []float32) { copy(theirs, mine) })
}

func (g *Graph) exchange(w *net.Weights, move func(mine, theirs []float32)) error {
	if w.Arch != g.arch {
		return fmt.Errorf("training graph: weights have architecture %+v, the graph %+v; use weights made for this configuration", w.Arch, g.arch)
	}
	var err error
	g.tensors(func(name string, mine []float32) {
		t := w.Tensor(name)
		if t == nil || len(t.Data) != len(mine) {
			err = fmt.Errorf("training graph: weights lack tensor %q with %d values", name, len(mine))
			return
		}
		move(mine, t.Data)
	})
	return err
}

// Close frees what the machines hold.
func (g *Graph) Close() error {
	err := g.train.Close()
	if e := g.forward.Close(); err == nil {
		err = e
	}
	return err
}
