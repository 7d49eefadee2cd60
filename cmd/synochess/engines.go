package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"synochess/configs"
	"synochess/env"
	"synochess/selfplay/uciengine"
	"synochess/selfplay/uciengine/fairy"
)

// engineFlags say where engines are found.
type engineFlags struct {
	file  string // YAML of named engines
	fairy string // a folder with the npm package, or a program
	fresh bool   // a new process for every game
}

// add gives a command the flags for engines of all kinds.
func (f *engineFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.file, "engines", "", "YAML file of named engines, for uci:NAME")
	f.addFairy(cmd)
	cmd.Flags().BoolVar(&f.fresh, "fresh", false, "start engines anew for every game")
}

// addFairy gives a command the flag for Fairy-Stockfish alone.
func (f *engineFlags) addFairy(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.fairy, "engine", "", "Fairy-Stockfish: a program, or a folder into which npm installed\n"+fairy.Package+" (needs node)")
}

// isEngine reports whether an agent's name means an engine.
func isEngine(name string) bool { return name == "fairy" || uciengine.Named(name) }

// open starts the engine of a name and lets it prove that it plays by the rules.
func (f *engineFlags) open(cmd *cobra.Command, name string, r *env.Rules) (*agent, error) {
	cfg, err := f.config(name)
	if err != nil {
		return nil, misused(fmt.Errorf("agent %q: %w", name, err))
	}
	cfg.Fresh = cfg.Fresh || f.fresh
	newProgress(cmd).Say("%s has to prove that it plays by the rules of %s", cfg.Name, r.Name)
	e, err := uciengine.Open(cmd.Context(), cfg, r)
	if err != nil {
		return nil, err
	}
	return &agent{Agent: e, kind: "engine"}, nil
}

// config says how the engine of a name is started.
func (f *engineFlags) config(name string) (uciengine.Config, error) {
	if name == "fairy" {
		return f.fairyConfig()
	}
	command := strings.TrimPrefix(name, uciengine.Prefix)
	if f.file != "" {
		return configs.Engine(f.file, command)
	}
	cfg, err := uciengine.ParseCommand(command)
	if err != nil {
		err = fmt.Errorf("%w; want uci:COMMAND ARGUMENTS... in one word of the shell, or --engines FILE and uci:NAME", err)
	}
	return cfg, err
}

// fairyConfig finds Fairy-Stockfish.
func (f *engineFlags) fairyConfig() (uciengine.Config, error) {
	if f.fairy == "" {
		return uciengine.Config{}, fmt.Errorf("--engine is missing: the path of Fairy-Stockfish, or a folder into which npm installed %s", fairy.Package)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return uciengine.Config{}, err
	}
	scratch := filepath.Join(cache, "synochess", "fairy-stockfish")
	if err := os.MkdirAll(scratch, 0o755); err != nil {
		return uciengine.Config{}, err
	}
	info, err := os.Stat(f.fairy)
	if err != nil {
		return uciengine.Config{}, fmt.Errorf("--engine: %w", err)
	}
	find := fairy.Native
	if info.IsDir() {
		find = fairy.NPM
	}
	p, err := find(f.fairy, scratch)
	if err != nil {
		return uciengine.Config{}, fmt.Errorf("--engine: %w", err)
	}
	return uciengine.Config{Name: "fairy", Command: p.Command[0], Args: p.Command[1:], Options: p.Options}, nil
}
