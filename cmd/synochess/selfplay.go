package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"
	"github.com/spf13/cobra"

	"synochess/configs"
	"synochess/datasets"
	"synochess/selfplay"
)

func newSelfplay() *cobra.Command {
	var config, weights, out string
	var sets []string
	var workers int
	cmd := &cobra.Command{
		Use:   "selfplay",
		Short: "Play the games of one generation, without training",
		Long: "Plays the games that `train` plays in one generation and writes them to a folder, as Parquet. The games\n" +
			"depend on the configuration and the weights alone. After an interruption the same command goes on.",
		Example: "  synochess selfplay --out games --set games=100\n" +
			"  synochess selfplay --out games --weights runs/quick",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if workers < 1 {
				return misused(fmt.Errorf("--workers %d: want at least 1", workers))
			}
			if out == "" {
				return misused(fmt.Errorf("--out is missing: the folder for the games"))
			}
			c, err := configs.Resolve(config, sets)
			if err != nil {
				return misused(err)
			}
			if err := c.Run.CheckSelfPlay(); err != nil {
				return misused(err)
			}
			rules, err := selfplay.NewRuleSource(c.Run.Rules)
			if err != nil {
				return misused(err)
			}
			if weights == "" {
				weights = "untrained"
			}
			agent, err := openAgent(cmd, weights, &c.Run, rules)
			if err != nil {
				return err
			}
			g := selfplay.Generation{Config: c.Run.SelfPlay, Rules: rules, RunSeed: c.Run.Seed, Games: c.Run.Games}
			stamp, err := selfplayStamp(c, agent)
			if err != nil {
				return err
			}
			return playGames(cmd, agent, g, stamp, workers, out)
		},
	}
	cmd.Flags().StringVar(&config, "config", "quick", "preset or YAML file")
	cmd.Flags().StringVar(&weights, "weights", "", "weights file, run folder, shipped, greedy or random (default: the untrained network)")
	cmd.Flags().StringVar(&out, "out", "", "folder for the games; made where it is missing")
	addSetFlag(cmd, &sets, "games=100")
	addWorkersFlag(cmd, &workers)
	return cmd
}

// selfplayStamp identifies the games by what they depend on: another configuration or other weights make
// another run id.
func selfplayStamp(c *configs.Config, a *agent) (selfplay.Stamp, error) {
	kernels, err := kernelPath(&c.Run, a)
	id := xxhash.Sum64String(fmt.Sprintf("%+v %+v", c.Run, a.Info()))
	return selfplay.Stamp{RunID: fmt.Sprintf("%016x", id), Program: programVersion(), KernelPath: kernels}, err
}

// playGames plays what the journal of the same games lacks and turns it into Parquet.
func playGames(cmd *cobra.Command, agent selfplay.Agent, g selfplay.Generation, stamp selfplay.Stamp, workers int, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	file := datasets.GenerationFile(out, g.Number)
	if _, err := os.Stat(file); err == nil {
		return fmt.Errorf("%s already exists; take another --out or remove it", file)
	}
	journal, _, err := datasets.OpenJournal(filepath.Join(out, stamp.RunID+".journal"))
	if err != nil {
		return err
	}
	defer journal.Close()
	task := newProgress(cmd).Start("self-play", int64(g.Games), "games")
	defer task.End()
	plies := 0
	err = g.Play(cmd.Context(), agent, workers, stamp, journal, file, func(game *datasets.Game, _ int) error {
		plies += len(game.Plies)
		task.Set(int64(journal.Len()))
		task.Note(fmt.Sprintf("%d plies", plies))
		return nil
	})
	if err != nil {
		return err
	}
	task.End() // before anything is printed beside its bar
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "games: %s\n", file)
	return err
}
