package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"synochess/selfplay"
	"synochess/train/loop"
)

// Matches of different budgets stand in tables of their own: a table's title holds for all its lines.
func TestMatchTables(t *testing.T) {
	match := func(first string, visits int) loop.MatchResult {
		return loop.MatchResult{First: first, Second: "greedy", Rules: "moddable", Openings: 1, Plies: 4, Visits: visits, Tally: &selfplay.Tally{Games: 2, Distinct: 2}}
	}
	text := matchTables("On the way", []loop.MatchResult{match("generation-2", 8), match("generation-4", 16), match("generation-6", 16)})
	order := regexp.MustCompile(`(?s)^On the way in moddable: 1 openings of 4 random plies, each with both armies, 8 visits a move
.*generation-2 against greedy.*
On the way in moddable: 1 openings of 4 random plies, each with both armies, 16 visits a move
.*generation-4 against greedy.*generation-6 against greedy`)
	if !order.MatchString(text) {
		t.Errorf("tables:\n%s", text)
	}
}

// A curve holds what can be compared: other budgets and other opponents of one name begin another. Files of earlier versions
// do not say what an opponent is beyond its name.
func TestStrengthCharts(t *testing.T) {
	match := func(generation, visits int, against, opponent string) loop.MatchResult {
		m := loop.MatchResult{Generation: generation, Rules: "moddable", Visits: visits, First: "n", Against: against, Second: against, Opponent: opponent,
			Tally: &selfplay.Tally{Limits: [2]string{"nodes=8", "depth=1"}, Failures: map[string]int{}}}
		if name, engine := strings.CutPrefix(against, "uci:"); engine {
			m.Second, m.Tally.Failures = name, map[string]int{name + " as Western: crash": 2}
		}
		return m
	}
	matches := []loop.MatchResult{
		match(1, 8, "greedy", ""), match(2, 8, "greedy", "a"), match(2, 8, "uci:e", "depth=1"), match(3, 16, "greedy", "a"),
		match(3, 8, "uci:e", "depth=2"), match(4, 8, "uci:e", "depth=2"), match(5, 8, "greedy", "a"),
	}
	charts := strengthCharts(&loop.Anchors{Matches: matches})
	want := map[string][]float64{
		"against greedy": {1, 2, 5}, "against greedy, other settings from generation 3": {3},
		"against e at depth=1": {2}, "against e at depth=1, other settings from generation 3": {3, 4},
	}
	if len(charts) != 1 || len(charts[0].Series) != len(want) {
		t.Fatalf("charts: %+v", charts)
	}
	for _, s := range charts[0].Series {
		if !slices.Equal(s.X, want[s.Name]) {
			t.Errorf("%s has generations %v, want %v", s.Name, s.X, want[s.Name])
		}
	}
	if text := matchTables("On the way", matches[2:3]); !strings.Contains(text, "against e at depth=1 ") || !strings.Contains(text, "forfeits of n against e at depth=1: e as Western: crash 2\n") {
		t.Errorf("table:\n%s", text)
	}
}
