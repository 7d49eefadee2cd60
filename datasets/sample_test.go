package datasets

import (
	"testing"

	"synochess/env"
)

// The sample's games are games by the rules, of every built-in rule set that learns, and its card counts them.
func TestSample(t *testing.T) {
	var rules RuleSets
	games, plies, names := 0, 0, map[string]bool{}
	for g, err := range ReadFile("sample/gen-000000.parquet") {
		if err != nil {
			t.Fatal(err)
		}
		r, err := rules.Of(g)
		if err != nil {
			t.Fatal(err)
		}
		games++
		names[r.Name] = true
		if _, err := g.Replay(r, func(*env.Game, int) error { plies++; return nil }); err != nil {
			t.Errorf("game %d: %v", g.Number, err)
		}
	}
	if games != 40 || plies != 4343 {
		t.Errorf("%d games, %d plies; the card says 40 and 4,343", games, plies)
	}
	for _, name := range []string{"moddable", "pychess", "moddable-fsf"} {
		if !names[name] {
			t.Errorf("no game of %s", name)
		}
	}
}
