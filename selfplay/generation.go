package selfplay

import (
	"context"
	"fmt"
	"math/rand/v2"

	"synochess/datasets"
	"synochess/env"
)

// Generation is the list of games that one network plays to learn from. It is bounded by a count of games,
// never by time: which games there are does not depend on the machine.
type Generation struct {
	Config  Config
	Rules   *RuleSource
	RunSeed uint64
	Number  uint32           // of the generation
	First   uint64           // number of its first game
	Games   int              // how many
	Parents []*datasets.Game // finished games of earlier generations, by number, that forks may start from
	// Handicaps are what Config.HandicapProbability draws from; they follow from finished games too. nil: none.
	Handicaps *Handicaps
	Played    func(uint64) bool // games that are already recorded and are not played again; nil: none
}

// Play plays the games that the journal lacks and adds each to it as it ends. It then moves all games to a Parquet
// file at path. It sets Played to the journal's Has. progress, which may be nil, is called after every game as
// Record says. After an interruption the next call with the same journal goes on.
func (g *Generation) Play(ctx context.Context, a Agent, workers int, stamp Stamp, j *datasets.Journal, path string, progress Record) error {
	g.Played = j.Has
	keep := func(game *datasets.Game, evaluations int) error {
		if _, err := j.Append(game); err != nil || progress == nil {
			return err
		}
		return progress(game, evaluations)
	}
	if err := Play(ctx, []Agent{a}, workers, g.Config.Seats, stamp, g.Tasks(), keep); err != nil {
		return err
	}
	return j.Finish(path, stamp.Program)
}

// Tasks hands out the generation's games that are not yet played.
func (g *Generation) Tasks() Tasks {
	next := g.First
	return func() (*Task, error) {
		for ; next < g.First+uint64(g.Games); next++ {
			if g.Played != nil && g.Played(next) {
				continue
			}
			t, err := g.task(next)
			next++
			return t, err
		}
		return nil, nil
	}
}

// task makes a game's task from its number alone.
func (g *Generation) task(number uint64) (*Task, error) {
	t := &Task{
		Purpose: datasets.Training, Generation: g.Number, Number: number, Family: number,
		Seed:     Seed(g.RunSeed, datasets.Training, g.Number, number),
		Thinking: SelfPlayThinking{Config: g.Config}, PlyLimit: g.Config.PlyLimit,
	}
	rng := rand.New(rand.NewPCG(t.Seed, 0x57a7))
	if len(g.Parents) > 0 && rng.Float64() < g.Config.ForkProbability {
		forked, err := t.fork(rng, g.Parents)
		if err != nil || forked {
			return t, err
		}
	}
	rules, err := g.Rules.Draw(rng)
	if err != nil {
		return nil, err
	}
	t.Rules, t.Kind = rules, datasets.FromStart
	if g.Handicaps != nil && rng.Float64() < g.Config.HandicapProbability {
		if derived, ok := g.Handicaps.Draw(rules, rng); ok {
			t.Rules, t.Kind = derived, datasets.FromHandicap
		}
	}
	t.Start = t.Rules.StartPosition()
	return t, nil
}

// fork starts the task from a position of an earlier game (KataGo: forks show the network positions that
// its own best play avoids). It returns false if the drawn parent is too short to leave anything to play.
// The parent's moves are not taken along, so the position counts as its first occurrence.
func (t *Task) fork(rng *rand.Rand, parents []*datasets.Game) (bool, error) {
	parent := parents[rng.IntN(len(parents))]
	if len(parent.Plies) < 4 {
		return false, nil
	}
	ply := 1 + rng.IntN(len(parent.Plies)-3)
	rules, err := env.ParseRules([]byte(parent.Rules), fmt.Sprintf("game %d", parent.Number))
	if err != nil {
		return false, err
	}
	_, err = parent.Replay(rules, func(game *env.Game, i int) error {
		if i == ply {
			t.Start = *game.Position()
		}
		return nil
	})
	if err != nil {
		return false, fmt.Errorf("game %d: %w", parent.Number, err)
	}
	t.Rules, t.Kind = rules, datasets.FromFork
	t.ForkOf, t.ForkPly, t.Family = parent.Number, uint32(ply), parent.Family
	return true, nil
}
