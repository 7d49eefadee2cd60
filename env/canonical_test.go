package env

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
)

// pinned is a line of testdata/canonical.jsonl.
type pinned struct {
	Name  string `json:"name"`
	Hash  string `json:"hash"`
	Group string `json:"group_hash"`
	Text  string `json:"text"`
}

// TestCanonicalIsPinned holds the canonical texts and hashes of the built-in and the derived rule sets against
// those that stored games and weights have. They never change, whatever fields are added.
func TestCanonicalIsPinned(t *testing.T) {
	derived, err := derivedRules()
	if err != nil {
		t.Fatal(err)
	}
	sets := builtinRules(t)
	for _, name := range slices.Sorted(maps.Keys(derived)) {
		if !slices.Contains(BuiltinNames(), name) {
			sets = append(sets, derived[name])
		}
	}
	lines := map[string]pinned{}
	for _, line := range readLines[pinned](t, "canonical.jsonl") {
		lines[line.Name] = line
	}
	for _, r := range sets {
		got := pinned{r.Name, fmt.Sprintf("%016x", r.Hash()), fmt.Sprintf("%016x", r.GroupHash()), r.Canonical()}
		if got != lines[r.Name] {
			line, err := json.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			t.Errorf("%s: canonical.jsonl has\n%+v, the rule set is\n%s", r.Name, lines[r.Name], line)
		}
	}
	if len(lines) != len(sets) {
		t.Errorf("canonical.jsonl has %d rule sets, there are %d", len(lines), len(sets))
	}
}
