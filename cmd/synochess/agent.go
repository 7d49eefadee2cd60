package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"synochess/mcts"
	"synochess/net"
	"synochess/net/fast"
	"synochess/selfplay"
	"synochess/selfplay/netagent"
	"synochess/train/loop"
)

// agent is an agent of a match with what commands need to know of it besides.
type agent struct {
	selfplay.Agent
	kind    string             // network, greedy, random or engine
	kernels string             // a network's kernel path
	path    string             // a network's file or folder
	search  *selfplay.Searcher // of all but random and engines
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
		on, err := chosenKernels()
		if err != nil {
			return "", err
		}
		return cfg.Precision.For(on, cfg.Net).KernelPath(on)
	}
	return strings.Join(paths, ", "), nil
}

// openAgent returns the agent of a name: random, greedy, untrained, shipped, a weights file or a run's folder, the
// last four with the precision after a colon if it is not the configuration's. A network that needs a calibration
// and has none is calibrated on the rules that it is going to play; if it never learned them, there is a warning.
func openAgent(cmd *cobra.Command, name string, cfg *loop.Config, rules *selfplay.RuleSource) (*agent, error) {
	path, precision := cutPrecision(name, cfg.Precision)
	switch {
	case (path == "random" || path == "greedy") && path != name:
		return nil, misused(fmt.Errorf("agent %q: %s is not a network and has no precision", name, path))
	case path == "random":
		return &agent{Agent: selfplay.Random(), kind: "random"}, nil
	case path == "greedy":
		greedy := selfplay.Greedy(cfg.Search)
		return &agent{Agent: greedy, kind: "greedy", search: greedy}, nil
	}
	w, err := openNetwork(path, cfg)
	if err != nil {
		return nil, err
	}
	if path != "untrained" {
		warnOfRules(cmd, path, w, rules.Bases()...)
	}
	on, err := chosenKernels()
	if err != nil {
		return nil, err
	}
	precision = precision.For(on, w.Arch)
	kernels, err := precision.KernelPath(on)
	if err != nil {
		return nil, fmt.Errorf("agent %q: %w", name, err)
	}
	if err := calibrate(cmd, w, path, precision, rules); err != nil {
		return nil, fmt.Errorf("agent %q: %w", name, err)
	}
	a := netagent.New(on, w, precision, cfg.Search)
	// The name tells it from another network, and from itself in another precision.
	a.Kind = networkName(path, 1) + strings.TrimPrefix(name, path)
	return &agent{Agent: a, kind: "network", kernels: kernels, path: path, search: a}, nil
}

// with returns the agent with another search, if it searches.
func (a *agent) with(search mcts.Config) *agent {
	if a.search == nil {
		return a
	}
	other := *a
	other.search = a.search.With(search)
	other.Agent = other.search
	return &other
}

// networkName returns the last parts of a network's path.
func networkName(path string, parts int) string {
	all := strings.Split(filepath.ToSlash(path), "/")
	return strings.TrimSuffix(strings.Join(all[max(0, len(all)-parts):], "/"), ".weights")
}

// tellApart gives two different networks of one name as much of their paths as it takes to tell which is which.
func tellApart(a, b *agent) {
	if a.kind != "network" || b.kind != "network" || a.search.Kind != b.search.Kind || a.search.EvalID == b.search.EvalID {
		return
	}
	var paths [2]string
	var precisions [2]string
	for i, x := range []*agent{a, b} {
		paths[i], precisions[i] = x.path, strings.TrimPrefix(x.search.Kind, networkName(x.path, 1))
		if full, err := filepath.Abs(x.path); err == nil {
			paths[i] = full
		}
	}
	most := max(strings.Count(filepath.ToSlash(paths[0]), "/"), strings.Count(filepath.ToSlash(paths[1]), "/")) + 1
	for parts := 2; parts <= most; parts++ {
		if one, other := networkName(paths[0], parts), networkName(paths[1], parts); one != other {
			a.search.Kind, b.search.Kind = one+precisions[0], other+precisions[1]
			return
		}
	}
	// One path that holds two networks: a file that was replaced in between.
	a.search.Kind, b.search.Kind = a.search.Kind+" "+a.search.EvalID, b.search.Kind+" "+b.search.EvalID
}

// cutPrecision takes the precision off the end of an agent's or a network's name; without one it is the
// given one.
func cutPrecision(name string, otherwise fast.Precision) (path string, p fast.Precision) {
	for _, p := range fast.Precisions {
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
		return nil, misused(fmt.Errorf("agent %q is neither a file nor a run folder, nor one of: shipped, random, greedy, untrained (the engines uci:COMMAND and fairy play in `match` and `book` alone)", path))
	}
	return w, err
}
