package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"synochess/configs"
	"synochess/internal/files"
	"synochess/selfplay"
	"synochess/selfplay/arena"
)

func newBook() *cobra.Command {
	var config, rules, judge, limit, out string
	var sets []string
	var workers int
	var engines engineFlags
	c := arena.BookConfig{}
	cmd := &cobra.Command{
		Use:   "book",
		Short: "Look for fair openings: positions from which equal agents score near one half with either army",
		Long: "Looks at positions 4 to 12 random plies after the start. One whose value by a judge's search is near that at\n" +
			"which the West scores one half is played out by the judge against itself, 6 times with budgets from the limit to twice as much; it is fair\n" +
			"if the West scores 2 to 4 points. Then 2 more games are played from it, which have no part in the choice: what the West scores in\n" +
			"those of all fair positions tells how fair they are, without bias. The judge is any agent of `match`; the better it plays, the more\n" +
			"its positions are fair for others too.",
		Example: "  synochess book --rules pychess --judge fairy --engine fsf-npm --limit nodes=250 --out pychess.epd\n" +
			"  synochess book --judge greedy --limit nodes=64 --positions 50 --out moddable.epd",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return misused(fmt.Errorf("--out is missing: the file for the positions"))
			}
			if info, err := os.Stat(filepath.Dir(out)); err != nil || !info.IsDir() {
				return misused(fmt.Errorf("--out %s: its folder does not exist", out))
			}
			settings, err := configs.Resolve(config, sets)
			if err != nil {
				return misused(err)
			}
			f := matchFlags{rules: rules, limits: [3]string{limit}}
			if c.Rules, err = f.ruleSet(&settings.Run); err != nil {
				return misused(err)
			}
			limits, err := f.agentLimits([]string{judge, judge}, &settings.Run)
			if err != nil {
				return misused(err)
			}
			switch c.Limit, c.Workers = limits[0], workers; {
			case c.Limit.Visits == 0:
				return misused(fmt.Errorf("--limit %s: the judge's budgets are multiples of nodes=N", limit))
			case c.Positions < 1 || c.Candidates < c.Positions:
				return misused(fmt.Errorf("--positions %d, --candidates %d: want at least 1, and at least as many candidates", c.Positions, c.Candidates))
			case !(c.Width > 0 && c.Width <= 10):
				return misused(fmt.Errorf("--width %v: want a number above 0, at most 10", c.Width))
			case workers < 1:
				return misused(fmt.Errorf("--workers %d: want at least 1", workers))
			}
			if err := fits(judge, selfplay.Limit{Visits: 2 * c.Limit.Visits}, &settings.Run); err != nil {
				return misused(fmt.Errorf("--limit %s, with budgets up to twice as much: %w", limit, err))
			}
			var a *agent
			if isEngine(judge) {
				a, err = engines.open(cmd, judge, c.Rules)
			} else {
				a, err = openAgent(cmd, judge, &settings.Run, selfplay.OnlyRules(c.Rules))
			}
			if err != nil {
				return err
			}
			c.Judge = a.Agent
			task := newProgress(cmd).Start("fair openings of "+c.Rules.Name, int64(c.Positions), "positions")
			defer task.End()
			b, failed := arena.MakeBook(cmd.Context(), c, func(b *arena.Book) {
				task.Set(int64(len(b.Positions)))
				task.Note(fmt.Sprintf("of %d, %d played", b.Looked, b.Played))
			})
			task.End()
			if b == nil || len(b.Positions) == 0 {
				return failed
			}
			made := fmt.Sprintf("synochess book --config %s --rules %s --judge %s --limit %s --positions %d --candidates %d --width %v --seed %d",
				config, c.Rules.Name, judge, c.Limit, c.Positions, c.Candidates, c.Width, c.Seed)
			for _, s := range sets {
				made += " --set " + s
			}
			if err := files.WriteAtomic(out, func(w io.Writer) error { return writeBook(w, b, c.Rules.Name, made, a) }); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d fair positions of %d that were looked at: %s\n"+
				"In %d more games from them, which had no part in choosing them, the West scores %.1f%%; 50%% would be exactly fair.\n",
				len(b.Positions), b.Looked, out, 2*len(b.Positions), 100*b.FreshScore())
			return errors.Join(failed, err)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&config, "config", "quick", "preset or YAML file: the search is used, and the first rule set")
	flags.StringVar(&rules, "rules", "", "rule set: a built-in name or a YAML file (default: the configuration's first)")
	flags.StringVar(&judge, "judge", "greedy", "agent that judges")
	flags.StringVar(&limit, "limit", "nodes=250", "the judge's smallest budget for a move")
	flags.IntVar(&c.Positions, "positions", 100, "fair positions that are wanted")
	flags.IntVar(&c.Candidates, "candidates", 8000, "positions that are looked at, at most")
	flags.Float64Var(&c.Width, "width", 0.5, "how far the judge's value may be from the middle, in log odds")
	flags.Uint64Var(&c.Seed, "seed", 1, "of the positions")
	flags.StringVar(&out, "out", "", "file for the positions, as EPD")
	addSetFlag(cmd, &sets, "search.candidates=8")
	addWorkersFlag(cmd, &workers)
	engines.add(cmd)
	return cmd
}

// writeBook writes positions as EPD, with how they were found.
func writeBook(w io.Writer, b *arena.Book, rules, made string, judge *agent) error {
	fmt.Fprintf(w, "# Fair openings of %s: %d of %d positions that were looked at.\n", rules, len(b.Positions), b.Looked)
	fmt.Fprintf(w, "# Made by `%s`.\n", made)
	fmt.Fprintf(w, "# The judge was %s. In %d games that chose nothing the West scores %.1f%%.\n",
		strings.TrimSpace(judge.Info().Kind+" "+judge.Info().EvalID), 2*len(b.Positions), 100*b.FreshScore())
	fmt.Fprintf(w, "# c0: the value for the West by the judge's search, in log odds (the middle ended at %+.2f), the points of the West in its 6 games and in the 2 others.\n", b.Middle)
	for _, p := range b.Positions {
		fields := strings.Fields(p.FEN)
		if _, err := fmt.Fprintf(w, "%s c0 \"%+.2f, %g of 6, %g of 2\";\n", strings.Join(fields[:4], " "), p.Value, p.Western, p.Fresh[0]+p.Fresh[1]); err != nil {
			return err
		}
	}
	return nil
}
