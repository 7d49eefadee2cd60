package loop

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"synochess/datasets"
	"synochess/internal/progress"
	"synochess/internal/setting"
	"synochess/selfplay"
)

// Options is what a run needs besides its configuration.
type Options struct {
	Dir      string // the run's folder; made where it is missing
	Program  string // program version, stored with the run and each game
	Machine  Machine
	Progress progress.Reporter
	// A new run begins with the newest games of the run in folder GamesFrom in its window. A run that goes on knows them
	// by itself; others than it had are an error.
	GamesFrom string
	Until     int // the generation after which Run returns, without proof; 0: the last
}

// run is a run under way. It belongs to the goroutine that called Run.
type run struct {
	cfg            *Config
	folder         datasets.RunFolder
	machine        Machine
	progress       progress.Reporter
	log            *slog.Logger
	metrics        *metricsFile
	rules          *selfplay.RuleSource
	openings       [][]selfplay.Opening // of the proof, [rule set][opening]
	id             *Identity
	stamp          selfplay.Stamp
	anchorOpenings [][]selfplay.Opening   // [rule set][opening], none if there are no anchor matches
	engines        []map[string]*opponent // [rule set][name in AnchorConfig.Against], those that play it
	anchors        *Anchors               // anchors.json, of generations that count
	last           int                    // the generation after which this process stops
	complete       int                    // the newest generation that counts
	done           []GenerationLine       // of metrics.jsonl, of generations that count
	past           past
}

// Run begins a run, or goes on with the one in the folder, until all generations and the proof are done
// or the context ends. Interrupted or killed at any moment, the next call goes on from there. The proof is nil
// if Options.Until stops the run before its last generation.
func Run(ctx context.Context, cfg *Config, o Options) (*Proof, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	f := datasets.RunFolder(o.Dir)
	unlock, err := openFolder(f)
	if err != nil {
		return nil, err
	}
	defer unlock()
	whole, err := cfg.settled()
	if err != nil {
		return nil, err
	}
	r, err := newRun(whole, f, &o)
	if err != nil {
		return nil, err
	}
	logFile, err := os.OpenFile(f.Log(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("run folder: %w", err)
	}
	defer logFile.Close()
	r.log = slog.New(slog.NewJSONHandler(logFile, nil))
	if err := r.openEngines(ctx); err != nil {
		return nil, setting.In("anchor", err)
	}

	kernelPath, err := r.cfg.Precision.KernelPath(r.machine.Kernels)
	if err != nil {
		return nil, err
	}
	id, err := r.settle(whole, &o, kernelPath)
	if err != nil {
		return nil, err
	}
	r.stamp = selfplay.Stamp{RunID: id.RunID, Program: o.Program, KernelPath: kernelPath}
	r.id = id
	if err := r.turn(ctx); err != nil {
		r.log.Info("stopped", "cause", err.Error())
		return nil, err
	}
	if r.complete < r.cfg.Generations {
		r.log.Info("stopped", "cause", "asked to", "generation", r.complete)
		return nil, nil
	}
	proof, err := r.prove(ctx)
	if err != nil {
		r.log.Info("stopped", "cause", err.Error())
		return nil, err
	}
	r.log.Info("finished")
	return proof, nil
}

// newRun reads what the folder holds of a run and draws the openings of its matches. The configuration is settled.
func newRun(cfg *Config, f datasets.RunFolder, o *Options) (*run, error) {
	here := *cfg // as it is on this machine
	here.Precision = cfg.Precision.For(o.Machine.Kernels, cfg.Net)
	r := &run{cfg: &here, folder: f, past: past{f, map[int][]*datasets.Game{}}, machine: o.Machine, progress: o.Progress, last: cfg.Generations}
	if o.Until > 0 {
		r.last = min(r.last, o.Until)
	}
	var err error
	if r.complete, err = f.Complete(); err != nil {
		return nil, err
	}
	if o.Until > 0 && r.complete > o.Until {
		return nil, fmt.Errorf("the run in %s has %d generations already, more than the %d after which it is to stop (--until): name a later one, or leave it out",
			f, r.complete, o.Until)
	}
	if r.rules, err = selfplay.NewRuleSource(cfg.Rules); err != nil {
		return nil, err
	}
	if r.openings, err = openingsFor(r.rules, &cfg.Proof); err != nil {
		return nil, setting.In("proof", err) // now, and not after hours of training
	}
	if cfg.Anchor.Every > 0 {
		if r.anchorOpenings, err = openingsFor(r.rules, &cfg.Anchor.MatchConfig); err != nil {
			return nil, setting.In("anchor", err)
		}
	}
	if r.anchors, err = ReadAnchors(f); err != nil {
		return nil, err
	}
	// A generation that does not count has no matches, and may come to have other weights.
	r.anchors.Matches = slices.DeleteFunc(r.anchors.Matches, func(m MatchResult) bool { return m.Generation > r.complete })
	return r, nil
}

// turn plays and trains every generation that does not count yet.
func (r *run) turn(ctx context.Context) error {
	var err error
	if r.metrics, r.done, err = openMetrics(r.folder.Metrics(), r.complete); err != nil {
		return err
	}
	defer r.metrics.close()
	r.log.Info("running", "run", r.stamp.RunID, "complete", r.complete, "generations", r.cfg.Generations,
		"kernel_path", r.stamp.KernelPath, "workers", r.machine.Workers, "threads", r.machine.Threads)
	if err := r.anchorsSoFar(ctx); err != nil {
		return err
	}
	if r.complete >= r.last {
		return nil
	}
	r.sayWhatIsGone()
	l, err := r.newLearner()
	if err != nil {
		return err
	}
	defer l.close()
	for generation := r.complete + 1; generation <= r.last; generation++ {
		began := time.Now()
		evaluations, err := r.play(ctx, generation)
		if err != nil {
			return err
		}
		played := time.Now()
		steps, err := l.learn(ctx, generation)
		if err != nil {
			return err
		}
		if err := r.note(generation, evaluations, steps, played.Sub(began), time.Since(played)); err != nil {
			return err
		}
		if err := l.commit(generation); err != nil {
			return err
		}
		r.complete = generation
		r.log.Info("generation complete", "generation", generation)
		if err := r.anchor(ctx, generation); err != nil {
			return err
		}
	}
	return nil
}
