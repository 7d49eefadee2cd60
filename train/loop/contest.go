package loop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/cespare/xxhash/v2"

	"synochess/datasets"
	"synochess/env"
	"synochess/internal/stats"
	"synochess/selfplay"
)

// contest is a match that a run plays and keeps. Its games lie in a file that is named after all they depend on, so
// what was played with other networks, settings or openings is never taken for it.
type contest struct {
	dir        string // for its games
	title      string // for the person who watches
	generation int    // whose network plays first
	name       string // enters the seeds of the games
	number     uint64 // of the first game
	config     selfplay.MatchConfig
	openings   []selfplay.Opening // all of one rule set
	pair       [2]selfplay.Agent
	limits     [2]selfplay.Limit // [agent]; none: config's visits
	players    [2]string         // names of the two that stay the same from match to match
}

// MatchResult is a match that a run has played, from the first agent's side.
type MatchResult struct {
	ID         string         `json:"id"`         // names all that the games depend on
	Generation int            `json:"generation"` // whose network is the first agent, or the newer of the two
	Rules      string         `json:"rules"`
	Openings   int            `json:"openings"` // each played with both armies
	Plies      int            `json:"opening_plies"`
	Visits     int            `json:"visits"`
	First      string         `json:"first"`
	Second     string         `json:"second"`
	Against    string         `json:"against,omitempty"`  // of an anchor match: the opponent's name in the configuration
	Opponent   string         `json:"opponent,omitempty"` // of an anchor match: what the opponent is beyond its name
	Score      stats.Interval `json:"score"`
	AsWestern  stats.Interval `json:"as_western"`
	AsEastern  stats.Interval `json:"as_eastern"`
	// Difference of the agents apart from that of the armies, in Elo; of no pairs in files of earlier versions.
	Difference stats.Difference `json:"difference"`
	Tally      *selfplay.Tally  `json:"tally"`
}

// Continues reports whether an anchor match is a point of the same curve as an earlier one: the same players but for their
// generations, with the same budgets from openings of the same kind. Files of earlier versions do not name the opponent's
// settings; it is taken for the same.
func (m *MatchResult) Continues(earlier *MatchResult) bool {
	return m.Rules == earlier.Rules && m.Against == earlier.Against && m.Plies == earlier.Plies && m.Visits == earlier.Visits &&
		(m.Opponent == earlier.Opponent || m.Opponent == "" || earlier.Opponent == "")
}

// openingsFor draws the openings of matches: [rule set of the run, without variations][opening].
func openingsFor(rules *selfplay.RuleSource, c *selfplay.MatchConfig) ([][]selfplay.Opening, error) {
	var all [][]selfplay.Opening
	for _, r := range rules.Bases() {
		openings, err := selfplay.RandomOpenings(r, c.Openings, c.Plies, c.Seed)
		if err != nil {
			return nil, err
		}
		all = append(all, openings)
	}
	return all, nil
}

// rules returns the contest's rule set.
func (c *contest) rules() *env.Rules { return c.openings[0].Rules }

// id names what the games depend on: agents with their evaluation ids and search settings, rule set, openings,
// visits and seeds. The kernel path is left out: like a generation, a match may go on on another one.
func (c *contest) id() (string, error) {
	of := struct {
		Name, Rules string
		Number      uint64
		Visits      int
		Seed        uint64
		Agents      [2]datasets.AgentInfo
		Openings    []string
		Limits      string `json:",omitempty"`
	}{c.name, c.rules().Canonical(), c.number, c.config.Visits, c.config.Seed, [2]datasets.AgentInfo{c.pair[0].Info(), c.pair[1].Info()}, nil, c.limits[0].String() + c.limits[1].String()}
	for i := range c.openings {
		of.Openings = append(of.Openings, c.openings[i].Name())
	}
	text, err := json.Marshal(of)
	return fmt.Sprintf("%016x", xxhash.Sum64(text)), err
}

// playContest plays what is not kept of a contest and returns its result. Interrupted, the next call goes on.
func (r *run) playContest(ctx context.Context, c *contest) (*MatchResult, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	first, second := c.pair[0].Info().Kind, c.pair[1].Info().Kind
	m := selfplay.Match{
		Config: c.config, Name: c.name, FirstNumber: c.number,
		Agents: c.pair, Limits: c.limits, Openings: c.openings, Workers: r.machine.Workers, Stamp: r.stamp,
	}
	started := time.Now()
	stem := filepath.Join(c.dir, c.name+"-"+id)
	tally, err := r.playKept(ctx, &m, c.title, stem)
	if err != nil {
		return nil, err
	}
	difference, err := r.record(c, stem, started)
	if err != nil {
		return nil, err
	}
	return &MatchResult{
		ID: id, Generation: c.generation, Rules: c.rules().Name, First: first, Second: second,
		Openings: len(c.openings), Plies: c.config.Plies, Visits: c.config.Visits,
		Score: tally.Score(), AsWestern: tally.ScoreAs(env.Western), AsEastern: tally.ScoreAs(env.Eastern), Difference: difference, Tally: tally,
	}, nil
}

// playKept plays a match with its games kept in stem.journal, and in stem.parquet when all have ended.
func (r *run) playKept(ctx context.Context, m *selfplay.Match, title, stem string) (*selfplay.Tally, error) {
	finished := stem + ".parquet"
	switch games, err := readAll(finished); {
	case err == nil:
		m.Played = games
		return m.Run(ctx, nil, nil)
	case !errors.Is(err, fs.ErrNotExist):
		if err := r.setAside(finished, err); err != nil {
			return nil, err
		}
	}
	journal, _, err := datasets.OpenJournal(stem + ".journal")
	if err != nil {
		return nil, err
	}
	defer journal.Close()
	for g, err := range journal.Games() {
		if err != nil {
			return nil, err
		}
		m.Played = append(m.Played, g)
	}
	task := r.progress.Start(title, int64(2*len(m.Openings)), "games")
	defer task.End()
	keep := func(g *datasets.Game) error { _, err := journal.Append(g); return err }
	tally, err := m.Run(ctx, keep, func(games int) { task.Set(int64(games)) })
	if err != nil {
		return nil, err
	}
	task.End()
	return tally, journal.Finish(finished, r.stamp.Program)
}

// readAll reads the games of a file.
func readAll(path string) (all []*datasets.Game, err error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	for g, err := range datasets.ReadFile(path) {
		if err != nil {
			return nil, err
		}
		all = append(all, g)
	}
	return all, nil
}
