package loop

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"synochess/datasets"
	"synochess/env"
	"synochess/net"
	"synochess/selfplay"
)

// settle saves the configuration and identity of a new run. An old run goes on with the configuration it has, except for
// settings on which nothing depends that it has made already. Changes are told, and kept in history.yaml.
func (r *run) settle(cfg *Config, o *Options, kernelPath string) (*Identity, error) {
	f := r.folder
	legs, err := ReadHistory(f)
	if err != nil {
		return nil, err
	}
	leg := Leg{From: r.complete + 1, Program: o.Program, KernelPath: kernelPath}
	if err := leg.Config.Encode(cfg); err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	noHistory := legs == nil
	if noHistory {
		if err := r.checkRules(); err != nil {
			return nil, err
		}
		old, err := os.ReadFile(f.Config())
		if errors.Is(err, fs.ErrNotExist) {
			if r.hasMade() {
				return nil, fmt.Errorf("%s is gone, and all that the run has made depends on it; restore it", f.Config())
			}
			id, err := r.begin(cfg, o, kernelPath)
			if err != nil {
				return nil, err
			}
			return id, writeHistory(f, cfg, []Leg{leg})
		}
		if err != nil {
			return nil, fmt.Errorf("run folder: %w", err)
		}
		var document yaml.Node
		err = yaml.Unmarshal(old, &document)
		if err == nil && len(document.Content) == 0 {
			err = errors.New("it is empty")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: not the configuration of a run: %w; restore it", f.Config(), err)
		}
		legs = []Leg{{From: 1, Config: *document.Content[0]}}
	}
	id, err := readIdentity(f)
	if err != nil {
		return nil, err
	}
	if err := r.sameGames(id, o.GamesFrom); err != nil {
		return nil, err
	}
	if err := r.sameStart(id); err != nil {
		return nil, err
	}
	last := &legs[len(legs)-1]
	if last.KernelPath == "" { // of a run without a history
		last.Program, last.KernelPath = id.Program, id.KernelPath
	}
	changed, added, err := changes(&last.Config, cfg)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.History(), err)
	}
	if err := r.refuse(cfg, changed); err != nil {
		return nil, err
	}
	if len(changed)+len(added) == 0 && last.Program == o.Program && last.KernelPath == kernelPath {
		if noHistory {
			return id, writeHistory(f, cfg, legs)
		}
		return id, nil
	}
	r.sayWhatChanged(cfg, last, changed, added, kernelPath)
	return id, writeHistory(f, cfg, append(legs, leg))
}

// hasMade reports whether the folder holds run.json and games or weights.
func (r *run) hasMade() bool {
	f := r.folder
	return there(f.Identity()) && (r.complete > 0 || there(f.Journal(1)) || there(f.GamesOf(1)))
}

// refuse returns an error for a configuration that the run cannot go on with.
func (r *run) refuse(cfg *Config, changed []change) error {
	for _, c := range changed {
		if !c.mayChange() {
			return fmt.Errorf("%s: the run was made with another setting (%s); its games and weights depend on it: set it back, "+
				"or begin another run from this one's weights (--set start=%s)", r.folder.Config(), c, r.folder)
		}
	}
	if cfg.Generations < r.complete {
		return fmt.Errorf("generations is %d, and %s has %d complete ones: ask for %d or more, or play the earlier network from %s",
			cfg.Generations, r.folder, r.complete, r.complete, r.folder.WeightsOf(cfg.Generations))
	}
	return nil
}

// sayWhatChanged tells the person and the log with what the run goes on.
func (r *run) sayWhatChanged(cfg *Config, last *Leg, changed, added []change, kernelPath string) {
	for _, c := range changed {
		r.tell("going on with %s", c)
		if c.key == "generations" && r.complete > 0 {
			rate := func(of *Config) float64 {
				return of.Train.Rate(of.Train.WarmupSteps, float64(r.complete)/float64(of.Generations))
			}
			before := *cfg
			if _, err := fmt.Sscan(c.old, &before.Generations); err != nil || before.Generations < 1 {
				continue
			}
			r.tell("the learning rate follows the schedule of %d generations from here on: %.3g after generation %d, where that of %d had %.3g",
				cfg.Generations, rate(cfg), r.complete, before.Generations, rate(&before))
		}
	}
	if len(added) > 0 {
		var list []string
		for _, s := range added {
			list = append(list, s.key+"="+s.now)
		}
		r.tell("settings that the run did not know so far: %s", strings.Join(list, ", "))
	}
	if last.KernelPath != kernelPath {
		r.tell("going on on kernel path %s, after %s: games and weights repeat bit for bit within one path only", kernelPath, last.KernelPath)
	}
}

// checkRules makes sure that a run which knows only the paths of its rules files has its rule sets still: they
// must be those of its newest weights, or else of the games it has played.
func (r *run) checkRules() error {
	bases := r.rules.Bases()
	differs := func(text, where string) error {
		return fmt.Errorf("%s was made with rule sets that are not those of the configuration: a rules file has changed since, or is another one; restore it. It was\n%s",
			where, text)
	}
	if r.complete > 0 {
		w, err := net.Load(r.folder.WeightsOf(r.complete))
		if err != nil {
			return err
		}
		for _, text := range w.Record.Rules {
			was, err := env.ParseRules([]byte(text), r.folder.WeightsOf(r.complete))
			if err != nil {
				return err
			}
			if !slices.ContainsFunc(bases, func(b *env.Rules) bool { return b.Hash() == was.Hash() }) {
				return differs(text, r.folder.WeightsOf(r.complete))
			}
		}
		return nil
	}
	if slices.ContainsFunc(r.cfg.Rules, func(e selfplay.RuleEntry) bool { return len(e.Vary) > 0 }) {
		return nil // games of drawn rule sets are those of no entry
	}
	return r.eachFirstGame(func(g *datasets.Game) error {
		if !slices.ContainsFunc(bases, func(b *env.Rules) bool { return b.Hash() == g.RulesHash }) {
			return differs(g.Rules, fmt.Sprintf("game %d of %s", g.Number, r.folder))
		}
		return nil
	})
}

// eachFirstGame calls fn with the games of generation 1 that are there, until it returns an error.
func (r *run) eachFirstGame(fn func(*datasets.Game) error) error {
	games := datasets.ReadFile(r.folder.GamesOf(1))
	if !there(r.folder.GamesOf(1)) {
		if !there(r.folder.Journal(1)) {
			return nil
		}
		journal, _, err := datasets.OpenJournal(r.folder.Journal(1))
		if err != nil {
			return err
		}
		defer journal.Close()
		games = journal.Games()
	}
	for g, err := range games {
		if err != nil {
			return err
		}
		if err := fn(g); err != nil {
			return err
		}
	}
	return nil
}
