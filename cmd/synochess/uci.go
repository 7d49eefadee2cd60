package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"synochess/cmd/internal/uci"
	"synochess/env"
	"synochess/mcts"
	"synochess/net"
	"synochess/net/fast"
	"synochess/train/loop"
)

func newUCI() *cobra.Command {
	var rules, weights string
	var sets []string
	cmd := &cobra.Command{
		Use:   "uci",
		Short: "Speak the Universal Chess Interface on standard input and output",
		Long: "Speaks the Universal Chess Interface, for graphical boards and for programs that let engines play\n" +
			"(docs/uci.md). It plays with the network that comes with the program, or with another (--weights).\n\n" +
			precisionHelp + "\nThe UCI option Precision changes it later.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := env.ResolveRules(rules)
			if err != nil {
				return misused(fmt.Errorf("--rules: %w", err))
			}
			settings, err := playConfig(sets)
			if err != nil {
				return misused(err)
			}
			path, precision := cutPrecision(weights, settings.Precision)
			if path == "greedy" {
				path = ""
			}
			var network *net.Weights // that was opened last
			cfg := uci.Config{
				Name: "Synochess " + programVersion(), Search: settings.Search, Rules: r, Weights: path, Precision: string(precision),
				Open: func(weights, precision string, r *env.Rules, threads int) ([]mcts.Evaluator, error) {
					ev, w, err := openEvaluator(cmd, weights, fast.Precision(precision), r)
					if err != nil {
						return nil, err
					}
					network = w
					hands := []mcts.Evaluator{ev}
					for range threads - 1 {
						if net, ok := ev.(*fast.Evaluator); ok {
							ev = net.Twin()
						}
						hands = append(hands, ev)
					}
					return hands, nil
				},
				Warn: func(r *env.Rules) string {
					if network == nil {
						return ""
					}
					return untrainedOn(network, r)
				},
			}
			for _, p := range append([]fast.Precision{fast.Auto}, fast.Precisions...) {
				cfg.Precisions = append(cfg.Precisions, string(p))
			}
			engine := uci.New(cfg)
			return engine.Run(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&rules, "rules", "moddable", "rule set at the start: a built-in name or a YAML file")
	cmd.Flags().StringVar(&weights, "weights", loop.Shipped, weightsUsage+"; at the start")
	addSetFlag(cmd, &sets, "search.max_nodes=100000")
	return cmd
}
