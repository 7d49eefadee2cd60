package configs

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"synochess/selfplay"
	"synochess/train/loop"
)

//go:embed *.yaml
var presets embed.FS

// root is the preset that names every key; all others change it.
const root = "quick"

// Config is a resolved configuration.
type Config struct {
	Run    loop.Config
	name   string  // as Resolve was given it
	loader *loader // knows origins and comments
}

// layer is a document's shape: the run's keys and the preset they change.
type layer struct {
	Base        string `yaml:"base,omitempty" doc:"the preset that this file changes; without it, quick"`
	loop.Config `yaml:",inline"`
}

// PresetNames returns the names of the embedded presets.
func PresetNames() []string {
	files, err := fs.Glob(presets, "*.yaml")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(f, ".yaml")
	}
	return files
}

// Resolve reads a preset or, where the name ends in .yaml or .yml or holds a path separator, a file; then
// it applies the overrides and checks the whole. Rules files that it names are read now: their rule sets
// stand in what is returned.
func Resolve(nameOrPath string, sets []string) (*Config, error) {
	c := &Config{name: nameOrPath, loader: newLoader()}
	var l layer
	if err := c.loader.load(&l, nameOrPath, nil); err != nil {
		return nil, err
	}
	for _, s := range sets {
		if err := c.loader.set(&l.Config, s); err != nil {
			return nil, err
		}
	}
	if err := c.takeRules(l.Config.Rules); err != nil {
		return nil, fmt.Errorf("config %s: %w", nameOrPath, err)
	}
	if err := l.Config.Validate(); err != nil {
		return nil, c.loader.locate("config "+nameOrPath, err)
	}
	c.Run = l.Config
	return c, nil
}

// takeRules reads the rules files that entries name; a path is relative to the file that it stands in, one of
// an override to the working directory.
func (c *Config) takeRules(entries []selfplay.RuleEntry) error {
	for i, e := range entries {
		dir := "."
		if from := c.loader.origin[fmt.Sprintf("rules[%d].name", i)]; !strings.HasPrefix(from, "--set ") {
			dir = filepath.Dir(from)
		}
		var err error
		if entries[i], err = e.Whole(dir); err != nil {
			return fmt.Errorf("rules[%d].%w", i, err)
		}
	}
	return nil
}

// load applies a layer and first the ones below it; above names those that led here.
func (l *loader) load(out *layer, nameOrPath string, above []string) error {
	for _, a := range above {
		if a == nameOrPath {
			return fmt.Errorf("config %s: base leads back to itself: %s", nameOrPath, strings.Join(append(above, nameOrPath), " -> "))
		}
	}
	source, text, err := read(nameOrPath)
	if err != nil {
		return err
	}
	var own layer // only its base is used: what the keys say is judged when they are applied
	if err := newLoader().apply(&own, source, text); err != nil {
		return err
	}
	if own.Base == "" && nameOrPath != root {
		own.Base = root
	}
	if own.Base != "" {
		if isPath(own.Base) {
			return fmt.Errorf("config %s: base: %q is not the name of a preset; there are: %s", nameOrPath, own.Base, strings.Join(PresetNames(), ", "))
		}
		if err := l.load(out, own.Base, append(above, nameOrPath)); err != nil {
			return err
		}
	}
	return l.apply(out, source, text)
}

// isPath reports whether a configuration's name means a file and not a preset.
func isPath(s string) bool {
	ext := filepath.Ext(s)
	return strings.ContainsAny(s, `/\`) || ext == ".yaml" || ext == ".yml"
}

// read returns the text of a preset or file, and its name for errors.
func read(nameOrPath string) (source string, text []byte, err error) {
	if isPath(nameOrPath) {
		text, err := os.ReadFile(nameOrPath)
		return nameOrPath, text, err
	}
	source = nameOrPath + ".yaml"
	text, err = presets.ReadFile(source)
	if errors.Is(err, fs.ErrNotExist) {
		hint := ""
		if near := nearest(nameOrPath, PresetNames()); near != "" {
			hint = fmt.Sprintf(" (did you mean %q?)", near)
		}
		err = fmt.Errorf("config: no preset is called %q%s; there are: %s; a file's name ends in .yaml",
			nameOrPath, hint, strings.Join(PresetNames(), ", "))
	}
	return source, text, err
}

// YAML returns the resolved configuration as a file that reads back to the same, with the comments of the
// presets and the origin of every value that a preset does not give.
func (c *Config) YAML() ([]byte, error) {
	return c.loader.print(c.Run, isPreset)
}

// isPreset reports whether a value's origin is an embedded preset.
func isPreset(origin string) bool {
	file, _, _ := strings.Cut(origin, ":")
	return slices.Contains(PresetNames(), strings.TrimSuffix(file, ".yaml"))
}
