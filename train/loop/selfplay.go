package loop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"synochess/datasets"
	"synochess/selfplay"
)

// play makes sure that a generation's games are in games/, playing what the journal lacks, and returns
// how many positions were evaluated for it in this process.
func (r *run) play(ctx context.Context, generation int) (evaluations int, err error) {
	switch _, err := r.readGames(generation, false); {
	case err == nil:
		return 0, nil
	case !errors.Is(err, fs.ErrNotExist):
		if err := r.setAside(r.folder.GamesOf(generation), err); err != nil {
			return 0, err
		}
	}
	journal, recovered, err := datasets.OpenJournal(r.folder.Journal(generation))
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
	handicaps, err := r.handicaps(generation)
	if err != nil {
		return 0, err
	}
	games := selfplay.Generation{
		Config: r.cfg.SelfPlay, Rules: r.rules, RunSeed: r.cfg.Seed, Number: uint32(generation),
		First: r.firstGame(generation), Games: r.cfg.Games,
		Parents: r.parents(generation), Handicaps: handicaps, Played: journal.Has,
	}
	task := r.progress.Start(fmt.Sprintf("generation %d of %d: games", generation, r.cfg.Generations), int64(r.cfg.Games), "games")
	defer task.End()
	task.After(r.left(generation, false))
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
	if _, err := datasets.Compact(journal, r.folder.GamesOf(generation), r.stamp.Program); err != nil {
		return evaluations, err
	}
	if err := journal.Close(); err != nil {
		return evaluations, err
	}
	return evaluations, os.Remove(journal.Path())
}

// firstGame returns the number of a generation's first game.
func (r *run) firstGame(generation int) uint64 {
	first := uint64(generation-1) * uint64(r.cfg.Games)
	if r.id.Inherited != nil {
		first += r.id.Inherited.FirstGame
	}
	return first
}

// parents reads the games that forks of a generation may start from: those of the generation before. If
// their file is lost or damaged, there are no forks.
func (r *run) parents(generation int) []*datasets.Game {
	if generation == 1 || r.cfg.SelfPlay.ForkProbability == 0 {
		return nil
	}
	all, err := r.readGames(generation-1, true)
	if err != nil {
		r.warn("no forks in this generation", err)
		return nil
	}
	return all
}

// handicapGenerations is over how many generations' games handicaps are fitted.
const handicapGenerations = 4

// handicaps fits the handicaps of a generation to the games of those before it; nil where none are played,
// and in the first generation. Where files of theirs are lost or damaged, it is the games that are left, or beliefs alone.
func (r *run) handicaps(generation int) (*selfplay.Handicaps, error) {
	if generation == 1 || r.cfg.SelfPlay.HandicapProbability == 0 {
		return nil, nil
	}
	var games []*datasets.Game
	for g := max(1, generation-handicapGenerations); g < generation; g++ {
		more, err := r.readGames(g, true)
		if err != nil {
			r.warn("handicaps are fitted to fewer games", err)
			continue
		}
		games = append(games, more...)
	}
	return selfplay.NewHandicaps(r.rules.Bases(), games)
}

// readGames reads a generation's file to its end and returns its games, without what the searches found, if
// they are wanted.
func (r *run) readGames(generation int, wanted bool) (all []*datasets.Game, err error) {
	path := r.folder.GamesOf(generation)
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	for g, err := range datasets.ReadFile(path) {
		if err != nil {
			return nil, err
		}
		if wanted {
			for i := range g.Plies {
				g.Plies[i].Actions = nil
			}
			all = append(all, g)
		}
	}
	return all, nil
}

// setAside renames a damaged file of games, so that they are played again from their seeds.
func (r *run) setAside(path string, cause error) error {
	r.warn("games file set aside as "+filepath.Base(path)+".bad, its games are played again", cause)
	if err := os.Rename(path, path+".bad"); err != nil {
		return fmt.Errorf("run folder: %w", err)
	}
	return nil
}

// warn tells the person and the log.
func (r *run) warn(what string, cause error) {
	r.log.Warn(what, "cause", cause.Error())
	r.progress.Say("warning: %s: %v", what, cause)
}
