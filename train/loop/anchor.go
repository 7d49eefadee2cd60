package loop

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"go.yaml.in/yaml/v4"

	"synochess/datasets"
	"synochess/internal/setting"
	"synochess/selfplay"
	"synochess/selfplay/uciengine"
)

// The opponents of anchor matches; a name that begins with uciengine.Prefix is an engine.
const (
	AgainstGreedy  = "greedy"  // selfplay.Greedy
	AgainstEarlier = "earlier" // the run's own network of AnchorConfig.Earlier generations before
)

// AnchorConfig says which matches are played while a run goes on, so that its strength is a curve: every so many
// generations the newest network meets opponents that stay what they are, in each of the run's rule sets. No game
// is learned from.
type AnchorConfig struct {
	Every   int                         `yaml:"every" range:"[0,)"`                     // generations between two rounds of matches; 0: none
	Against []string                    `yaml:"against" oneof:"greedy earlier uci:..."` // opponents: AgainstGreedy, AgainstEarlier, uci:COMMAND, uci:NAME
	Earlier int                         `yaml:"earlier" range:"[0,)"`                   // how many generations AgainstEarlier goes back; the untrained network at most
	Limit   string                      `yaml:"limit"`                                  // of an engine's move, as selfplay.ParseLimit reads it: nodes or depth
	Engines map[string]uciengine.Config `yaml:"engines,omitempty"`                      // that uci:NAME means

	selfplay.MatchConfig `yaml:",inline"`
}

// Validate names the fields that anchor matches cannot be played with.
func (c *AnchorConfig) Validate() error {
	err := setting.Check(c)
	switch {
	case c.Every == 0:
		return nil // the others are not used
	case err != nil:
		return err
	case len(c.Against) == 0:
		return setting.Errorf("against", "is empty; name %s, %s or an engine (uci:COMMAND), or set every to 0", AgainstGreedy, AgainstEarlier)
	}
	for i, name := range c.Against {
		switch {
		case slices.Contains(c.Against[:i], name):
			return setting.Errorf("against", "has %s twice; name it once", name)
		case name == AgainstEarlier && c.Earlier < 1:
			return setting.Errorf("earlier", "is %d; use 1 or more", c.Earlier)
		case uciengine.Named(name):
			if err := c.checkEngine(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// Anchors is anchors.json: the anchor matches of a run, by generation.
type Anchors struct {
	Matches []MatchResult `json:"matches"`
}

// ReadAnchors returns the anchor matches of a run; there may be none.
func ReadAnchors(f datasets.RunFolder) (*Anchors, error) {
	var a Anchors
	path := f.AnchorResults()
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &a, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err == nil && slices.ContainsFunc(a.Matches, func(m MatchResult) bool { return m.Tally == nil }) {
		err = errors.New("a match has no tally")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; remove it, and `synochess train` makes it again from the games in anchors, but for matches of other settings", path, err)
	}
	return &a, nil
}

// anchorsSoFar plays the anchor matches of complete generations that are not kept: after an interruption, or where
// the run has none so far. Generations that passed under other settings keep the matches that they have.
func (r *run) anchorsSoFar(ctx context.Context) error {
	every := r.cfg.Anchor.Every
	if every == 0 {
		return nil
	}
	legs, err := ReadHistory(r.folder)
	if err != nil {
		return err
	}
	since, err := r.cfg.Anchor.since(legs)
	if err != nil {
		return fmt.Errorf("%s: %w", r.folder.History(), err)
	}
	for generation := every; generation <= r.complete; generation += every {
		if generation < since {
			continue
		}
		if err := r.anchor(ctx, generation); err != nil {
			return err
		}
	}
	return nil
}

// since returns the generation from which on all anchor matches are of the settings in c: the first after the last leg that
// had others. A leg without anchor matches had none.
func (c *AnchorConfig) since(legs []Leg) (generation int, err error) {
	now, err := yaml.Marshal(c)
	if err != nil {
		return 0, err
	}
	generation = 1
	for i, leg := range legs {
		// A program that knew no limit had no engines, and so played as under any limit.
		was := struct{ Anchor AnchorConfig }{AnchorConfig{Limit: c.Limit}}
		if err := leg.Config.Decode(&was); err != nil {
			return 0, err
		}
		then, err := yaml.Marshal(&was.Anchor)
		if err != nil {
			return 0, err
		}
		if was.Anchor.Every > 0 && !bytes.Equal(then, now) && i+1 < len(legs) {
			generation = legs[i+1].From
		}
	}
	return generation, nil
}

// anchor plays the anchor matches of a complete generation, if it is one that has any. It leaves out those whose networks
// are gone, and those against an engine in rule sets that the engine does not play.
func (r *run) anchor(ctx context.Context, generation int) error {
	c := &r.cfg.Anchor
	if c.Every == 0 || generation%c.Every != 0 || r.hasAnchors(generation) {
		return nil
	}
	newest, err := r.network(generation)
	if errors.Is(err, fs.ErrNotExist) {
		r.warn(fmt.Sprintf("no anchor matches of generation %d", generation), err)
		return nil
	}
	if err != nil {
		return err
	}
	newest.Kind = playerOf(generation)
	for i, openings := range r.anchorOpenings {
		for _, against := range c.Against {
			a, err := r.opponent(against, i, generation)
			if errors.Is(err, fs.ErrNotExist) {
				r.warn(fmt.Sprintf("no anchor match of generation %d against %s", generation, against), err)
				continue
			}
			if err != nil {
				return err
			}
			if a == nil {
				continue
			}
			name := a.agent.Info().Kind
			config := c.MatchConfig
			if uciengine.Named(against) {
				config.Seats = min(config.Seats, uciengine.Seats)
			}
			err = r.playAnchor(ctx, against, a.lasting, &contest{
				dir: r.folder.Anchors(), title: fmt.Sprintf("%s, generation %d against %s", openings[0].Rules.Name, generation, name),
				generation: generation, name: fmt.Sprintf("%06d-%s", generation, a.file),
				// All games against one opponent have different numbers, which do not depend on the other opponents.
				number: uint64((generation*len(r.anchorOpenings) + i) * 2 * len(openings)),
				config: config, openings: openings, pair: [2]selfplay.Agent{newest, a.agent}, limits: [2]selfplay.Limit{{}, a.limit},
				players: [2]string{newest.Kind, name},
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// hasAnchors reports whether the results of all anchor matches of a generation are kept. If so, its weights need not be
// in the folder any more.
func (r *run) hasAnchors(generation int) bool {
	for _, openings := range r.anchorOpenings {
		for _, against := range r.cfg.Anchor.Against {
			if !r.hasAnchor(generation, openings[0].Rules.Name, against) {
				return false
			}
		}
	}
	return true
}

// hasAnchor reports whether the result of an anchor match is kept.
func (r *run) hasAnchor(generation int, rules, against string) bool {
	return slices.ContainsFunc(r.anchors.Matches, func(m MatchResult) bool {
		return m.Generation == generation && m.Rules == rules && m.Against == against
	})
}

// playerOf names a generation's network among those that play matches.
func playerOf(generation int) string { return fmt.Sprintf("generation-%d", generation) }

// opponent is who plays against a generation's network.
type opponent struct {
	agent   selfplay.Agent
	limit   selfplay.Limit // none: the network's
	file    string         // its name in the files of games
	lasting string         // what it is beyond its name, for MatchResult.Opponent
}

// opponent opens an opponent of a generation's network in one of the run's rule sets. It is nil for an engine that does not
// play the rule set.
func (r *run) opponent(against string, ruleSet, generation int) (*opponent, error) {
	switch {
	case uciengine.Named(against):
		return r.engines[ruleSet][against], nil
	case against == AgainstGreedy:
		greedy := selfplay.Greedy(r.cfg.Search)
		return &opponent{agent: greedy, file: against, lasting: greedy.EvalID}, nil
	}
	back := r.cfg.Anchor.Earlier
	earlier := max(0, generation-back)
	a, err := r.network(earlier)
	if err != nil {
		return nil, err
	}
	a.Kind = playerOf(earlier)
	return &opponent{agent: a, file: against, lasting: fmt.Sprintf("%d generations earlier", back)}, nil
}

// playAnchor plays a match and keeps its result, unless there is one already. A match that
// a broken engine ends has no result.
func (r *run) playAnchor(ctx context.Context, against, lasting string, c *contest) error {
	if r.hasAnchor(c.generation, c.rules().Name, against) {
		return nil
	}
	m, err := r.playContest(ctx, c)
	var broken *uciengine.Broken
	if errors.As(err, &broken) {
		r.warn(fmt.Sprintf("no anchor match of generation %d against %s", c.generation, against), err)
		return nil
	}
	if err != nil {
		return err
	}
	m.Against, m.Opponent = against, lasting
	said := fmt.Sprintf("%s, generation %d against %s: %s", m.Rules, m.Generation, m.Second, m.Score)
	if forfeits := m.Tally.Forfeits(); forfeits != "" {
		said += "; forfeits: " + forfeits
	}
	r.progress.Say("%s", said)
	matches := append(r.anchors.Matches, *m)
	slices.SortStableFunc(matches, func(a, b MatchResult) int { return cmp.Compare(a.Generation, b.Generation) })
	r.anchors.Matches = matches
	return writeJSON(r.folder.AnchorResults(), r.anchors)
}
