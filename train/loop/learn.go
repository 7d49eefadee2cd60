package loop

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"synochess/datasets"
	"synochess/net"
	"synochess/net/fast"
	"synochess/train"
)

// keptCheckpoints is how many checkpoints stay in the folder: the newest, and the one before it in case
// a disk loses the newest.
const keptCheckpoints = 2

// learner trains generation after generation.
type learner struct {
	run       *run
	trainer   *train.Trainer
	catalogue *datasets.Catalogue
	rules     datasets.RuleSets // of games seen
}

// newLearner goes on from the checkpoint of the newest generation, or from the weights that the run began with.
func (r *run) newLearner() (*learner, error) {
	l := &learner{run: r, catalogue: datasets.NewCatalogue()}
	if r.complete == 0 {
		w, err := net.Load(r.folder.WeightsOf(0))
		if err != nil {
			return nil, err
		}
		l.trainer, err = train.New(r.cfg.Train, w, r.machine.Kernels, r.machine.Threads)
		return l, err
	}
	var err error
	l.trainer, err = train.Load(r.folder.CheckpointOf(r.complete), r.cfg.Train, r.cfg.Net.Complete(), r.machine.Kernels, r.machine.Threads)
	return l, err
}

// sayWhatIsGone tells if games of complete generations are not in the folder, because the window is smaller without them.
func (r *run) sayWhatIsGone() {
	gone := 0
	for generation := 1; generation <= r.complete; generation++ {
		if !there(r.folder.GamesOf(generation)) {
			gone++
		}
	}
	if gone > 0 {
		r.progress.Say("the games of %d of %d earlier generations are not here: the window opens anew with what there is", gone, r.complete)
		r.log.Warn("games of earlier generations are gone", "generations", gone)
	}
}

func (l *learner) close() { l.trainer.Close() }

// learn trains on the window that ends with a generation's games, saves the averaged weights and returns
// the number of steps. It may be done again after an interruption and then does the same.
func (l *learner) learn(ctx context.Context, generation int) (steps int, err error) {
	cfg := &l.run.cfg.at(generation).Train
	size, err := l.look()
	if err != nil {
		return 0, err
	}
	l.trainer.SetAverage(cfg.Average)
	window := l.catalogue.Window(size, l.isLearned)
	draws := l.draws(generation, window)
	seed := l.run.cfg.Seed<<20 ^ uint64(generation)
	var recent []*train.Sample // the last samples drawn, for batch-norm statistics and calibration
	if draws > 0 {
		sampler, err := window.Sampler(seed, draws, cfg.Passes)
		if err != nil {
			return 0, err
		}
		if steps, recent, err = l.steps(ctx, generation, draws, train.NewStream(sampler, cfg, &l.rules)); err != nil {
			return 0, err
		}
	}
	if steps == 0 {
		return 0, fmt.Errorf("generation %d gives %d positions, fewer than one batch of %d: play more games a generation (games), or take a smaller train.batch or train.ramp",
			generation, draws, cfg.Batch)
	}
	w, err := l.trainer.Averaged(recent)
	if err != nil {
		return 0, err
	}
	if err := l.heldOut(generation, size, window.Positions(), w); err != nil {
		return 0, err
	}
	if err := calibrateOn(l.run.machine.Kernels, l.run.cfg.Precision, w, recent); err != nil {
		return 0, err
	}
	return steps, l.save(generation, w)
}

// look takes up games that the catalogue does not know yet and returns the size of the window, in positions.
func (l *learner) look() (size int, err error) {
	dirs, left := []string{l.run.folder.Games()}, 0 // left: positions of another run that were not taken over
	if in := l.run.id.Inherited; in != nil {
		dirs, left = []string{l.run.folder.Inherited(), l.run.folder.Games()}, in.Left
	}
	for _, dir := range dirs {
		problems, err := l.catalogue.AddDir(dir)
		if err != nil {
			return 0, err
		}
		for _, p := range problems {
			l.run.log.Warn("games file", "problem", p.String())
			l.run.progress.Say("warning: games file %s", p)
		}
	}
	return l.run.cfg.Window.Size(l.catalogue.Positions() + left), nil
}

// draws returns how many samples a generation learns from (train.Config.Draws). No position is drawn more than Passes times
// in one generation.
func (l *learner) draws(generation int, window *datasets.Window) int {
	newest := l.catalogue.Since(l.run.firstGame(generation), l.isLearned)
	passes := l.run.cfg.Train.Passes
	return min(l.run.cfg.Train.Draws(newest, window.Games()), window.MaxSamples(passes))
}

// steps trains on whole batches of the stream; what is left at its end is less than a batch and is not
// trained on.
func (l *learner) steps(ctx context.Context, generation, draws int, stream *train.Stream) (n int, recent []*train.Sample, err error) {
	cfg := l.run.cfg
	task := l.run.progress.Start(fmt.Sprintf("generation %d of %d: training", generation, cfg.Generations),
		int64(draws/cfg.Train.Batch), "steps")
	defer task.End()
	task.After(l.run.left(generation, true))
	keep := cfg.Train.Batch * cfg.Train.BNBatches
	for {
		if err := ctx.Err(); err != nil {
			return n, nil, err
		}
		batch, full, err := stream.Fill(make([]*train.Sample, 0, cfg.Train.Batch), cfg.Train.Batch)
		if err != nil {
			return n, nil, err
		}
		if !full {
			return n, recent, nil
		}
		progress := (float64(generation-1) + stream.Share()) / float64(cfg.Generations)
		m, err := l.trainer.Step(batch, progress)
		if err != nil {
			return n, nil, err
		}
		n++
		if recent = append(recent, batch...); len(recent) > keep {
			recent = recent[len(recent)-keep:]
		}
		if err := l.run.metrics.write(StepLine{ofStep, generation, m}); err != nil {
			return n, nil, err
		}
		task.Set(int64(n))
		task.Note(fmt.Sprintf("policy %.3f value %.3f", m.Policy, m.Value))
	}
}

// heldOutSamples bounds the time of measuring.
const heldOutSamples = 4096

// isHeldOut reports whether games of a family are measured and not learned from.
func (l *learner) isHeldOut(family uint64) bool {
	return datasets.HeldOut(family, l.run.cfg.Train.HeldOut)
}

func (l *learner) isLearned(family uint64) bool { return !l.isHeldOut(family) }

// heldOut measures the averaged weights on the window's held-out games.
func (l *learner) heldOut(generation, size, positions int, w *net.Weights) error {
	cfg := &l.run.cfg.Train
	window := l.catalogue.Window(size, l.isHeldOut)
	n := min(heldOutSamples, window.MaxSamples(1))
	if n == 0 {
		return nil
	}
	sampler, err := window.Sampler(1, n, 1)
	if err != nil {
		return err
	}
	samples, _, err := train.NewStream(sampler, cfg, &l.rules).Fill(nil, n)
	if err != nil || len(samples) == 0 {
		return err
	}
	losses, err := l.trainer.Measure(w, samples)
	if err != nil {
		return err
	}
	return l.run.metrics.write(HeldOutLine{ofHeldOut, generation, l.trainer.Steps(), positions, losses})
}

// TrainingRecord is what a weights file tells of its training.
type TrainingRecord struct {
	RunID      string `json:"run_id"`
	Program    string `json:"program"`
	Generation int    `json:"generation"`
	Games      int    `json:"games"`
	Steps      int    `json:"steps"`
	From       string `json:"from,omitempty"` // Identity.From
	Config     any    `json:"config"`
}

// RecordOf reads the training record of weights; an untrained network's is empty.
func RecordOf(w *net.Weights) (record TrainingRecord, err error) {
	if len(w.Record.Training) > 0 {
		if err = json.Unmarshal(w.Record.Training, &record); err != nil {
			err = fmt.Errorf("training record: %w", err)
		}
	}
	return record, err
}

// save stamps the averaged weights with what they were trained on and writes them.
func (l *learner) save(generation int, w *net.Weights) error {
	w.Record.Rules = nil
	for _, r := range l.run.rules.Bases() {
		w.Record.Rules = append(w.Record.Rules, r.Canonical())
	}
	record, err := json.Marshal(TrainingRecord{l.run.stamp.RunID, l.run.stamp.Program, generation, generation * l.run.cfg.Games, l.trainer.Steps(), l.run.id.From, l.run.cfg})
	if err != nil {
		return err
	}
	w.Record.Training = record
	return fast.Save(l.run.folder.WeightsOf(generation), w)
}

// commit saves the checkpoint that makes a generation count, and removes those that are not needed any
// more.
func (l *learner) commit(generation int) error {
	if err := l.trainer.Save(l.run.folder.CheckpointOf(generation)); err != nil {
		return err
	}
	old := l.run.folder.CheckpointOf(generation - keptCheckpoints)
	if err := os.Remove(old); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("checkpoints: %w", err)
	}
	return nil
}
