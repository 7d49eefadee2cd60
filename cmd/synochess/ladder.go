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
		Long: "Plays matches against ever stronger Fairy-Stockfish until the agent no longer wins: at depth 1, at depth 2,\n" +
			"then with 250, 1000, 4000 and 16000 nodes a move. A rung is reached if the agent is the stronger one: the\n" +
			"95% interval of the difference d in Elo, apart from what the armies differ by, lies above 0. The agent is a\n" +
			"weights file, a run's folder, `shipped` or `greedy`. It has 800 simulations a move up to 1000 nodes, and then\n" +
			"a second a move; leave the machine alone during those matches. The openings are fair ones of a book that\n" +
			"comes with the program, each played with both armies.\n\n" +
			"Every match is kept as `match --out` keeps it, so that the same command goes on after an interruption;\n" +
			"ladder.json holds the table.",
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
	flags.StringVar(&f.config, "config", "play", "preset or YAML file, of which search is used (up to 1000 nodes with search.leaves_per_step 1)")
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
