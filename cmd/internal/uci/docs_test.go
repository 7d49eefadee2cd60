package uci

import (
	"os"
	"strings"
	"testing"
)

// docs/uci.md has a row for each option.
func TestOptionsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../../docs/uci.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Count(string(text), "\n| `")
	for _, o := range options {
		if !strings.Contains(string(text), "\n| `"+o.name+"` |") {
			t.Errorf("docs/uci.md has no row for %s", o.name)
		}
	}
	if rows != len(options) {
		t.Errorf("docs/uci.md has %d rows, there are %d options", rows, len(options))
	}
}
