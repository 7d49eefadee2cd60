package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
)

// Gradients runs the batch forward in training mode and backward; Params then hold the gradients. The
// batch must be full. Any number that is not finite is an error that names its tensor.
func (g *Graph) Gradients() (Tally, error) {
	if g.filled != g.batch {
		return Tally{}, fmt.Errorf("training graph: %d rows in a batch of %d: only full batches are trained", g.filled, g.batch)
	}
	g.layers.tower.SetTraining(true)
	return g.run(g.train)
}

// Measure runs the batch forward with the running statistics, as self-play would.
func (g *Graph) Measure() (Tally, error) {
	g.layers.tower.SetTraining(false)
	return g.run(g.forward)
}

// run runs a machine and tallies the rows.
func (g *Graph) run(vm gorgonia.VM) (Tally, error) {
	defer vm.Reset() // without it the next run silently does nothing
	if err := vm.RunAll(); err != nil {
		return Tally{}, g.explain(err)
	}
	t := g.layers.tally(g.filled)
	if s := t.Policy.Loss + t.Value.Loss; s-s != 0 {
		return t, g.explain(fmt.Errorf("the loss is %v", s))
	}
	return t, nil
}

// explain adds to an error the name of the first tensor, in the order of computation, that holds a
// number that is not finite.
func (g *Graph) explain(err error) error {
	name := ""
	look := func(n string, data []float32) {
		if name != "" {
			return
		}
		for _, v := range data {
			if v-v != 0 {
				name = n
				return
			}
		}
	}
	g.tensors(look)
	look("input.boards", g.layers.boards.data)
	look("input.vector", g.layers.vector.data)
	for _, h := range g.layers.all() {
		look("target."+h.name, h.target.data)
		look("weight."+h.name, h.weight.data)
	}
	for _, c := range g.layers.convs {
		look("the output of "+c.name, c.layer.Y)
	}
	for _, h := range g.layers.all() {
		for _, l := range h.layers {
			look("the output of "+l.name, l.layer.Y)
		}
	}
	if name == "" {
		return fmt.Errorf("training graph: %w", err)
	}
	return fmt.Errorf("training graph: %w; the first tensor that is not finite is %q", err, name)
}

// EstimateStatistics replaces the running statistics by the exact mean and variance over n full
// batches, normalised meanwhile by each batch's own statistics. fill calls SetRows for batch i.
// Weights that were not trained with their statistics, as averaged ones, need this.
func (g *Graph) EstimateStatistics(n int, fill func(i int) error) error {
	if n < 1 {
		return fmt.Errorf("training graph: batch-norm statistics need at least one batch")
	}
	type sums struct{ mean, square []float64 }
	all := make([]sums, len(g.layers.convs))
	for i, c := range g.layers.convs {
		all[i] = sums{make([]float64, c.layer.Out), make([]float64, c.layer.Out)}
	}
	for i := range n {
		if err := fill(i); err != nil {
			return err
		}
		if g.filled != g.batch {
			return fmt.Errorf("training graph: %d rows in a batch of %d: statistics need full batches", g.filled, g.batch)
		}
		g.layers.tower.SetTraining(true)
		if _, err := g.run(g.forward); err != nil {
			return err
		}
		for j, c := range g.layers.convs {
			for k, m := range c.layer.Mean {
				mean := float64(m)
				all[j].mean[k] += mean
				all[j].square[k] += float64(c.layer.Var[k]) + float64(mean*mean)
			}
		}
	}
	for j, c := range g.layers.convs {
		for k := range c.layer.Mean {
			mean := all[j].mean[k] / float64(n)
			c.layer.RunMean[k] = float32(mean)
			c.layer.RunVar[k] = float32(max(all[j].square[k]/float64(n)-float64(mean*mean), 0))
		}
	}
	return nil
}
