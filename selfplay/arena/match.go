package arena

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/gofrs/flock"

	"synochess/datasets"
	"synochess/env"
	"synochess/internal/stats"
	"synochess/selfplay"
	"synochess/selfplay/matchfile"
)

// Match is a match with what its record says of it besides. Play sets Stamp.RunID, FirstNumber, Played and Enough of the
// embedded match.
type Match struct {
	selfplay.Match
	Kinds       [2]string // [agent]: network, greedy, random or engine
	Rules       *env.Rules
	OpeningsAre string      // where the openings came from, in words; it tells different lists apart
	Machine     string      // processor and kernel path
	Test        *stats.SPRT // ends the match as soon as it has a verdict; nil: all games are played
}

// Play plays the match, or what is left of it in the folder, and returns its tally; progress may be nil. With an
// empty dir nothing is kept. A folder that holds another match, or cannot be written to, is an error before the
// first game. If it is interrupted, the games that have ended are kept.
func Play(ctx context.Context, dir string, m *Match, progress func(games int)) (*selfplay.Tally, error) {
	m.Stamp.RunID = "match"
	if m.Test != nil {
		m.Enough = func(t *selfplay.Tally) bool { return m.Test.Decide(t.Prefix()).Verdict != stats.Continue }
	}
	if dir == "" {
		return m.Run(ctx, nil, progress)
	}
	f, err := openFolder(dir, m)
	if err != nil {
		return nil, err
	}
	defer f.close()
	keep := func(g *datasets.Game) error { _, err := f.journal.Append(g); return err }
	tally, err := m.Run(ctx, keep, progress)
	if err != nil {
		return nil, errors.Join(err, f.note(m, time.Time{}))
	}
	if err := f.finish(m); err != nil {
		return nil, err
	}
	return tally, nil
}

// folder is a match's folder, held by this process alone.
type folder struct {
	dir     string
	lock    *flock.Flock
	journal *datasets.Journal
	record  *matchfile.File
}

// openFolder makes the folder if there is none, locks it and loads it.
func openFolder(dir string, m *Match) (*folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("match folder: %w", err)
	}
	f := &folder{dir: dir, lock: flock.New(filepath.Join(dir, "lock"))}
	got, err := f.lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("match folder: lock %s: %w", f.lock.Path(), err)
	}
	if !got {
		return nil, fmt.Errorf("match folder %s: another process is playing in it; stop that one first or take another folder", dir)
	}
	if err := f.load(m); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

// load makes sure that the folder is this match's, and reads the games that have ended into m.Played.
func (f *folder) load(m *Match) (err error) {
	if err := f.settle(m); err != nil {
		return err
	}
	m.Stamp.RunID, m.FirstNumber = runID(f.record), 1
	if f.journal, _, err = datasets.OpenJournal(filepath.Join(f.dir, "games.journal")); err != nil {
		return err
	}
	for g, err := range f.journal.Games() {
		if err != nil {
			return err
		}
		if g.Number-m.FirstNumber >= uint64(2*len(m.Openings)) {
			return fmt.Errorf("match folder %s: game %d of games.journal is not one of the %d of this match; take another folder", f.dir, g.Number, 2*len(m.Openings))
		}
		for i := range g.Plies {
			g.Plies[i].Actions = nil // a tally needs only the moves
		}
		m.Played = append(m.Played, g)
	}
	return nil
}

// settle writes the record if the folder is new. Otherwise it reads the one that is there, which must be this
// match's.
func (f *folder) settle(m *Match) error {
	f.record = m.record()
	path := filepath.Join(f.dir, matchfile.Name)
	old, err := matchfile.Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(filepath.Join(f.dir, "games.journal")); err == nil {
			return fmt.Errorf("match folder %s: it holds games.journal but no %s, which would say what was played; take another folder", f.dir, matchfile.Name)
		}
		return matchfile.Write(f.dir, f.record)
	case err != nil:
		return err
	}
	if faults := differences(old, f.record); len(faults) > 0 {
		return fmt.Errorf("%s is the record of another match: %s; repeat the command that it began with, or take another folder", path, strings.Join(faults, "; "))
	}
	f.record = old
	return nil
}

// differences says in what the match that is asked for differs from the stored one.
func differences(old, asked *matchfile.File) []string {
	var faults []string
	compare := func(what, a, b string) {
		if a != b {
			faults = append(faults, fmt.Sprintf("%s is %q there and %q here", what, a, b))
		}
	}
	for i, side := range []string{"first", "second"} {
		a, b := old.Agents[i], asked.Agents[i]
		compare("the "+side+" agent", a.Name, b.Name)
		compare("what the "+side+" agent evaluates with", a.EvalID, b.EvalID)
		compare("the "+side+" agent's limit", a.Limit, b.Limit)
		compare("the "+side+" agent's settings", a.Settings, b.Settings)
	}
	compare("the rule set", old.Rules+" "+old.RulesHash, asked.Rules+" "+asked.RulesHash)
	compare("the list of openings", old.Openings, asked.Openings)
	compare("the seed", fmt.Sprint(old.Seed), fmt.Sprint(asked.Seed))
	return faults
}

// record returns the record of a match without games.
func (m *Match) record() *matchfile.File {
	f := &matchfile.File{
		Rules: m.Rules.Name, RulesHash: fmt.Sprintf("%016x", m.Rules.Hash()),
		Openings: m.OpeningsAre, Seed: m.Config.Seed, Program: m.Stamp.Program, Machine: m.Machine,
		Started: time.Now().UTC().Truncate(time.Second),
	}
	for i, limit := range m.AgentLimits() {
		info := m.Agents[i].Info()
		f.Agents[i] = matchfile.Agent{Name: info.Kind, Kind: m.Kinds[i], EvalID: info.EvalID, Limit: limit.String(), Settings: info.Settings}
	}
	return f
}

// runID names a match's games by what they depend on.
func runID(f *matchfile.File) string {
	return fmt.Sprintf("%016x", xxhash.Sum64String(fmt.Sprint(f.Agents, f.RulesHash, f.Openings, f.Seed)))
}

// finish writes the files of a match that has ended.
func (f *folder) finish(m *Match) error {
	if _, err := datasets.Compact(f.journal, filepath.Join(f.dir, "games.parquet"), m.Stamp.Program); err != nil {
		return err
	}
	if err := writeText(filepath.Join(f.dir, "games.txt"), f.record, f.journal.Games()); err != nil {
		return err
	}
	finished := f.record.Finished
	if finished.IsZero() {
		finished = time.Now().UTC().Truncate(time.Second)
	}
	return f.note(m, finished)
}

// note writes the record with the scores of all games in the journal. finished is zero if there are games left to
// play.
func (f *folder) note(m *Match, finished time.Time) error {
	f.record.Finished = finished
	f.record.Pairs = make([]matchfile.PairScore, len(m.Openings))
	for i := range m.Openings {
		p, err := m.Openings[i].Position()
		if err != nil {
			return err
		}
		f.record.Pairs[i].Opening = m.Rules.FEN(p)
	}
	for g, err := range f.journal.Games() {
		if err != nil {
			return err
		}
		i := int(g.Number - m.FirstNumber)
		army := selfplay.FirstAgentsArmy(i)
		score, ok := g.ScoreFor(army)
		if !ok {
			continue
		}
		if pair := &f.record.Pairs[i/2]; army == env.Western {
			pair.West = matchfile.Score(score)
		} else {
			pair.East = matchfile.Score(score)
		}
	}
	return matchfile.Write(f.dir, f.record)
}

func (f *folder) close() {
	if f.journal != nil {
		f.journal.Close()
	}
	f.lock.Unlock()
}
