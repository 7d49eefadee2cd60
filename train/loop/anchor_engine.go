package loop

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"synochess/internal/setting"
	"synochess/selfplay"
	"synochess/selfplay/uciengine"
)

// engine returns the engine of an opponent's name: one of Engines, or where there are none of that name, a command.
func (c *AnchorConfig) engine(against string) (uciengine.Config, error) {
	name := strings.TrimPrefix(against, uciengine.Prefix)
	if cfg, ok := c.Engines[name]; ok {
		cfg.Name = name
		if err := cfg.Validate(); err != nil {
			return cfg, setting.In("engines."+name, err)
		}
		return cfg, nil
	}
	cfg, err := uciengine.ParseCommand(name)
	if err != nil {
		err = setting.Errorf("against", "has %q: %v; want uci:COMMAND ARGUMENTS..., or uci:NAME of one in engines%s", against, err, c.engineNames())
	}
	return cfg, err
}

// engineNames lists Engines in brackets, for errors; "" if there are none.
func (c *AnchorConfig) engineNames() string {
	if len(c.Engines) == 0 {
		return ""
	}
	return " (" + strings.Join(slices.Sorted(maps.Keys(c.Engines)), ", ") + ")"
}

// checkEngine says why no matches can be played against an engine, as far as that can be known without starting it.
func (c *AnchorConfig) checkEngine(against string) error {
	cfg, err := c.engine(against)
	if err != nil {
		return err
	}
	if strings.ContainsFunc(cfg.Name, func(r rune) bool { return r == '/' || r == '\\' || unicode.IsControl(r) }) {
		return setting.Errorf("against", "has %q: the name %q would name files; describe the engine under engines by a name without slashes", against, cfg.Name)
	}
	if c.Limit == "" {
		return setting.Errorf("limit", "is missing, and against has the engine %q: set it to depth=N or nodes=N", against)
	}
	l, err := selfplay.ParseLimit(c.Limit)
	if err != nil {
		return err
	}
	if l.Timed() {
		return setting.Errorf("limit", "is %s: by time an engine is as strong as the machine is idle, and the matches of a run are compared; use depth=N or nodes=N", c.Limit)
	}
	return nil
}

// openEngines starts the engines among the opponents.
func (r *run) openEngines(ctx context.Context) error {
	c := &r.cfg.Anchor
	if c.Every == 0 {
		return nil
	}
	r.engines = make([]map[string]*opponent, len(r.anchorOpenings))
	for i := range r.engines {
		r.engines[i] = map[string]*opponent{}
	}
	for _, against := range c.Against {
		if uciengine.Named(against) {
			if err := r.openEngine(ctx, against); err != nil {
				return err
			}
		}
	}
	return nil
}

// openEngine starts an engine, which has to prove that it plays the run's rule sets. It tells which of them the engine does
// not play; an engine that plays none is an error.
func (r *run) openEngine(ctx context.Context, against string) error {
	cfg, err := r.cfg.Anchor.engine(against)
	if err != nil {
		return err
	}
	limit, err := selfplay.ParseLimit(r.cfg.Anchor.Limit)
	if err != nil {
		return err
	}
	var faults []error // of rule sets that it does not play
	for i, openings := range r.anchorOpenings {
		rules := openings[0].Rules
		r.progress.Say("%s has to prove that it plays by the rules of %s", cfg.Name, rules.Name)
		e, err := uciengine.Open(ctx, cfg, rules)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("no anchor matches against %s in %s: %w", against, rules.Name, err))
			continue
		}
		info := e.Info()
		r.engines[i][against] = &opponent{agent: e, limit: limit, file: cfg.Name, lasting: fmt.Sprint(limit, " ", info.EvalID, " ", info.Settings)}
	}
	if len(faults) == len(r.anchorOpenings) {
		return fmt.Errorf("against: %w; mend the engine, or take it out of anchor.against", faults[0])
	}
	for _, fault := range faults {
		r.tell("%v", fault)
	}
	return nil
}
