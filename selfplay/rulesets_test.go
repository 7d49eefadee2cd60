package selfplay

import (
	"testing"

	"synochess/env"
)

func TestRuleSetsAreDrawnByWeight(t *testing.T) {
	s, err := NewRuleSource([]RuleEntry{
		{Name: "moddable", Weight: 3},
		{Name: "pychess", Weight: 1, Vary: map[string][]any{"stalemate": {"draw", "loss"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	rng := newRand(5)
	counts := map[string]int{}
	for range 2000 {
		r, err := s.Draw(rng)
		if err != nil {
			t.Fatal(err)
		}
		key := "moddable"
		if r.Cannon == env.Janggi {
			key = "pychess, stalemate draws"
			if r.Stalemate == env.VerdictLoss {
				key = "pychess, stalemate loses"
			}
		}
		counts[key]++
	}
	for key, want := range map[string]int{"moddable": 1500, "pychess, stalemate draws": 250, "pychess, stalemate loses": 250} {
		if got := counts[key]; got < want*85/100 || got > want*115/100 {
			t.Errorf("%s was drawn %d times of 2000, want about %d", key, got, want)
		}
	}
	for _, bad := range [][]RuleEntry{
		nil,
		{{Name: "moddable"}},
		{{Name: "no-such-rules", Weight: 1}},
		{{Name: "moddable", Weight: 1, Vary: map[string][]any{"cannon": {}}}},
		{{Name: "moddable", Weight: 1, Vary: map[string][]any{"cannons": {"janggi"}}}},
		{{Name: "moddable", Weight: 1, Vary: map[string][]any{"cannon": {"xiangqi", "howitzer"}}}},
	} {
		if _, err := NewRuleSource(bad); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}
