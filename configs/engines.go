package configs

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"synochess/internal/setting"
	"synochess/selfplay/uciengine"
)

// Engine reads one of the named engines of a YAML file:
//
//	NAME:
//	  command: stockfish
//	  args: [--quiet]
//	  options: {Hash: 64}
//	  variants: {moddable-fsf: synochess-fsf} # what it calls our rule sets
//	  patience: 60s
//	  fresh: false
func Engine(path, name string) (uciengine.Config, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return uciengine.Config{}, fmt.Errorf("engines: %w", err)
	}
	all := map[string]uciengine.Config{}
	l := newLoader()
	if err := l.apply(&all, path, text); err != nil {
		return uciengine.Config{}, err
	}
	cfg, ok := all[name]
	if !ok {
		return cfg, fmt.Errorf("%s: no engine is called %q; there are: %s", path, name, strings.Join(slices.Sorted(maps.Keys(all)), ", "))
	}
	cfg.Name = name
	if err := cfg.Validate(); err != nil {
		return cfg, l.locate(path, setting.In(name, err))
	}
	return cfg, nil
}
