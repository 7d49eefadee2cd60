package bench

import (
	"fmt"
	"time"

	"synochess/internal/eval"
	"synochess/net/graph"
	"synochess/net/onnx"
	"synochess/train"
)

// trainingBatch is the number of positions of a step.
const trainingBatch = 256

// training measures whole steps, optimiser included, on one thread and on all. PyTorch makes its steps on
// one and on all as well, with batches that are unpacked already.
func (s *session) training() error {
	b, err := positions(trainingBatch)
	if err != nil {
		return err
	}
	samples := samplesOf(b)
	planes, vector := onnx.Inputs(b, 0, b.Len())
	cfg := s.Config.Train
	cfg.Batch = trainingBatch
	counts := []int{1}
	if s.report.Machine.Cores > 1 {
		counts = append(counts, s.report.Machine.Cores)
	}
	for _, n := range s.networks() {
		w := n.weights()
		for _, threads := range counts {
			clock, name := CPU, "1 thread"
			if threads > 1 {
				clock, name = Wall, fmt.Sprintf("%d threads", threads)
			}
			trainer, err := train.New(cfg, w, threads)
			if err != nil {
				return err
			}
			c := contest{
				group: "training", name: fmt.Sprintf("%s, batch %d, %s", n.name, trainingBatch, name),
				unit: "positions/s", units: trainingBatch, budget: 4 * time.Second,
				contenders: []contender{{name: ours, clock: clock, run: local(clock, func() error {
					_, err := trainer.Step(samples, 0.5)
					return err
				})}},
			}
			if s.torch != nil {
				if err := s.torch.training(w, planes, vector, trainingBatch, threads); err != nil {
					return err
				}
				c.contenders = append(c.contenders, contender{name: s.torch.version, rival: true, clock: clock, run: s.torch.run(threads)})
			}
			err = s.hold(c)
			if closed := trainer.Close(); err == nil {
				err = closed
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// samplesOf makes samples of positions whose targets say nothing.
func samplesOf(b *eval.Batch) []*train.Sample {
	var samples []*train.Sample
	for row := range b.Len() {
		moves := b.Moves(row)
		s := &train.Sample{Row: graph.Row{
			Planes: b.Planes[row*b.NumPlanes:][:b.NumPlanes], Scalars: b.Scalars[row*b.NumScalars:][:b.NumScalars],
			Scales: b.Scales[row*b.NumScalars:][:b.NumScalars],
			Moves:  moves, Policy: make([]float32, len(moves)), PolicyWeight: 1,
			WDL: [3]float32{0, 1, 0}, ValueWeight: 1,
		}}
		for i := range s.Policy {
			s.Policy[i] = 1 / float32(len(moves))
		}
		samples = append(samples, s)
	}
	return samples
}
