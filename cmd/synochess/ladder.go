package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"synochess/configs"
	"synochess/selfplay"
	"synochess/selfplay/arena"
	"synochess/selfplay/uciengine/fairy"
)

func newLadder() *cobra.Command {
	f := matchFlags{openings: fairBook}
	var games int
	cmd := &cobra.Command{
		Use:   "ladder WEIGHTS",
		Short: "Climb a ladder of ever stronger Fairy-Stockfish, to tell strength by an opponent from elsewhere",
		Long: "Plays matches against Fairy-Stockfish at depth 1, depth 2, 250, 1000, 4000 and 16000 nodes a move, lowest\n" +
			"first, until the agent no longer wins: a rung is reached when the lower end of the 95% interval of the\n" +
			"difference d is above 0. The agent has 800 simulations a move up to 1000 nodes, then a second. It is a weights\n" +
			"file, a run's folder or `greedy`. The openings are the program's own book of fair ones, each with both armies.\n" +
			"Every rung is kept as `match` keeps one, and the same command goes on; ladder.json holds the table. From the\n" +
			"rung of 4000 nodes on leave the machine alone.",
		Example: "  npm install --prefix fsf-npm " + fairy.Package + "@" + fairy.Version + "\n" +
			"  synochess ladder runs/quick --engine fsf-npm --rules pychess --out ladders/quick",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.out == "" {
				return misused(fmt.Errorf("--out is missing: the folder for the matches"))
			}
			if games < 2 || games%2 != 0 {
				return misused(fmt.Errorf("--games %d: want an even number, two for each opening", games))
			}
			return f.climb(cmd, args[0], games)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.config, "config", "play", "preset or YAML file: the search is used; for a number of simulations with one leaf a step")
	flags.StringVar(&f.rules, "rules", fairy.Rules[0], "rule set: "+strings.Join(fairy.Rules, " or ")+", which the engine plays exactly")
	flags.IntVar(&games, "games", 200, "games of a rung")
	flags.StringVar(&f.openings, "openings", f.openings, "file of positions, as in match; fair is the program's own book")
	flags.StringVar(&f.out, "out", "", "folder for the matches")
	addSetFlag(cmd, &f.sets, "search.c_scale=0.5")
	addWorkersFlag(cmd, &f.workers)
	f.engines.addFairy(cmd)
	return cmd
}

// climb plays the ladder.
func (f *matchFlags) climb(cmd *cobra.Command, name string, games int) error {
	if isEngine(name) {
		return misused(fmt.Errorf("ladder %s: want weights, a run's folder or greedy", name))
	}
	f.sets = append(f.sets, fmt.Sprintf("proof.openings=%d", games/2))
	settings, err := configs.Resolve(f.config, f.sets)
	if err != nil {
		return misused(err)
	}
	for _, r := range arena.Rungs {
		if err := fits(name, r.Agent, &settings.Run); err != nil {
			return misused(fmt.Errorf("ladder %s, rung %s, %s: %w", name, r.Name, r.Agent, err))
		}
	}
	var first, opponent *agent // opened once, for all rungs: a run that goes on meanwhile has other newest weights
	l, err := arena.Climb(f.out, func(r arena.Rung, dir string) (*arena.Match, *selfplay.Tally, error) {
		c, err := configs.Resolve(f.config, f.sets)
		if err != nil {
			return nil, nil, misused(err)
		}
		if !r.Agent.Timed() {
			c.Run.Search.LeavesPerStep = 1 // many games fill a batch as well as many leaves of one, and search better
		}
		m := &arena.Match{}
		m.Config, m.Workers, m.Name = c.Run.Proof, f.workers, fmt.Sprintf("%s against %s", name, r.Name)
		m.Limits = [2]selfplay.Limit{r.Agent, r.Engine}
		if m.Rules, err = f.ruleSet(&c.Run); err != nil {
			return nil, nil, misused(err)
		}
		if err := f.seats(m, []string{name, "fairy"}); err != nil {
			return nil, nil, misused(err)
		}
		if err := f.findOpenings(cmd, m); err != nil {
			return nil, nil, err
		}
		if opponent == nil {
			if opponent, err = f.engines.open(cmd, "fairy", m.Rules); err != nil {
				return nil, nil, err
			}
		}
		if first == nil {
			if first, err = openAgent(cmd, name, &c.Run, selfplay.OnlyRules(m.Rules)); err != nil {
				return nil, nil, err
			}
		}
		if err := seal(m, &c.Run, first.with(c.Run.Search), opponent); err != nil {
			return nil, nil, err
		}
		tally, err := playMatch(cmd, dir, m)
		return m, tally, err
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%sladder: %s\n", l, filepath.Join(f.out, "ladder.json"))
	return err
}
