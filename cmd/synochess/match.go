package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"synochess/configs"
	"synochess/datasets"
	"synochess/env"
	"synochess/internal/loop"
	"synochess/selfplay"
)

func newMatch() *cobra.Command {
	var config, rules, out string
	var sets []string
	var machine loop.Machine
	cmd := &cobra.Command{
		Use:   "match FIRST SECOND",
		Short: "Let two agents play a match, every opening with each army",
		Long: "Plays FIRST against SECOND and prints the score of FIRST with its 95% interval. An agent is a weights\n" +
			"file, a run's folder (its newest weights), `untrained` (the network of the configuration before its first\n" +
			"step), `greedy` (material values, uniform prior, the same search with every root move a candidate) or\n" +
			"`random`. A network plays in the configuration's precision, or with `:float32` or `:int16` after its name in\n" +
			"that one. For int16, weights that were never calibrated are calibrated on random games, in memory only.\n" +
			"The games have no ply limit but the rules'. The configuration gives the search and, under `proof`,\n" +
			"openings and visits.",
		Example: "  synochess match runs/quick greedy\n" +
			"  synochess match runs/quick:int16 runs/quick:float32\n" +
			"  synochess match new.weights old.weights --set proof.openings=400 --set proof.visits=128 --out games",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkMachine(machine); err != nil {
				return err
			}
			c, err := configs.Resolve(config, sets)
			if err != nil {
				return misused(err)
			}
			r, err := env.ResolveRules(rules)
			if err != nil {
				return misused(fmt.Errorf("--rules: %w", err))
			}
			var agents [2]*agent
			for i, name := range args {
				if agents[i], err = openAgent(cmd, name, &c.Run, selfplay.OnlyRules(r)); err != nil {
					return err
				}
			}
			kernels, err := kernelPath(&c.Run, agents[:]...)
			if err != nil {
				return err
			}
			openings, err := selfplay.RandomOpenings(r, c.Run.Proof.Openings, c.Run.Proof.Plies, c.Run.Proof.Seed)
			if err != nil {
				return err
			}
			m := &selfplay.Match{
				Config: c.Run.Proof, Name: strings.Join(args, " against "), Agents: [2]selfplay.Agent{agents[0], agents[1]}, Openings: openings,
				Workers: machine.Workers,
				Stamp:   selfplay.Stamp{RunID: "match", Program: programVersion(), KernelPath: kernels},
			}
			return playMatch(cmd, m, out)
		},
	}
	cmd.Flags().StringVar(&config, "config", "quick", "preset or YAML file: search and proof are used")
	cmd.Flags().StringVar(&rules, "rules", "moddable", "rule set: a built-in name or a YAML file")
	cmd.Flags().StringVar(&out, "out", "", "folder for the games, as Parquet (default: not kept)")
	addSetFlag(cmd, &sets, "proof.visits=128")
	addMachineFlags(cmd, &machine)
	return cmd
}

// playMatch plays and prints the tally; with a folder it keeps the games.
func playMatch(cmd *cobra.Command, m *selfplay.Match, out string) error {
	total := 2 * len(m.Openings)
	task := newProgress(cmd).Start(m.Name, int64(total), "games")
	defer task.End()
	var games []*datasets.Game
	record := func(g *datasets.Game) error {
		if out != "" {
			games = append(games, g)
		}
		return nil
	}
	tally, err := m.Run(cmd.Context(), record, func(done int) { task.Set(int64(done)) })
	if err != nil {
		return err
	}
	task.End()
	if _, err := fmt.Fprint(cmd.OutOrStdout(), tally); err != nil || out == "" {
		return err
	}
	slices.SortFunc(games, func(a, b *datasets.Game) int { return int(a.Number) - int(b.Number) })
	return writeGames(cmd, out, "match", games)
}

// writeGames writes finished games, sorted by number, as one Parquet file that no file stands in the way of.
func writeGames(cmd *cobra.Command, dir, name string, games []*datasets.Game) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	path := filepath.Join(dir, name+".parquet")
	if _, err := os.Stat(path); err == nil {
		return fmt.Errorf("%s is there already; take another --out or remove it", path)
	}
	_, err := datasets.WriteFile(path, programVersion(), func(yield func(*datasets.Game, error) bool) {
		for _, g := range games {
			if !yield(g, nil) {
				return
			}
		}
	})
	if err == nil {
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "games: %s\n", path)
	}
	return err
}
