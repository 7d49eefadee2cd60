package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var link = regexp.MustCompile(`\]\(([^)#]+)[^)]*\)`)

// links returns the files that a page in Markdown links to, web pages left out, as paths like its own.
func links(t *testing.T, page string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, m := range link.FindAllStringSubmatch(string(text), -1) {
		if !strings.Contains(m[1], "://") {
			files = append(files, filepath.Join(filepath.Dir(page), m[1]))
		}
	}
	return files
}

// TestLinks follows the links of README.md and docs to files of the repository. Every file of docs must be
// found that way, and every page from the index, docs/README.md.
func TestLinks(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	index := filepath.Join(root, "docs", "README.md")
	pages := []string{filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md"), filepath.Join(root, "CHANGELOG.md")}
	files := []string{}
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files = append(files, path)
		if filepath.Ext(path) == ".md" {
			pages = append(pages, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	linked, indexed := map[string]bool{}, map[string]bool{index: true}
	for _, page := range pages {
		for _, file := range links(t, page) {
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s: %v", page, file, err)
			}
			linked[file] = true
			indexed[file] = indexed[file] || page == index
		}
	}
	for _, file := range files {
		switch {
		case filepath.Ext(file) == ".md" && !indexed[file]:
			t.Errorf("docs/README.md does not name %s", file)
		case !linked[file]:
			t.Errorf("no page links to %s", file)
		}
	}
}
