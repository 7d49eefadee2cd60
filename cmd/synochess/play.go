package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"synochess/cmd/internal/level"
	"synochess/cmd/internal/play"
	"synochess/cmd/internal/textboard"
	"synochess/env"
	"synochess/mcts"
	"synochess/train/loop"
)

func newPlay() *cobra.Command {
	var rules, fen, weights, army, pieces string
	var visits, strength int
	var sets []string
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Play against the program at the terminal",
		Long: "Shows the board and reads moves such as e2e4; `help` lists what else can be typed. The opponent is the\n" +
			"network that comes with the program, at full strength; --level 1 is a beginner.\n\n" +
			precisionHelp,
		Example: "  synochess play --army eastern --level 3\n  synochess play --weights runs/quick:int16 --visits 800",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, start, err := openPosition(rules, fen)
			if err != nil {
				return err
			}
			cfg := play.Config{Rules: r, Start: start}
			switch army {
			case "western":
				cfg.Human[env.Western] = true
			case "eastern":
				cfg.Human[env.Eastern] = true
				cfg.View.Flipped = true
			case "both":
				cfg.Human = [2]bool{true, true}
			case "none":
			default:
				return misused(fmt.Errorf("--army %q: want western, eastern, both or none", army))
			}
			switch pieces {
			case "letters":
			case "symbols":
				cfg.View.Pieces = textboard.Symbols
			default:
				return misused(fmt.Errorf("--pieces %q: want letters or symbols", pieces))
			}
			if visits < 1 {
				return misused(fmt.Errorf("--visits %d: want at least 1", visits))
			}
			settings, err := playConfig(sets)
			if err != nil {
				return misused(err)
			}
			options := mcts.Options{Visits: visits}
			if strength != level.Full {
				l, err := level.Of(strength)
				if err != nil {
					return misused(fmt.Errorf("--%w", err))
				}
				options.Visits = mcts.Unlimited
				l.Limit(&settings.Search, &options)
			}
			if err := settings.Search.CheckVisits(options.Visits); err != nil {
				return misused(fmt.Errorf("--visits: %w", err))
			}
			path, precision := cutPrecision(weights, settings.Precision)
			ev, network, err := openEvaluator(cmd, path, precision, r)
			if err != nil {
				return err
			}
			if network != nil {
				warnOfRules(cmd, path, network, r)
			} else {
				fmt.Fprintln(cmd.OutOrStdout(), "No network: the program searches with a uniform prior and material values.")
			}
			options.AllCandidates = mcts.HasUniformPrior(ev)
			cfg.Think = newThinker(settings.Search, ev, options)
			return play.Run(cmd.Context(), cfg, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	addRulesFlags(cmd, &rules, &fen)
	cmd.Flags().StringVar(&weights, "weights", loop.Shipped, weightsUsage)
	cmd.Flags().StringVar(&army, "army", "western", "your army: western, eastern, both or none (the program plays against itself)")
	cmd.Flags().StringVar(&pieces, "pieces", "letters", "letters, or symbols (needs a font with Chinese characters)")
	cmd.Flags().IntVar(&visits, "visits", 400, "simulations of the search for each move")
	cmd.Flags().IntVar(&strength, "level", level.Full, fmt.Sprintf("strength, from 1 (a beginner) to %d (as --visits says)", level.Full))
	cmd.MarkFlagsMutuallyExclusive("visits", "level")
	addSetFlag(cmd, &sets, "search.c_scale=0.5")
	return cmd
}

// newThinker returns a function that searches one position after another with the same tree.
func newThinker(cfg mcts.Config, ev mcts.Evaluator, o mcts.Options) func(context.Context, *env.Game) (play.Advice, error) {
	search := mcts.New(cfg, mcts.NewCache(cfg.CacheEntries))
	return func(ctx context.Context, g *env.Game) (play.Advice, error) {
		r, err := search.Run(g, o, ev, ctx.Done())
		if err != nil {
			return play.Advice{}, err
		}
		return play.Advice{Best: r.Best, Line: r.PV, Win: r.RootAfter[0], Draw: r.RootAfter[1], Loss: r.RootAfter[2]}, nil
	}
}
