package uci

import (
	"fmt"
	"slices"
	"strings"

	"synochess/env"
)

// setOption obeys `setoption name NAME value VALUE`.
func (e *Engine) setOption(rest string) error {
	rest, ok := strings.CutPrefix(rest, "name ")
	name, value, _ := strings.Cut(rest, " value ")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || name == "" {
		return fmt.Errorf("setoption: want `setoption name NAME value VALUE`")
	}
	switch strings.ToLower(name) {
	case "uci_variant":
		if !slices.Contains(env.BuiltinNames(), value) {
			return fmt.Errorf("UCI_Variant: no built-in rule set is called %q; there are: %s; RulesFile reads others",
				value, strings.Join(env.BuiltinNames(), " "))
		}
		r, err := env.Builtin(value)
		if err != nil {
			return err
		}
		e.setRules(r)
	case "rulesfile":
		if value == "" || value == "<empty>" {
			return fmt.Errorf("RulesFile: no path given")
		}
		r, err := env.LoadRules(value)
		if err != nil {
			return fmt.Errorf("RulesFile: %w", err)
		}
		e.setRules(r)
	case "weightsfile":
		if value == "<empty>" {
			value = ""
		}
		if err := e.open(value, e.precision); err != nil {
			return fmt.Errorf("WeightsFile: %w", err)
		}
	case "precision":
		if !slices.Contains(e.cfg.Precisions, value) {
			return fmt.Errorf("option Precision: no precision is called %q; there are: %s", value, strings.Join(e.cfg.Precisions, " "))
		}
		if e.weights == "" {
			e.precision = value // for a network that comes later
			return nil
		}
		if err := e.open(e.weights, value); err != nil {
			return fmt.Errorf("option Precision: %w", err)
		}
	default:
		return fmt.Errorf("unknown option %q; there are: UCI_Variant RulesFile WeightsFile Precision", name)
	}
	return nil
}

// setRules makes r the variant, at its start position.
func (e *Engine) setRules(r *env.Rules) {
	e.search = nil
	e.setPosition(r, r.StartPosition())
	e.out.say("info string variant " + r.Name + " startpos " + r.Start)
	e.warn()
}
