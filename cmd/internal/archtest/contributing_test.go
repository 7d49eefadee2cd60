package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// path finds what looks like a file or folder of the repository between backquotes: it has a slash, or ends like a file.
var path = regexp.MustCompile("`([\\w.-]+(?:/[\\w.-]+)+|[\\w-]+\\.md)`")

// The places that CONTRIBUTING.md sends people to are there.
func TestPlacesToTouch(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, m := range path.FindAllStringSubmatch(string(text), -1) {
		if strings.Contains(m[1], "NAME") {
			continue
		}
		found++
		if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
			t.Errorf("CONTRIBUTING.md names %s: %v", m[1], err)
		}
	}
	if found < 20 {
		t.Errorf("only %d places are named", found)
	}
}
