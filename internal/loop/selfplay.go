package loop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"synochess/datasets"
	"synochess/selfplay"
)

// play makes sure that a generation's games are in games/, playing what the journal lacks, and returns
// how many positions were evaluated for it in this process.
func (r *run) play(ctx context.Context, generation int) (evaluations int, err error) {
	if _, err := os.Stat(r.folder.games(generation)); err == nil {
		return 0, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("run folder: %w", err)
	}
	journal, recovered, err := datasets.OpenJournal(r.folder.journal(generation))
	if err != nil {
		return 0, err
	}
	defer journal.Close()
	if recovered.CutBytes > 0 || recovered.Damaged > 0 {
		r.log.Warn("journal mended", "journal", journal.Path(), "games", recovered.Games,
			"cut_bytes", recovered.CutBytes, "damaged", recovered.Damaged, "set_aside", recovered.SetAside)
	}
	agent, err := r.network(generation - 1)
	if err != nil {
		return 0, err
	}
	parents, err := r.parents(generation)
	if err != nil {
		return 0, err
	}
	games := selfplay.Generation{
		Config: r.cfg.SelfPlay, Rules: r.rules, RunSeed: r.cfg.Seed, Number: uint32(generation),
		First: uint64(generation-1) * uint64(r.cfg.Games), Games: r.cfg.Games,
		Parents: parents, Played: journal.Has,
	}
	task := r.progress.Start(fmt.Sprintf("generation %d of %d: games", generation, r.cfg.Generations), int64(r.cfg.Games), "games")
	defer task.End()
	task.Set(int64(journal.Len()))
	record := func(g *datasets.Game, evaluated int) error {
		evaluations += evaluated
		if _, err := journal.Append(g); err != nil {
			return err
		}
		task.Set(int64(journal.Len()))
		return nil
	}
	err = selfplay.Play(ctx, []selfplay.Agent{agent}, r.machine.Workers, r.cfg.SelfPlay.Seats, r.stamp, games.Tasks(), record)
	if err != nil {
		return evaluations, err
	}
	if _, err := datasets.Compact(journal, r.folder.games(generation), r.stamp.Program); err != nil {
		return evaluations, err
	}
	if err := journal.Close(); err != nil {
		return evaluations, err
	}
	return evaluations, os.Remove(journal.Path())
}

// parents reads the games that forks of a generation may start from: those of the generation before.
func (r *run) parents(generation int) ([]*datasets.Game, error) {
	if generation == 1 || r.cfg.SelfPlay.ForkProbability == 0 {
		return nil, nil
	}
	var all []*datasets.Game
	for g, err := range datasets.ReadFile(r.folder.games(generation - 1)) {
		if err != nil {
			return nil, err
		}
		for i := range g.Plies {
			g.Plies[i].Actions = nil // the moves are all that is needed
		}
		all = append(all, g)
	}
	return all, nil
}
