package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"synochess/env"
	"synochess/internal/uci"
)

func newUCI() *cobra.Command {
	var rules, weights string
	var sets []string
	cmd := &cobra.Command{
		Use:   "uci",
		Short: "Speak the Universal Chess Interface on standard input and output",
		Long: "Speaks UCI, for graphical interfaces and other engines' tools. Without weights it searches with a\n" +
			"uniform prior and material values, and says so.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := env.ResolveRules(rules)
			if err != nil {
				return misused(fmt.Errorf("--rules: %w", err))
			}
			search, err := playSearch(sets)
			if err != nil {
				return misused(err)
			}
			engine := uci.New(uci.Config{
				Name: "Synochess " + programVersion(), Search: search, Rules: r, Weights: weights, Open: openEvaluator,
			})
			return engine.Run(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&rules, "rules", "moddable", "rule set at the start: a built-in name or a YAML file")
	cmd.Flags().StringVar(&weights, "weights", "", "weights file or run folder at the start")
	addSetFlag(cmd, &sets, "search.max_nodes=100000")
	return cmd
}
