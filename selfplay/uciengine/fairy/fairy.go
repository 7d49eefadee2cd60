// Package fairy knows how to start Fairy-Stockfish and how to teach it two of the rule sets. The engine's licence
// is GPL-3.0, so it stays a program of its own that we talk to, and no part of this one.
package fairy

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"synochess/internal/files"
)

// Package is the npm package with the engine's WebAssembly build, and Version the one that is known to work.
const Package, Version = "fairy-stockfish-nnue.wasm", "1.1.12"

//go:embed fairy.mjs
var script []byte

//go:embed variants.ini
var variants []byte

// Rules names the rule sets that it plays exactly; it has the same names for them.
var Rules = []string{"moddable-fsf", "pychess"}

// Program says how the engine is started.
type Program struct {
	Version string   // such as "Fairy-Stockfish wasm 1.1.12", or the path of a program
	Command []string // program and arguments
	// Options make it know Rules and play with its hand-written evaluation, on one thread.
	Options map[string]string
}

// NPM returns the WebAssembly build that npm installed into a folder, run by node. The script that runs it and the
// file of variants are written to the folder scratch, which must exist; they stay there.
func NPM(folder, scratch string) (*Program, error) {
	module := filepath.Join(folder, "node_modules", Package)
	text, err := os.ReadFile(filepath.Join(module, "package.json"))
	if err != nil {
		return nil, fmt.Errorf("Fairy-Stockfish: %w; npm install --prefix %s %s@%s makes it", err, folder, Package, Version)
	}
	var about struct{ Version string }
	if err := json.Unmarshal(text, &about); err != nil {
		return nil, fmt.Errorf("Fairy-Stockfish: %s: %w", filepath.Join(module, "package.json"), err)
	}
	library, err := filepath.Abs(filepath.Join(module, "stockfish.js"))
	if err != nil {
		return nil, err
	}
	run, ini := filepath.Join(scratch, "fairy.mjs"), filepath.Join(scratch, "variants.ini")
	// Other processes may be reading these.
	if err := errors.Join(files.WriteBytes(run, script), files.WriteBytes(ini, variants)); err != nil {
		return nil, err
	}
	return &Program{
		Version: "Fairy-Stockfish wasm " + about.Version,
		Command: []string{"node", run, library, ini},
		Options: options("/variants.ini"), // in the build's own file system
	}, nil
}

// Native returns a program at a path. The file of variants is written to the folder scratch, which must exist.
func Native(path, scratch string) (*Program, error) {
	ini, err := filepath.Abs(filepath.Join(scratch, "variants.ini"))
	if err != nil {
		return nil, err
	}
	if err := files.WriteBytes(ini, variants); err != nil {
		return nil, err
	}
	return &Program{Version: path, Command: []string{path}, Options: options(ini)}, nil
}

func options(ini string) map[string]string {
	return map[string]string{"VariantPath": ini, "Use NNUE": "false", "Threads": "1", "Hash": "16"}
}
