package loop

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"synochess/selfplay"
)

// The opponents of anchor matches.
const (
	AgainstGreedy  = "greedy"  // GreedyAgent
	AgainstEarlier = "earlier" // the run's own network of AnchorConfig.Earlier generations before
)

// AnchorConfig says which matches are played while a run goes on, so that its strength is a curve: every so many
// generations the newest network meets opponents that stay what they are, in each of the run's rule sets. No game
// is learned from.
type AnchorConfig struct {
	Every                int      `yaml:"every"`   // generations between two rounds of matches; 0: none
	Against              []string `yaml:"against"` // opponents: AgainstGreedy, AgainstEarlier
	Earlier              int      `yaml:"earlier"` // how many generations AgainstEarlier goes back; the untrained network at most
	selfplay.MatchConfig `yaml:",inline"`
}

// Validate names the first field that anchor matches cannot be played with.
func (c *AnchorConfig) Validate() error {
	switch {
	case c.Every < 0:
		return fmt.Errorf("every is %d; use 0 (no anchor matches) or more", c.Every)
	case c.Every == 0:
		return nil
	case len(c.Against) == 0:
		return fmt.Errorf("against is empty; name %s or %s, or set every to 0", AgainstGreedy, AgainstEarlier)
	}
	for i, name := range c.Against {
		switch {
		case name != AgainstGreedy && name != AgainstEarlier:
			return fmt.Errorf("against has %q; use %s or %s", name, AgainstGreedy, AgainstEarlier)
		case slices.Contains(c.Against[:i], name):
			return fmt.Errorf("against has %s twice; name it once", name)
		case name == AgainstEarlier && c.Earlier < 1:
			return fmt.Errorf("earlier is %d; use 1 or more", c.Earlier)
		}
	}
	return c.MatchConfig.Validate()
}

// Anchors is anchors.json: the anchor matches of a run, by generation.
type Anchors struct {
	Matches []MatchResult `json:"matches"`
}

// ReadAnchors returns the anchor matches of the run in a folder; there may be none.
func ReadAnchors(dir string) (*Anchors, error) {
	var a Anchors
	path := filepath.Join(dir, "anchors.json")
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
		return nil, fmt.Errorf("%s: %w; remove it, and `synochess train` makes it again from the games in anchors", path, err)
	}
	return &a, nil
}

// anchorsSoFar plays the anchor matches of complete generations that are not kept: after an interruption, or where
// the run has none so far.
func (r *run) anchorsSoFar(ctx context.Context) error {
	every := r.cfg.Anchor.Every
	if every == 0 {
		return nil
	}
	for generation := every; generation <= r.complete; generation += every {
		if err := r.anchor(ctx, generation); err != nil {
			return err
		}
	}
	return nil
}

// anchor plays the anchor matches of a complete generation, if it is one that has any. Without weights that are not
// there any more it does.
func (r *run) anchor(ctx context.Context, generation int) error {
	c := &r.cfg.Anchor
	if c.Every == 0 || generation%c.Every != 0 {
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
		for j, against := range c.Against {
			opponent, err := r.opponent(against, generation)
			if errors.Is(err, fs.ErrNotExist) {
				r.warn(fmt.Sprintf("no anchor match of generation %d against %s", generation, against), err)
				continue
			}
			if err != nil {
				return err
			}
			err = r.playAnchor(ctx, against, &contest{
				room: "anchors", title: fmt.Sprintf("%s, generation %d against %s", openings[0].Rules.Name, generation, opponent.Info().Kind),
				generation: generation, name: fmt.Sprintf("%06d-%s", generation, against),
				number: uint64(((generation*len(r.anchorOpenings)+i)*len(c.Against) + j) * 2 * len(openings)),
				config: c.MatchConfig, openings: openings, pair: [2]selfplay.Agent{newest, opponent},
				players: [2]string{newest.Kind, opponent.Info().Kind},
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// playerOf names a generation's network among those that play matches.
func playerOf(generation int) string { return fmt.Sprintf("generation-%d", generation) }

// opponent opens an opponent of a generation's network.
func (r *run) opponent(against string, generation int) (selfplay.Agent, error) {
	if against == AgainstGreedy {
		return GreedyAgent(r.cfg.Search), nil
	}
	earlier := max(0, generation-r.cfg.Anchor.Earlier)
	a, err := r.network(earlier)
	if err != nil {
		return nil, err
	}
	a.Kind = playerOf(earlier)
	return a, nil
}

// playAnchor plays a match unless its result is kept, and keeps it in place of one that was played otherwise.
func (r *run) playAnchor(ctx context.Context, against string, c *contest) error {
	id, err := c.id()
	if err != nil || slices.ContainsFunc(r.anchors.Matches, func(m MatchResult) bool { return m.ID == id }) {
		return err
	}
	m, err := r.playContest(ctx, c)
	if err != nil {
		return err
	}
	m.Against = against
	r.progress.Say("%s, generation %d against %s: %s", m.Rules, m.Generation, m.Second, m.Score)
	matches := slices.DeleteFunc(r.anchors.Matches, func(o MatchResult) bool {
		return o.Generation == m.Generation && o.Rules == m.Rules && o.Against == m.Against
	})
	matches = append(matches, *m)
	slices.SortStableFunc(matches, func(a, b MatchResult) int { return cmp.Compare(a.Generation, b.Generation) })
	r.anchors.Matches = matches
	return r.folder.writeJSON("anchors.json", r.anchors)
}
