package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"synochess/env"
)

func newPerft() *cobra.Command {
	var rules, fen string
	var divide bool
	cmd := &cobra.Command{
		Use:   "perft DEPTH",
		Short: "Count the positions that legal moves reach, and how fast",
		Long: "Counts the leaves of the tree of legal moves at every depth up to DEPTH, on one thread. Programs that play\n" +
			"by the same rules count the same. A move that ends the game by a faceoff (King and Chancellor look at each\n" +
			"other) or a campmate (a royal piece reaches a far rank) counts once and has no children.",
		Example: "  synochess perft 5\n  synochess perft 4 --rules pychess --divide",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			depth, err := strconv.Atoi(args[0])
			if err != nil || depth < 1 || depth > 20 {
				return misused(fmt.Errorf("perft: depth %q: want a whole number from 1 to 20", args[0]))
			}
			r, p, err := openPosition(rules, fen)
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			if divide {
				total := uint64(0)
				for _, c := range r.Divide(&p, depth) {
					fmt.Fprintf(out, "%s: %d\n", r.MoveString(c.Move), c.Count)
					total += c.Count
				}
				_, err := fmt.Fprintf(out, "\nNodes searched: %d\n", total)
				return err
			}
			fmt.Fprintf(out, "%s  %s\n", r.Name, r.FEN(&p))
			for d := 1; d <= depth; d++ {
				if err := cmd.Context().Err(); err != nil {
					return err
				}
				start := time.Now()
				n := r.Perft(&p, d)
				seconds := max(time.Since(start).Seconds(), 1e-6)
				fmt.Fprintf(out, "depth %2d  %15d leaves  %8.3f s  %6.0f million/s\n", d, n, seconds, float64(n)/seconds/1e6)
			}
			return nil
		},
	}
	addRulesFlags(cmd, &rules, &fen)
	cmd.Flags().BoolVar(&divide, "divide", false, "print the count below each move instead")
	return cmd
}

// addRulesFlags gives a command the flags that name a position.
func addRulesFlags(cmd *cobra.Command, rules, fen *string) {
	cmd.Flags().StringVar(rules, "rules", "moddable", "rule set: a built-in name or a YAML file")
	cmd.Flags().StringVar(fen, "fen", "", "position (default: the rule set's start)")
}

// openPosition finds the rule set and the position that those flags name.
func openPosition(rules, fen string) (*env.Rules, env.Position, error) {
	r, err := env.ResolveRules(rules)
	if err != nil {
		return nil, env.Position{}, misused(fmt.Errorf("--rules: %w", err))
	}
	if fen == "" {
		return r, r.StartPosition(), nil
	}
	p, err := r.ParseFEN(fen)
	if err != nil {
		return nil, env.Position{}, misused(fmt.Errorf("--fen: %w", err))
	}
	return r, p, nil
}
