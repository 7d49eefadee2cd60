package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"synochess/internal/loop"
	"synochess/net"
	"synochess/selfplay"
)

// agent is an agent and, for a network, the kernel path it runs on.
type agent struct {
	selfplay.Agent
	kernels string
}

// kernelPath names the arithmetic of games between agents: the paths of the networks, or of the
// configuration's precision if there is none.
func kernelPath(cfg *loop.Config, agents ...*agent) (string, error) {
	var paths []string
	for _, a := range agents {
		if a.kernels != "" && !slices.Contains(paths, a.kernels) {
			paths = append(paths, a.kernels)
		}
	}
	if len(paths) == 0 {
		return cfg.Precision.For(cfg.Net).KernelPath()
	}
	return strings.Join(paths, ", "), nil
}

// openAgent returns the agent of a name: random, greedy, untrained, a weights file or a run's folder, the
// last three with the precision after a colon if it is not the configuration's. Networks that were never
// calibrated are where they need it, on the rules they are going to play.
func openAgent(cmd *cobra.Command, name string, cfg *loop.Config, rules *selfplay.RuleSource) (*agent, error) {
	path, precision := cutPrecision(name, cfg.Precision)
	switch {
	case (path == "random" || path == "greedy") && path != name:
		return nil, misused(fmt.Errorf("agent %q: %s is no network and has no precision", name, path))
	case path == "random":
		return &agent{Agent: selfplay.Random()}, nil
	case path == "greedy":
		return &agent{Agent: loop.GreedyAgent(cfg.Search)}, nil
	}
	w, err := openNetwork(path, cfg)
	if err != nil {
		return nil, err
	}
	precision = precision.For(w.Arch)
	if err := calibrate(cmd, w, path, precision, rules); err != nil {
		return nil, fmt.Errorf("agent %q: %w", name, err)
	}
	kernels, err := precision.KernelPath()
	if err != nil {
		return nil, err
	}
	a := loop.NetworkAgent(w, precision, cfg.Search)
	// The name tells it from another network, and from itself in another precision.
	a.Kind = strings.TrimSuffix(filepath.Base(path), ".weights") + strings.TrimPrefix(name, path)
	return &agent{a, kernels}, nil
}

// cutPrecision takes the precision off the end of an agent's or a network's name; without one it is the
// given one.
func cutPrecision(name string, otherwise loop.Precision) (path string, p loop.Precision) {
	for _, p := range loop.Precisions {
		if path, ok := strings.CutSuffix(name, ":"+string(p)); ok && path != "" {
			return path, p
		}
	}
	return name, otherwise
}

// openNetwork returns the weights of a name or path without precision.
func openNetwork(path string, cfg *loop.Config) (*net.Weights, error) {
	if path == "untrained" {
		return net.New(cfg.Net, cfg.Seed), nil
	}
	w, err := loadWeights(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, misused(fmt.Errorf("agent %q is no file or run folder, and none of: random, greedy, untrained", path))
	}
	return w, err
}
