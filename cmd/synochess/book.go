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
	"synochess/train/loop"
)

// bookFlags is what is asked for on the command line.
type bookFlags struct {
	config, rules, judge, limit, out string
	sets                             []string
	engines                          engineFlags
	book                             arena.BookConfig
}

func newBook() *cobra.Command {
	var f bookFlags
	cmd := &cobra.Command{
		Use:   "book",
		Short: "Look for fair openings: positions from which equal agents score near one half with either army",
		Long: "Looks for positions from which equal agents score near one half with either army. The judge, any agent of\n" +
			"`match`, searches positions 4 to 12 random plies after the start. If its value is near the one at which the\n" +
			"West scores one half, it plays the position out against itself 6 times, with budgets from --limit to twice\n" +
			"as much. The position is fair if the West scores 2 to 4 points of 6. Two more games of each fair position,\n" +
			"which have no part in the choice, show how fair all of them are together. They are fair for the judge: how\n" +
			"fair they are for other agents depends on how well the judge plays.",
		Example: "  synochess book --rules pychess --judge fairy --engine fsf-npm --limit nodes=250 --out pychess.epd\n" +
			"  synochess book --judge greedy --limit nodes=64 --positions 50 --out moddable.epd",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := f.check()
			if err != nil {
				return misused(err)
			}
			return f.run(cmd, settings)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.config, "config", "quick", "preset or YAML file, of which search and the first rule set are used")
	flags.StringVar(&f.rules, "rules", "", "rule set: a built-in name or a YAML file (default: the configuration's first)")
	flags.StringVar(&f.judge, "judge", "greedy", "agent that judges; see match")
	flags.StringVar(&f.limit, "limit", "nodes=250", "the judge's smallest budget for a move")
	flags.IntVar(&f.book.Positions, "positions", 100, "fair positions that are wanted")
	flags.IntVar(&f.book.Candidates, "candidates", 8000, "positions that are looked at, at most")
	flags.Float64Var(&f.book.Width, "width", 0.5, "how far the judge's value may be from the one at which the West scores one half, in log odds")
	flags.Uint64Var(&f.book.Seed, "seed", 1, "number that decides which random positions are looked at")
	flags.StringVar(&f.out, "out", "", "file for the positions, as EPD")
	addSetFlag(cmd, &f.sets, "search.candidates=8")
	addWorkersFlag(cmd, &f.book.Workers)
	f.engines.add(cmd)
	return cmd
}

// check reads the flags and says what is wrong with them.
func (f *bookFlags) check() (*loop.Config, error) {
	c := &f.book
	switch {
	case f.out == "":
		return nil, errors.New("--out is missing: the file for the positions")
	case c.Positions < 1 || c.Candidates < c.Positions:
		return nil, fmt.Errorf("--positions %d, --candidates %d: want at least 1, and at least as many candidates", c.Positions, c.Candidates)
	case !(c.Width > 0 && c.Width <= 10):
		return nil, fmt.Errorf("--width %v: want a number above 0, at most 10", c.Width)
	case c.Workers < 1:
		return nil, fmt.Errorf("--workers %d: want at least 1", c.Workers)
	}
	if info, err := os.Stat(filepath.Dir(f.out)); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("--out %s: its folder does not exist", f.out)
	}
	settings, err := configs.Resolve(f.config, f.sets)
	if err != nil {
		return nil, err
	}
	m := matchFlags{rules: f.rules, limits: [3]string{f.limit}}
	if c.Rules, err = m.ruleSet(&settings.Run); err != nil {
		return nil, err
	}
	limits, err := m.agentLimits([]string{f.judge, f.judge}, &settings.Run)
	if err != nil {
		return nil, err
	}
	if c.Limit = limits[0]; c.Limit.Visits == 0 {
		return nil, fmt.Errorf("--limit %s: the judge's budgets are multiples of nodes=N", f.limit)
	}
	if err := fits(f.judge, selfplay.Limit{Visits: 2 * c.Limit.Visits}, &settings.Run); err != nil {
		return nil, fmt.Errorf("--limit %s, with budgets up to twice as much: %w", f.limit, err)
	}
	return &settings.Run, nil
}

// run looks for the positions and writes them, also those that were found before an error or an interruption.
func (f *bookFlags) run(cmd *cobra.Command, settings *loop.Config) error {
	c := f.book
	var judge *agent
	var err error
	if isEngine(f.judge) {
		judge, err = f.engines.open(cmd, f.judge, c.Rules)
	} else {
		judge, err = openAgent(cmd, f.judge, settings, selfplay.OnlyRules(c.Rules))
	}
	if err != nil {
		return err
	}
	c.Judge = judge.Agent
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
	if err := files.WriteAtomic(f.out, func(w io.Writer) error { return writeBook(w, b, c.Rules.Name, f.command(), judge) }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d fair positions of %d that were looked at: %s\n"+
		"In %d more games from them, which had no part in choosing them, the West scores %.1f%%; 50%% would be exactly fair.\n",
		len(b.Positions), b.Looked, f.out, 2*len(b.Positions), 100*b.FreshScore())
	return errors.Join(failed, err)
}

// command is the command that makes the book again.
func (f *bookFlags) command() string {
	c := &f.book
	made := fmt.Sprintf("synochess book --config %s --rules %s --judge %s --limit %s --positions %d --candidates %d --width %v --seed %d",
		f.config, c.Rules.Name, f.judge, c.Limit, c.Positions, c.Candidates, c.Width, c.Seed)
	for _, s := range f.sets {
		made += " --set " + s
	}
	return made
}

// writeBook writes positions as EPD, with how they were found.
func writeBook(w io.Writer, b *arena.Book, rules, made string, judge *agent) error {
	fmt.Fprintf(w, "# Fair openings of %s: %d of %d positions that were looked at.\n", rules, len(b.Positions), b.Looked)
	fmt.Fprintf(w, "# Made by `%s`.\n", made)
	fmt.Fprintf(w, "# The judge was %s. In %d games that had no part in the choice the West scores %.1f%%.\n",
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
