package loop

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"synochess/datasets"
	"synochess/env"
	"synochess/internal/files"
	"synochess/internal/stats"
	"synochess/selfplay"
	"synochess/selfplay/matchfile"
	"synochess/selfplay/uciengine"
)

// record writes what ratings are fitted to, stem/match.json, for a match whose games are in stem.parquet, unless it is
// there, and returns by how much the first agent is the stronger one.
func (r *run) record(c *contest, stem string, started time.Time) (stats.Difference, error) {
	games, err := readAll(stem + ".parquet")
	if err != nil {
		return stats.Difference{}, err
	}
	f := &matchfile.File{
		Rules: c.rules().Name, RulesHash: fmt.Sprintf("%016x", c.rules().Hash()),
		Openings: fmt.Sprintf("%d of %d random plies", len(c.openings), c.config.Plies),
		Seed:     c.config.Seed, Program: r.stamp.Program, Machine: r.stamp.KernelPath,
		Started: started, Finished: time.Now(), Pairs: c.pairs(games),
	}
	for i, a := range c.pair {
		info := a.Info()
		agent := matchfile.Agent{Name: c.players[i], Kind: info.Kind, EvalID: info.EvalID, Settings: info.Settings}
		switch a.(type) {
		case *selfplay.Searcher:
			agent.Limit = fmt.Sprintf("nodes=%d", c.config.Visits)
			if info.Kind != AgainstGreedy {
				agent.Kind = "network"
			}
		case *uciengine.Engine:
			agent.Kind, agent.Limit = "engine", c.limits[i].String()
		}
		f.Agents[i] = agent
	}
	difference := stats.FitDifference(f.Stats())
	switch _, err := matchfile.Read(filepath.Join(stem, matchfile.Name)); {
	case err == nil:
		return difference, nil
	case !errors.Is(err, fs.ErrNotExist):
		return difference, fmt.Errorf("%w; remove it, and `synochess train` makes it again", err)
	}
	if err := errors.Join(os.MkdirAll(stem, 0o755), files.RemoveTemporaries(stem)); err != nil {
		return difference, fmt.Errorf("run folder: %w", err)
	}
	return difference, matchfile.Write(stem, f)
}

// pairs returns what the first agent scored in the two games of each opening.
func (c *contest) pairs(games []*datasets.Game) []matchfile.PairScore {
	pairs := make([]matchfile.PairScore, len(c.openings))
	for i := range c.openings {
		pairs[i].Opening = c.openings[i].Name()
	}
	for _, g := range games {
		i := int(g.Number - c.number)
		army := selfplay.FirstAgentsArmy(i)
		score, ok := g.ScoreFor(army)
		if !ok {
			continue
		}
		if p := &pairs[i/2]; army == env.Western {
			p.West = matchfile.Score(score)
		} else {
			p.East = matchfile.Score(score)
		}
	}
	return pairs
}
