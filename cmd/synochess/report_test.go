package main

import (
	"regexp"
	"testing"

	"synochess/internal/loop"
	"synochess/selfplay"
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
