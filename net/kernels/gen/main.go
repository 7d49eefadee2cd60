// Command gen writes the assembly of package kernels and of those below it, with its Go declarations:
//
//	go generate ./net/kernels
//
// It has three targets: the forward pass on amd64 and training on amd64, both with avo, and the forward pass on arm64 as
// text. It is a module of its own, so that the program does not depend on avo; it reads the program's Winograd
// matrices.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"synochess/net/kernels/gen/forward"
	"synochess/net/kernels/gen/neon"
	"synochess/net/kernels/gen/training"
)

func main() {
	folder := flag.String("folder", "..", "where to write: the folder of package kernels")
	flag.Parse()
	for _, files := range []func() (map[string][]byte, error){forward.Files, training.Files, neon.Files} {
		if err := write(*folder, files); err != nil {
			fmt.Fprintln(os.Stderr, "gen:", err)
			os.Exit(1)
		}
	}
}

// write writes a target's files, by their paths below the folder.
func write(folder string, files func() (map[string][]byte, error)) error {
	texts, err := files()
	if err != nil {
		return err
	}
	for name, text := range texts {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
