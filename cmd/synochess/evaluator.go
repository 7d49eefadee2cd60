package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"synochess/configs"
	"synochess/internal/eval"
	"synochess/mcts"
	"synochess/net"
	"synochess/net/fast"
	"synochess/selfplay"
)

// openEvaluator returns the evaluator of weights (loadWeights), or for "" the material values with a
// uniform prior.
func openEvaluator(weights string) (eval.Evaluator, error) {
	if weights == "" {
		return selfplay.NewMaterial(), nil
	}
	w, err := loadWeights(weights)
	if err != nil {
		return nil, err
	}
	return fast.New(w)
}

// loadWeights reads a weights file, or the newest one of a run's folder.
func loadWeights(path string) (*net.Weights, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		files, err := filepath.Glob(filepath.Join(path, "weights", "*.weights"))
		if err != nil || len(files) == 0 {
			return nil, fmt.Errorf("weights: %s is a folder, but no run's with weights/*.weights in it", path)
		}
		path = slices.Max(files)
	}
	w, err := net.Load(path)
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	return w, nil
}

// playSearch returns the search settings for playing one game at a time.
func playSearch(sets []string) (mcts.Config, error) {
	c, err := configs.Resolve("play", sets)
	if err != nil {
		return mcts.Config{}, err
	}
	return c.Run.Search, nil
}

func addSetFlag(cmd *cobra.Command, sets *[]string, example string) {
	cmd.Flags().StringArrayVar(sets, "set", nil, "override one setting, such as "+example+" (may be repeated)")
}
