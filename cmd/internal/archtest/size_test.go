package archtest

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What a reader can hold: of files in a package, tests and generated ones apart, and of lines in a file that somebody
// has written.
const (
	mostFiles = 25
	mostLines = 300
)

// generated is the line by which the go tool knows generated files.
var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// TestSizes counts the files of every package and the lines of every file, tests included.
func TestSizes(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	files := map[string]int{} // by folder
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && path != root) {
			return filepath.SkipDir
		}
		if ext := filepath.Ext(path); ext != ".go" && ext != ".s" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || generated.Match(text) {
			return err
		}
		path, err = filepath.Rel(root, path)
		if n := bytes.Count(text, []byte("\n")); n > mostLines {
			t.Errorf("%s has %d lines, more than %d: divide it along its ideas", path, n, mostLines)
		}
		if !strings.HasSuffix(path, "_test.go") {
			files[filepath.Dir(path)]++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if files["env"] == 0 {
		t.Fatal("no files found")
	}
	for dir, n := range files {
		if n > mostFiles {
			t.Errorf("%s has %d files, more than %d: make packages of it", dir, n, mostFiles)
		}
	}
}
