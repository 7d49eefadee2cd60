package train

import (
	"fmt"
	"slices"
	"strings"

	"synochess/internal/setting"
	"synochess/net"
	"synochess/net/graph"
	"synochess/net/kernels"
)

// Trainer changes weights step by step. Make one with New or Load.
type Trainer struct {
	cfg     Config
	graph   *graph.Graph
	solver  *optimizer
	weights *net.Weights // architecture and record; its tensors are as old as the last graph.Store
	average [][]float32  // [param][element], in the order of the graph's parameters
	steps   int          // steps done since the run began
	loss    float64      // of the last step, 0 before the first of this process
	broken  error        // why the weights must not be used any more
}

// New returns a trainer that starts from w, which it does not change, and runs on a kernel path and the given number of
// threads; results do not depend on their number.
func New(c Config, w *net.Weights, on *kernels.Path, threads int) (*Trainer, error) {
	if err := c.Validate(); err != nil {
		return nil, setting.In("train", err)
	}
	if err := w.Check(); err != nil {
		return nil, err
	}
	g, err := graph.Build(w.Arch, graph.Options{Batch: c.Batch, Kernels: on, Threads: threads, ValueWeight: c.ValueWeight})
	if err != nil {
		return nil, err
	}
	if err := g.Load(w); err != nil {
		return nil, err
	}
	t := &Trainer{cfg: c, graph: g, solver: newOptimizer(&c, g.Params(), on, g.Each), weights: w.Clone()}
	for _, p := range g.Params() {
		t.average = append(t.average, slices.Clone(floats(p.Value())))
	}
	return t, nil
}

// Close frees what the trainer's graph holds.
func (t *Trainer) Close() error { return t.graph.Close() }

// Steps returns the number of steps done since the run began.
func (t *Trainer) Steps() int { return t.steps }

// SetAverage changes Config.Average for the steps to come.
func (t *Trainer) SetAverage(decay float64) { t.cfg.Average = decay }

// Step learns from exactly one batch of samples. progress is the part of the run's training that is
// done (Config.Rate). After an error the weights must not be used: the trainer refuses everything.
func (t *Trainer) Step(samples []*Sample, progress float64) (Metrics, error) {
	if t.broken != nil {
		return Metrics{}, t.broken
	}
	if len(samples) != t.cfg.Batch {
		return Metrics{}, fmt.Errorf("train: %d samples for a batch of %d; only full batches are trained", len(samples), t.cfg.Batch)
	}
	m, err := t.step(samples, progress)
	if err != nil {
		t.broken = t.diverged(fmt.Errorf("step %d, at games %s: %w", t.steps+1, games(samples), err))
		return Metrics{}, t.broken
	}
	t.loss = m.Loss
	return m, nil
}

// diverged adds to an error of training the last loss, and what helps.
func (t *Trainer) diverged(err error) error {
	before := ""
	if t.loss != 0 {
		before = fmt.Sprintf(" (loss of step %d: %.4g)", t.steps, t.loss)
	}
	return fmt.Errorf("training stopped: %w%s; if numbers are not finite, learning diverged: take a smaller train.learning_rate (now %g) or train.clip_norm (now %g)",
		err, before, t.cfg.LearningRate, t.cfg.ClipNorm)
}

func (t *Trainer) step(samples []*Sample, progress float64) (Metrics, error) {
	if err := t.graph.SetRows(rows(samples)); err != nil {
		return Metrics{}, err
	}
	tally, err := t.graph.Gradients()
	if err != nil {
		return Metrics{}, err
	}
	t.solver.rate = t.cfg.Rate(t.steps, progress)
	if err := t.solver.Step(t.graph.Params()); err != nil {
		return Metrics{}, err
	}
	// In the first steps the average takes more of the new weights, to forget the initial ones sooner.
	decay := float32(min(t.cfg.Average, float64(t.steps+1)/float64(t.steps+10)))
	t.graph.Each(len(t.solver.chunks), func(i int) {
		c := t.solver.chunks[i]
		w, average := t.solver.weights[c.param][c.lo:c.hi], t.average[c.param][c.lo:c.hi]
		for j, v := range average {
			average[j] = float32(decay*v) + float32((1-decay)*w[j])
		}
	})
	for i, s := range t.solver.squareSums(t.solver.weights) {
		if s-s != 0 { // infinite, or not a number
			return Metrics{}, fmt.Errorf("the weights of %q are not finite after the step", paramName(t.graph.Params()[t.solver.chunks[i].param]))
		}
	}
	t.steps++
	return Metrics{
		Step: t.steps, LearningRate: t.solver.rate, GradNorm: t.solver.norm,
		Loss:   (tally.Policy.Loss + t.cfg.ValueWeight*tally.Value.Loss) / float64(tally.Rows),
		Losses: lossesOf(tally),
	}, nil
}

// rows returns the inputs and targets of samples.
func rows(samples []*Sample) []*graph.Example {
	r := make([]*graph.Example, len(samples))
	for i, s := range samples {
		r[i] = &s.Example
	}
	return r
}

// games lists the game numbers of samples, each once, at most 20 of them.
func games(samples []*Sample) string {
	var numbers []uint64
	for _, s := range samples {
		numbers = append(numbers, s.Game)
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	more := ""
	if len(numbers) > 20 {
		numbers, more = numbers[:20], fmt.Sprintf(" and %d more", len(numbers)-20)
	}
	return strings.Trim(fmt.Sprint(numbers), "[]") + more
}

// Weights returns the weights of the last step and the batch norms' running statistics.
func (t *Trainer) Weights() (*net.Weights, error) {
	if t.broken != nil {
		return nil, t.broken
	}
	if err := t.graph.Store(t.weights); err != nil {
		return nil, err
	}
	return t.weights.Clone(), nil
}

// Averaged returns the averaged weights, with which networks play. Their batch-norm statistics are estimated on the
// given training samples: full batches of them, at most Config.BNBatches. Weights that are not finite, or whose
// loss is not, are an error and break the trainer.
func (t *Trainer) Averaged(samples []*Sample) (*net.Weights, error) {
	current, err := t.Weights()
	if err != nil {
		return nil, err
	}
	n := min(len(samples)/t.cfg.Batch, t.cfg.BNBatches)
	if n == 0 {
		return nil, fmt.Errorf("train: %d samples to estimate batch-norm statistics on; at least one batch of %d is needed", len(samples), t.cfg.Batch)
	}
	averaged := current.Clone()
	for i, p := range t.graph.Params() {
		copy(averaged.Tensor(paramName(p)).Data, t.average[i])
	}
	err = t.with(averaged, current, func() error {
		err := t.graph.EstimateStatistics(n, func(i int) error {
			return t.graph.SetRows(rows(samples[i*t.cfg.Batch : (i+1)*t.cfg.Batch]))
		})
		if err != nil {
			return fmt.Errorf("batch-norm statistics of the averaged weights: %w", err)
		}
		if err := t.graph.Store(averaged); err != nil {
			return err
		}
		if err := averaged.Check(); err != nil {
			return fmt.Errorf("averaged weights: %w", err)
		}
		if _, err := t.graph.Measure(); err != nil { // as used in play, on the last batch
			return fmt.Errorf("averaged weights: %w", err)
		}
		return nil
	})
	if err != nil {
		t.broken = t.diverged(fmt.Errorf("after step %d: %w", t.steps, err))
		return nil, t.broken
	}
	return averaged, nil
}

// Measure returns the losses of weights w, used as in play, on any number of samples. The trainer's own
// weights stay as they are.
func (t *Trainer) Measure(w *net.Weights, samples []*Sample) (Losses, error) {
	current, err := t.Weights()
	if err != nil {
		return Losses{}, err
	}
	var sum graph.Tally
	err = t.with(w, current, func() error {
		for part := range slices.Chunk(samples, t.cfg.Batch) {
			if err := t.graph.SetRows(rows(part)); err != nil {
				return err
			}
			tally, err := t.graph.Measure()
			if err != nil {
				return fmt.Errorf("measuring games %s: %w", games(part), err)
			}
			sum.Add(tally)
		}
		return nil
	})
	return lossesOf(sum), err
}

// with runs f with weights w in the graph and puts the current ones back.
func (t *Trainer) with(w, current *net.Weights, f func() error) error {
	if err := t.graph.Load(w); err != nil {
		return err
	}
	err := f()
	if e := t.graph.Load(current); err == nil {
		err = e
	}
	return err
}
