package bench

import (
	"fmt"
	"time"

	"synochess/env/encode"
	"synochess/net/onnx"
	"synochess/train"
)

// trainingBatch is the number of positions of a step.
const trainingBatch = 256

// training measures whole steps, optimiser included: on one thread by processor time, and on all by the
// clock on the wall, beside one. PyTorch takes part in both, with batches that are unpacked already.
func (s *session) training() error {
	b, err := positions(trainingBatch)
	if err != nil {
		return err
	}
	samples := samplesOf(b)
	for _, n := range s.networks() {
		if s.torch != nil {
			w := n.weights()
			planes, vector := onnx.Inputs(w.Arch, b, 0, b.Len())
			if err := s.torch.training(w, planes, vector, trainingBatch); err != nil {
				return err
			}
		}
		if err := s.trainingSteps(n, samples, CPU, 1); err != nil {
			return err
		}
		if cores := s.report.Machine.Cores; cores > 1 {
			if err := s.trainingSteps(n, samples, Wall, 1, cores); err != nil {
				return err
			}
		}
	}
	return nil
}

// trainingSteps lets trainers with these numbers of threads take turns, and PyTorch with the last.
func (s *session) trainingSteps(n network, samples []*train.Sample, clock Clock, counts ...int) error {
	cfg := s.Config.Train
	cfg.Batch = trainingBatch
	c := contest{
		group: "training", name: fmt.Sprintf("%s, batch %d", n.name, trainingBatch),
		unit: "positions/s", units: trainingBatch, budget: 3 * time.Second,
	}
	threads := func(n int) string { return fmt.Sprintf(" on %d", n) }
	for _, count := range counts {
		trainer, err := train.New(cfg, n.weights(), s.Kernels, count)
		if err != nil {
			return err
		}
		defer trainer.Close()
		c.contenders = append(c.contenders, contender{name: ours + threads(count), clock: clock, run: local(clock, func() error {
			_, err := trainer.Step(samples, 0.5)
			return err
		})})
	}
	if s.torch != nil {
		count := counts[len(counts)-1]
		c.contenders = append(c.contenders, contender{name: s.torch.version + threads(count), rival: true, clock: clock, run: s.torch.run(count)})
	}
	return s.hold(c)
}

// samplesOf makes samples of positions whose targets say nothing.
func samplesOf(b *encode.Batch) []*train.Sample {
	var samples []*train.Sample
	for row := range b.Len() {
		samples = append(samples, train.Neutral(b.Row(row)))
	}
	return samples
}
