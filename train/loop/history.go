package loop

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"synochess/datasets"
	"synochess/internal/files"
	"synochess/selfplay"
)

// Leg is a stretch of a run: what makes its generations from one on, until the next leg begins. A run has a new
// leg wherever it goes on with other settings, with another program or on another kernel path.
type Leg struct {
	From       int       `yaml:"from"`        // first generation made so
	Program    string    `yaml:"program"`     // program version
	KernelPath string    `yaml:"kernel_path"` // of the games; games repeat within one path
	Config     yaml.Node `yaml:"config"`      // the whole configuration, as config.yaml has it
}

// ReadHistory returns the legs of a run, none if it has no history: one of an earlier version.
func ReadHistory(f datasets.RunFolder) ([]Leg, error) {
	path := f.History()
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("run folder: %w", err)
	}
	var legs []Leg
	err = yaml.Unmarshal(text, &legs)
	if err == nil && len(legs) == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: not the history of a run: %w; restore it, or remove it: config.yaml is then what the run was made with", path, err)
	}
	return legs, nil
}

// writeHistory saves the configuration as config.yaml and then the legs, the last of which has it. A kill between
// the two leaves a configuration that differs from the last leg's, as an edited one does.
func writeHistory(f datasets.RunFolder, cfg *Config, legs []Leg) error {
	for _, file := range []struct {
		path    string
		content any
	}{{f.Config(), cfg}, {f.History(), legs}} {
		text, err := yaml.Marshal(file.content)
		if err != nil {
			return fmt.Errorf("%s: %w", file.path, err)
		}
		if err := files.WriteBytes(file.path, text); err != nil {
			return err
		}
	}
	return nil
}

// change is a setting that differs between an old configuration and a new one.
type change struct {
	key      string
	old, now string // as YAML; "" where a configuration has none
}

func (c change) String() string {
	if c.old == "" {
		return c.key + ": " + c.now
	}
	return fmt.Sprintf("%s: %s -> %s", c.key, c.old, c.now)
}

// mayChange reports whether a run may go on with another value: where no game and no weight that it has made
// depends on it.
func (c change) mayChange() bool {
	section, _, _ := strings.Cut(c.key, ".")
	return section == "generations" || section == "proof" || section == "anchor"
}

// changes compares the settings of a leg with those given. Settings that the leg lacks, because its program did not have
// them yet, are listed apart.
func changes(leg *yaml.Node, given *Config) (changed, added []change, err error) {
	var now yaml.Node
	if err := now.Encode(given); err != nil {
		return nil, nil, err
	}
	var olds, nows []change
	if olds, err = settingsOf(leg, "", nil); err != nil {
		return nil, nil, err
	}
	if nows, err = settingsOf(&now, "", nil); err != nil {
		return nil, nil, err
	}
	was := map[string]string{}
	for _, s := range olds {
		was[s.key] = s.now
	}
	for _, s := range nows {
		old, there := was[s.key]
		delete(was, s.key)
		s.old = old
		switch {
		case s.key == "rules":
			if err := compareRules(leg, given.Rules); err != nil {
				s.old, s.now = "", err.Error()
				changed = append(changed, s)
			}
		case !there:
			added = append(added, s)
		case !sameValue(old, s.now):
			changed = append(changed, s)
		}
	}
	for _, s := range olds {
		if old, left := was[s.key]; left {
			changed = append(changed, change{s.key, old, "nothing"})
		}
	}
	return changed, added, nil
}

// settingsOf appends the settings of a document in order, each as now. A list is one setting.
func settingsOf(n *yaml.Node, path string, into []change) ([]change, error) {
	switch n.Kind {
	case yaml.DocumentNode:
		return settingsOf(n.Content[0], path, into)
	case yaml.MappingNode:
		var err error
		for i := 0; i+1 < len(n.Content) && err == nil; i += 2 {
			into, err = settingsOf(n.Content[i+1], strings.TrimPrefix(path+"."+n.Content[i].Value, "."), into)
		}
		return into, err
	case yaml.ScalarNode:
		return append(into, change{key: path, now: cmp.Or(n.Value, `""`)}), nil
	}
	list := *n
	list.Style |= yaml.FlowStyle // on one line
	text, err := yaml.Marshal(&list)
	return append(into, change{key: path, now: strings.TrimSpace(string(text))}), err
}

// sameValue compares two scalars, numbers however they are spelled.
func sameValue(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return a == b || errX == nil && errY == nil && x == y
}

// compareRules says how the rule sets of a leg differ from those given. A leg of an earlier program may name a file
// where there is now a rule set; checkRules compares what was in the file.
func compareRules(leg *yaml.Node, given []selfplay.RuleEntry) error {
	var old struct {
		Rules []selfplay.RuleEntry `yaml:"rules"`
	}
	if err := leg.Decode(&old); err != nil {
		return err
	}
	if len(old.Rules) != len(given) {
		return fmt.Errorf("%d rule sets there, %d given", len(old.Rules), len(given))
	}
	for i, was := range old.Rules {
		now := given[i]
		switch {
		case was.Weight != now.Weight:
			return fmt.Errorf("rules[%d].weight is %v there, %v given", i, was.Weight, now.Weight)
		case fmt.Sprint(was.Vary) != fmt.Sprint(now.Vary):
			return fmt.Errorf("rules[%d].vary is %v there, %v given", i, was.Vary, now.Vary)
		case was.Text == "" && now.Text != "":
			continue
		case was.Name != now.Name || was.Text != now.Text:
			return fmt.Errorf("rules[%d] is %q there, %q given, or its fields differ", i, was.Name, now.Name)
		}
	}
	return nil
}
