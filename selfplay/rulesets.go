package selfplay

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"synochess/env"
	"synochess/internal/setting"
)

// RuleEntry is one line of a run's list of rule sets. Name is a built-in rule set's or the path of a YAML file.
// A rule set is drawn in proportion to its Weight.
type RuleEntry struct {
	Name   string           `yaml:"name"`
	Text   string           `yaml:"text,omitempty" doc:"the rule set itself, as YAML; name is then its name, or left out"`
	Weight float64          `yaml:"weight" range:"(0,)"`
	Vary   map[string][]any `yaml:"vary,omitempty" doc:"fields of the rule set, each with a list of values: each game draws one of each"`
}

// Whole returns the entry without a path: one that named a file holds the file's rule set as Text, so that what
// becomes of the file does not matter any more. The path is relative to dir or, where dir has no such file, to the
// working directory.
func (e RuleEntry) Whole(dir string) (RuleEntry, error) {
	r, err := e.rules(dir)
	if err != nil {
		return e, err
	}
	if !slices.Contains(env.BuiltinNames(), r.Name) {
		e.Text = r.Canonical()
	}
	e.Name = r.Name
	return e, nil
}

// rules reads the entry's rule set.
func (e *RuleEntry) rules(dir string) (*env.Rules, error) {
	if e.Text == "" {
		path := e.Name
		beside := filepath.Join(dir, path)
		if !slices.Contains(env.BuiltinNames(), path) && !filepath.IsAbs(path) && isFile(beside) {
			path = beside
		}
		r, err := env.ResolveRules(path)
		if err != nil {
			err = fmt.Errorf("name: %w", err)
		}
		return r, err
	}
	r, err := env.ParseRules([]byte(e.Text), "text")
	switch {
	case err != nil:
		return nil, fmt.Errorf("text: %w", err)
	case e.Name != "" && e.Name != r.Name:
		return nil, fmt.Errorf("name is %q, and the text's rule set is called %q: make them one, or leave the name out", e.Name, r.Name)
	}
	return r, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// RuleSource draws the rule set of each game. It is fixed after NewRuleSource and safe for concurrent use.
type RuleSource struct {
	entries []ruleEntry
	total   float64
}

type ruleEntry struct {
	rules  *env.Rules
	weight float64
	fields []string // sorted, so that a draw does not depend on a map's order
	vary   map[string][]any
	varied []*env.Rules // for each value of each varied field a rule set with it that can be played
}

// maxRedraws bounds the search for a playable combination of varied fields.
const maxRedraws = 100

// NewRuleSource loads every entry's rule set and makes sure that each varied value can be played.
func NewRuleSource(entries []RuleEntry) (*RuleSource, error) {
	s := &RuleSource{}
	if len(entries) == 0 {
		return nil, setting.Errorf("rules", "is empty; name at least one rule set, such as moddable")
	}
	for i, e := range entries {
		if err := setting.Check(&e); err != nil {
			return nil, setting.In(fmt.Sprintf("rules[%d]", i), err)
		}
		r, err := e.rules(".")
		if err != nil {
			return nil, fmt.Errorf("rules[%d].%w", i, err)
		}
		fields := slices.Sorted(maps.Keys(e.Vary))
		for _, field := range fields {
			if len(e.Vary[field]) == 0 {
				return nil, setting.Errorf(fmt.Sprintf("rules[%d].vary.%s", i, field), "has no values; list at least one")
			}
		}
		entry := ruleEntry{rules: r, weight: e.Weight, fields: fields, vary: e.Vary}
		if err := entry.check(); err != nil {
			return nil, fmt.Errorf("rules[%d].vary.%w", i, err)
		}
		s.entries = append(s.entries, entry)
		s.total += e.Weight
	}
	return s, nil
}

// OnlyRules returns a source that always draws r.
func OnlyRules(r *env.Rules) *RuleSource {
	return &RuleSource{entries: []ruleEntry{{rules: r, weight: 1}}, total: 1}
}

// Bases returns the rule sets of the list, without variations, each once.
func (s *RuleSource) Bases() []*env.Rules {
	var all []*env.Rules
	for _, e := range s.entries {
		if !slices.ContainsFunc(all, func(r *env.Rules) bool { return r.Hash() == e.rules.Hash() }) {
			all = append(all, e.rules)
		}
	}
	return all
}

// Draw picks a game's rule set: an entry by weight, then a value for each of its varied fields. It is an error if no
// combination of values that can be played was found in maxRedraws attempts.
func (s *RuleSource) Draw(rng *rand.Rand) (*env.Rules, error) {
	x := rng.Float64() * s.total
	i := 0
	for ; i < len(s.entries)-1 && x >= s.entries[i].weight; i++ {
		x -= s.entries[i].weight
	}
	return s.entries[i].draw(rng)
}

// Examples returns rule sets of the list that have, between them, every value of every varied field.
func (s *RuleSource) Examples() []*env.Rules {
	all := s.Bases()
	for _, e := range s.entries {
		all = append(all, e.varied...)
	}
	return all
}

// check finds a playable combination for every value of every varied field, and keeps it.
func (e *ruleEntry) check() error {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, field := range e.fields {
		for _, value := range e.vary[field] {
			fixed := ruleEntry{rules: e.rules, fields: e.fields, vary: maps.Clone(e.vary)}
			fixed.vary[field] = []any{value}
			r, err := fixed.draw(rng)
			if err != nil {
				return fmt.Errorf("%s: value %v: %w", field, value, err)
			}
			e.varied = append(e.varied, r)
		}
	}
	return nil
}

// draw picks a value for each varied field, and picks again where the combination cannot be played.
func (e *ruleEntry) draw(rng *rand.Rand) (*env.Rules, error) {
	if len(e.fields) == 0 {
		return e.rules, nil
	}
	var err error
	for range maxRedraws {
		changes := map[string]any{}
		for _, field := range e.fields {
			changes[field] = e.vary[field][rng.IntN(len(e.vary[field]))]
		}
		var r *env.Rules
		if r, err = e.rules.With(changes); err == nil {
			return r, nil
		}
	}
	return nil, fmt.Errorf("no playable combination in %d draws: %w", maxRedraws, err)
}
