package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Tally sums what was measured over rows.
type Tally struct {
	Rows                      int     // positions
	Policy                    float64 // sum of weight * cross entropy of the policy, nats
	Value                     float64 // sum of weight * cross entropy of the value, nats
	PolicyWeight, ValueWeight float64 // sums of the weights
	PolicyRows                int     // positions with a policy target; the next two are sums over them
	PolicyHits                int     // the network's first move is the target's
	Entropy                   float64 // of the network's policy over the legal moves, nats
	ValueRows                 int     // positions with a value target
	ValueHits                 int     // the likeliest of win, draw and loss is the target's
}

// Add adds another tally.
func (t *Tally) Add(o Tally) {
	t.Rows += o.Rows
	t.Policy += o.Policy
	t.Value += o.Value
	t.PolicyWeight += o.PolicyWeight
	t.ValueWeight += o.ValueWeight
	t.PolicyRows += o.PolicyRows
	t.PolicyHits += o.PolicyHits
	t.Entropy += o.Entropy
	t.ValueRows += o.ValueRows
	t.ValueHits += o.ValueHits
}

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
	t := g.tally()
	if s := t.Policy + t.Value; s-s != 0 {
		return t, g.explain(fmt.Errorf("the loss is %v", s))
	}
	return t, nil
}

func (g *Graph) tally() Tally {
	t := Tally{Rows: g.filled}
	policy, value := g.layers.policy, g.layers.value
	for i := range g.filled {
		if w := g.rows.policyWeight[i]; w != 0 {
			t.PolicyRows++
			t.PolicyWeight += float64(w)
			t.Policy += float64(w * policy.Loss[i])
			t.Entropy += float64(policy.Entropy[i])
			if policy.Hit[i] {
				t.PolicyHits++
			}
		}
		if w := g.rows.valueWeight[i]; w != 0 {
			t.ValueRows++
			t.ValueWeight += float64(w)
			t.Value += float64(w * value.Loss[i])
			if value.Hit[i] {
				t.ValueHits++
			}
		}
	}
	return t
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
	for _, t := range []struct {
		name string
		t    *tensor.Dense
	}{
		{"input.boards", g.in.boards}, {"input.vector", g.in.vector}, {"target.policy", g.in.policy},
		{"weight.policy", g.in.policyWeight}, {"target.value", g.in.value}, {"weight.value", g.in.valueWeight},
	} {
		look(t.name, floats(t.t))
	}
	for _, c := range g.layers.convs {
		look("the output of "+c.name, c.layer.Y)
	}
	for _, l := range g.layers.lins {
		look("the output of "+l.name, l.layer.Y)
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
