package mcts

import (
	"slices"
	"testing"

	"synochess/env"
)

// A search of some moves alone plays one of them, gives the others neither visits nor policy, and keeps nothing of it
// for the search of all moves after it.
func TestOnlySomeMoves(t *testing.T) {
	r := builtin(t, "moddable")
	g := env.NewGame(r, r.StartPosition())
	for _, visits := range []int{1, 40, 600} { // Gumbel and PUCT
		s := New(testConfig(), nil)
		all := *run(t, s, g, Options{Visits: visits, FreshRoot: true}, &fake{worth: hashed})
		want := all.Best
		legal := g.LegalMoves()
		only := slices.DeleteFunc(slices.Clone(legal), func(m env.Move) bool { return m == want })[:3]
		got := run(t, s, g, Options{Visits: visits, Only: only}, &fake{worth: hashed})
		if !slices.Contains(only, got.Best) || got.Visits != visits || got.Proven != Unproven {
			t.Errorf("%d visits: plays %v of %v, %d visits, %v", visits, got.Best, only, got.Visits, got.Proven)
		}
		for _, a := range got.Actions {
			if !slices.Contains(only, a.Move) && (a.Visits != 0 || a.Policy != 0) {
				t.Errorf("%d visits: %v, left out, has %d visits and policy %v", visits, a.Move, a.Visits, a.Policy)
			}
		}
		if v := s.Variation(only[0]); len(v.Moves) == 0 || v.Moves[0] != only[0] {
			t.Errorf("%d visits: variation %v of %v", visits, v, only[0])
		}
		if again := run(t, s, g, Options{Visits: visits}, &fake{worth: hashed}); again.Best != want {
			t.Errorf("%d visits: plays %v after a search of some moves, %v before", visits, again.Best, want)
		}
	}
}

// Where only lost moves are searched, they lose; the others do not count.
func TestOnlyLosingMoves(t *testing.T) {
	g := gameAt(t, builtin(t, "moddable"), "3k4/8/8/8/8/8/3N4/3K4[] w - - 0 1")
	s := New(testConfig(), nil)
	all := *run(t, s, g, Options{Visits: 50}, &fake{worth: hashed})
	i := slices.IndexFunc(all.Actions, func(a Action) bool { return a.Proven == ProvenLoss })
	if i < 0 {
		t.Fatal("no move loses")
	}
	lost := all.Actions[i].Move
	if got := run(t, s, g, Options{Visits: 50, Only: []env.Move{lost}}, &fake{worth: hashed}); got.Best != lost || got.Proven != ProvenLoss {
		t.Errorf("plays %v, %v; want %v, a loss", got.Best, got.Proven, lost)
	}
}
