package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"synochess/configs"
	"synochess/env"
	"synochess/env/encode"
	"synochess/mcts"
	"synochess/net"
	"synochess/net/fast"
	"synochess/selfplay"
	"synochess/selfplay/netagent"
	"synochess/train/loop"
)

// openEvaluator returns the evaluator of weights (loadWeights) in a precision, and the weights. For "" and greedy these are
// the material values with a uniform prior, and nil. Weights that were never calibrated play in float32 if the precision is
// auto, and are calibrated on rule set r if it is int16.
func openEvaluator(cmd *cobra.Command, weights string, p fast.Precision, r *env.Rules) (mcts.Evaluator, *net.Weights, error) {
	if weights == "" || weights == "greedy" {
		return selfplay.NewMaterial(), nil, nil
	}
	w, err := loadWeights(weights)
	if err != nil {
		return nil, nil, err
	}
	if p == fast.Auto && fast.Int16.ID(w) == "" {
		p = fast.Float32 // nobody asked for a calibration
	}
	path, err := chosenKernels()
	if err != nil {
		return nil, nil, err
	}
	p = p.For(path, w.Arch)
	if err := calibrate(cmd, w, weights, p, selfplay.OnlyRules(r)); err != nil {
		return nil, nil, fmt.Errorf("weights %s: %w", weights, err)
	}
	ev, err := p.Open(path, w)
	return ev, w, err
}

// warnOfRules warns if a network never learned one of the rule sets that it is going to play. Rule sets that
// differ in their start alone are one to a network.
func warnOfRules(cmd *cobra.Command, path string, w *net.Weights, rules ...*env.Rules) {
	if text := untrainedOn(w, rules...); text != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s %s\n", path, text)
	}
}

// untrainedOn says which of the rule sets a network never learned and which it did, "" if it knows all.
func untrainedOn(w *net.Weights, rules ...*env.Rules) string {
	known := map[uint64]bool{}
	var names []string
	for _, text := range w.Record.Rules {
		if r, err := env.ParseRules([]byte(text), "weights"); err == nil {
			known[r.GroupHash()] = true
			names = append(names, r.Name)
		}
	}
	var foreign []string
	var strange []*env.Rules
	for _, r := range rules {
		if !known[r.GroupHash()] {
			foreign, strange = append(foreign, r.Name), append(strange, r)
		}
	}
	blind := ""
	if keys := encode.Unseen(w.Arch.EncodingVersion, strange...); len(keys) > 0 {
		blind = fmt.Sprintf("; its inputs (encoding version %d) do not tell it of %s", w.Arch.EncodingVersion, strings.Join(keys, ", "))
	}
	switch {
	case len(foreign) == 0:
		return ""
	case len(names) == 0:
		return fmt.Sprintf("does not say what rules it was trained on; it is going to play %s%s", strings.Join(foreign, ", "), blind)
	}
	return fmt.Sprintf("was never trained on %s, only on %s: expect it to play badly%s", strings.Join(foreign, ", "), strings.Join(names, ", "), blind)
}

// calibrate makes weights that were never calibrated ready for a precision that needs it, on the rules they
// are going to play, and says so.
func calibrate(cmd *cobra.Command, w *net.Weights, path string, p fast.Precision, rules *selfplay.RuleSource) error {
	if p.ID(w) != "" {
		return nil
	}
	on, err := chosenKernels()
	if err != nil {
		return err
	}
	newProgress(cmd).Say("%s is not calibrated for %s: calibrating it on positions of random games, in memory only", path, p)
	return netagent.Calibrate(on, w, p, rules)
}

// loadWeights reads a weights file, the newest one of a run's folder, or the shipped one (loop.LoadWeights).
func loadWeights(path string) (*net.Weights, error) {
	w, err := loop.LoadWeights(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, misused(fmt.Errorf("weights %s: %w; want a weights file or a run's folder%s", path, fs.ErrNotExist, noWeightsHint(path)))
	}
	return w, err
}

// noWeightsHint explains a name that other commands take where a path is wanted, or is "".
func noWeightsHint(path string) string {
	name, _ := cutPrecision(path, "")
	switch {
	case name == "random" || name == "untrained":
		return fmt.Sprintf(" (%s is an agent of match and selfplay)", name)
	case name == "greedy":
		return " (greedy is an agent of match and selfplay, and what play and uci can search with; it has no weights)"
	case name != path:
		return " without a precision"
	}
	return ""
}

// playConfig returns the settings for playing one game at a time: search and precision are used.
func playConfig(sets []string) (*loop.Config, error) {
	c, err := configs.Resolve("play", sets)
	if err != nil {
		return nil, err
	}
	return &c.Run, nil
}

// precisionHelp is the part of the help on precision that commands share which play one game at a time.
const precisionHelp = "`:float32` or `:int16` after the weights' path says in which precision the network plays; otherwise the\n" +
	"setting `precision` does (--set precision=int16). A network that was never calibrated for int16 is\n" +
	"calibrated at the start if int16 is asked for, and plays in float32 if the setting is auto, which\n" +
	"otherwise is the faster one on this machine."

// weightsUsage describes the flag --weights of commands that play one game at a time.
const weightsUsage = "shipped, a weights file, a run folder (its newest weights), or greedy (material values);\nwith :float32 or :int16 after a network in that precision"

// addSetFlag gives a command the flag that changes settings.
func addSetFlag(cmd *cobra.Command, sets *[]string, example string) {
	cmd.Flags().StringArrayVar(sets, "set", nil, "override one setting: `KEY=VALUE`, such as "+example+" (may be repeated)")
}
