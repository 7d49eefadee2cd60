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
	defer r.past.forget(generation)
	switch _, err := r.past.of(generation); {
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
		Config: r.cfg.at(generation).SelfPlay, Rules: r.rules, RunSeed: r.cfg.Seed, Number: uint32(generation),
		First: r.firstGame(generation), Games: r.cfg.Games,
		Parents: r.parents(generation), Handicaps: handicaps,
	}
	task := r.progress.Start(fmt.Sprintf("generation %d of %d: games", generation, r.cfg.Generations), int64(r.cfg.Games), "games")
	defer task.End()
	task.After(r.left(generation, false))
	task.Set(int64(journal.Len()))
	err = games.Play(ctx, agent, r.machine.Workers, r.stamp, journal, r.folder.GamesOf(generation), func(_ *datasets.Game, evaluated int) error {
		evaluations += evaluated
		task.Set(int64(journal.Len()))
		return nil
	})
	return evaluations, err
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
	all, err := r.past.of(generation - 1)
	if err != nil {
		r.warn("no forks in this generation", err)
		return nil
	}
	return all
}

// handicapGenerations is over how many generations' games handicaps are fitted.
const handicapGenerations = 4

// handicaps fits the handicaps of a generation to the games of those before it; nil where none are played,
// and in the first generation. Where files of those games are lost or damaged, they are fitted to the games that are left.
func (r *run) handicaps(generation int) (*selfplay.Handicaps, error) {
	if generation == 1 || r.cfg.SelfPlay.HandicapProbability == 0 {
		return nil, nil
	}
	var games []*datasets.Game
	for g := max(1, generation-handicapGenerations); g < generation; g++ {
		more, err := r.past.of(g)
		if err != nil {
			r.warn("handicaps are fitted to fewer games", err)
			continue
		}
		games = append(games, more...)
	}
	return selfplay.NewHandicaps(r.rules.Bases(), games)
}

// setAside renames a damaged file of games, so that they are played again from their seeds.
func (r *run) setAside(path string, cause error) error {
	r.warn("games file set aside as "+filepath.Base(path)+".bad, its games are played again", cause)
	if err := os.Rename(path, path+".bad"); err != nil {
		return fmt.Errorf("run folder: %w", err)
	}
	return nil
}

// tell tells the person and the log.
func (r *run) tell(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	r.progress.Say("%s", text)
	r.log.Info(text)
}

// warn tells the person and the log what is wrong, and that the run goes on.
func (r *run) warn(what string, cause error) {
	r.log.Warn(what, "cause", cause.Error())
	r.progress.Say("warning: %s: %v", what, cause)
}
