package uci

import (
	"fmt"
	"slices"
	"strings"

	"synochess/env"
)

// alias is what Fairy-Stockfish and its boards call the rule set pychess.
const alias, aliased = "synochess", "pychess"

func describeVariants(e *Engine) string {
	return "combo default " + e.cfg.Rules.Name + " var " + strings.Join(append(env.BuiltinNames(), alias), " var ")
}

func (e *Engine) setVariant(value string) error {
	if value == alias {
		value = aliased
	}
	if !slices.Contains(env.BuiltinNames(), value) {
		return fmt.Errorf("no built-in rule set is called %q; there are: %s; RulesFile reads others",
			value, strings.Join(env.BuiltinNames(), " "))
	}
	r, err := env.Builtin(value)
	if err == nil {
		e.setRules(r)
	}
	return err
}

// setRulesFile makes a file's rule set the variant, or with no file that of the start.
func (e *Engine) setRulesFile(value string) error {
	r, err := e.cfg.Rules, error(nil)
	if value != "" {
		r, err = env.LoadRules(value)
	}
	if err == nil {
		e.setRules(r)
	}
	return err
}

// setRules makes r the variant, at its start position.
func (e *Engine) setRules(r *env.Rules) {
	e.search = nil
	e.setPosition(r, r.StartPosition())
	e.out.say("info string variant " + r.Name + " startpos " + r.Start)
	e.warn()
}

func (e *Engine) setPrecision(value string) error {
	if !slices.Contains(e.cfg.Precisions, value) {
		return fmt.Errorf("no precision is called %q; there are: %s", value, strings.Join(e.cfg.Precisions, " "))
	}
	if e.weights == "" {
		e.precision = value // for a network that comes later
		return nil
	}
	return e.open(e.weights, value)
}
