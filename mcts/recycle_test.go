package mcts

import (
	"testing"

	"synochess/env"
)

// A tree that is full goes on: no visit is lost, memory stays within its limit, and what is found is about what a
// tree with room for everything finds.
func TestRecycle(t *testing.T) {
	r := builtin(t, "moddable")
	g := gameAt(t, r, "3k4/4a3/3s4/8/8/8/3NP3/3K4[s] w - - 0 1")
	for _, leaves := range []int{1, 8} {
		cfg := testConfig()
		cfg.Mode, cfg.LeavesPerStep = ModePUCT, leaves
		roomy := cfg
		const visits = 20_000
		cfg.MaxNodes, roomy.MaxNodes = 1200, 2*visits
		want := *run(t, New(roomy, nil), g, Options{Visits: visits}, &fake{worth: material, logit: hashedLogit})
		s := New(cfg, nil)
		got := *run(t, s, g, Options{Visits: visits, Recycle: true}, &fake{worth: material, logit: hashedLogit})
		checkTree(t, s)
		if got.Visits != want.Visits || got.Full || got.Nodes > cfg.MaxNodes || cap(s.edges) > cfg.MaxNodes*edgesPerNode {
			t.Errorf("%d leaves: %d visits of %d, full %v, %d nodes", leaves, got.Visits, want.Visits, got.Full, got.Nodes)
		}
		if !s.regrown {
			t.Errorf("%d leaves: nothing grew again", leaves)
		}
		total := int32(0)
		for _, a := range got.Actions {
			total += a.Visits
		}
		if total != int32(visits) {
			t.Errorf("%d leaves: the root's moves have %d visits", leaves, total)
		}
		if d := got.RootAfter[0] - got.RootAfter[2] - want.RootAfter[0] + want.RootAfter[2]; got.Best != want.Best || d > 0.05 || d < -0.05 {
			t.Errorf("%d leaves: plays %v, worth %v; with room %v, %v", leaves, got.Best, got.RootAfter, want.Best, want.RootAfter)
		}
		// What is left after the move played is a tree like any other.
		next := gameAt(t, r, "3k4/4a3/3s4/8/8/8/3NP3/3K4[s] w - - 0 1")
		if err := next.Play(got.Best); err != nil {
			t.Fatal(err)
		}
		if next.Outcome().Over() {
			t.Fatal("the game is over")
		}
		if after := run(t, s, next, Options{Visits: 3000, Recycle: true}, &fake{worth: material, logit: hashedLogit}); after.Visits != 3000 && after.Proven == Unproven {
			t.Errorf("%d leaves: %d visits after the move", leaves, after.Visits)
		}
		checkTree(t, s)
	}
}

// A tree that has room for the root's moves alone cannot be recycled: the search ends.
func TestRecycleEnds(t *testing.T) {
	g := env.NewGame(builtin(t, "moddable"), builtin(t, "moddable").StartPosition())
	cfg := testConfig()
	cfg.Mode, cfg.MaxNodes = ModePUCT, 16
	got := run(t, New(cfg, nil), g, Options{Visits: 10_000, Recycle: true}, &fake{worth: hashed, logit: hashedLogit})
	if got.Visits == 0 {
		t.Errorf("%+v", got)
	}
}
