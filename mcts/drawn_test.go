package mcts

import (
	"testing"

	"synochess/env"
)

// Before the hundredth ply without progress every King's move draws, and only the Pawn's promotions go on.
const (
	lastPly   = "8/P3k3/8/8/8/8/1s6/6K1[] w - - 99 50" // the West may draw
	plyBefore = "8/P3k3/8/8/8/8/8/6K1[] b - - 98 50"   // after each quiet move of the East it may
)

// promoted is worth so much to the West once the Pawn is promoted, and -0.5 before.
func promoted(worth float64) func(p *env.Position) float64 {
	return func(p *env.Position) float64 {
		v := -0.5
		if p.Pieces(env.Pawn) == 0 {
			v = worth
		}
		if p.SideToMove() == env.Eastern {
			return -v
		}
		return v
	}
}

// A proven draw at the root takes no visits, its value is exact, and it is played where the others are worse
// and only there; value and policy after the search say the same.
func TestDrawAtRoot(t *testing.T) {
	r := builtin(t, "moddable-strict")
	for _, mode := range []string{ModeGumbel, ModePUCT} {
		for _, leaves := range []int{1, 4} {
			for _, worth := range []float64{-0.4, 0.4} {
				cfg := testConfig()
				cfg.Mode, cfg.LeavesPerStep, cfg.MateNodes = mode, leaves, 0
				s := New(cfg, nil)
				got := run(t, s, gameAt(t, r, lastPly), Options{Visits: 100}, &fake{worth: promoted(worth)})
				checkTree(t, s)
				if got.Visits != 100 || got.Proven != Unproven {
					t.Fatalf("%s: %d visits, %v", mode, got.Visits, got.Proven)
				}
				visits, drawn := int32(0), float32(0)
				for _, a := range got.Actions {
					visits += a.Visits
					if a.Proven != ProvenDraw {
						continue
					}
					drawn += a.Policy
					if a.Visits != 0 || a.Q != 0 {
						t.Errorf("%s: the drawn %s has %d visits and is worth %v", mode, r.MoveString(a.Move), a.Visits, a.Q)
					}
				}
				if visits != 100 {
					t.Errorf("%s: the moves have %d visits", mode, visits)
				}
				plays := r.MoveString(got.Best)
				after := got.RootAfter[0] - got.RootAfter[2]
				if worth < 0 && (plays[:2] != "g1" || drawn < 0.99 || after < -0.01 || after > 0) {
					t.Errorf("%s, others worse: plays %s, draws have %v of the policy, worth %v", mode, plays, drawn, after)
				}
				if worth > 0 && (plays[:2] != "a7" || drawn > 0.01 || after < 0.35) {
					t.Errorf("%s, others better: plays %s, draws have %v of the policy, worth %v", mode, plays, drawn, after)
				}
			}
		}
	}
}

// An inner node with proven draws is worth what its mover can get: the draw where the other moves are worse,
// though only those are visited, and the others' value where they are better.
func TestDrawAtInnerNode(t *testing.T) {
	r := builtin(t, "moddable-strict")
	for _, mode := range []string{ModeGumbel, ModePUCT} {
		for _, worth := range []float64{-0.4, 0.4} {
			cfg := testConfig()
			cfg.Mode, cfg.MateNodes = mode, 0
			s := New(cfg, nil)
			g := gameAt(t, r, plyBefore)
			got := run(t, s, g, Options{Visits: 400}, &fake{worth: promoted(worth)})
			checkTree(t, s)
			reply := map[bool]string{true: "a7", false: "g1"}[worth > 0]
			if len(got.PV) < 2 || r.MoveString(got.PV[1])[:2] != reply {
				t.Errorf("%s, others worth %v: the line %v does not go on from %s", mode, worth, got.PV, reply)
			}
			seen := 0
			for _, e := range s.edgesOf(0) {
				if e.child == noNode || s.nodes[e.child].visits < 20 || s.nodes[e.child].drawn == 0 {
					continue
				}
				n := &s.nodes[e.child]
				seen++
				for _, reply := range s.edgesOf(e.child) {
					if visits, _ := s.edgeVisits(&reply); reply.proof == ProvenDraw && visits != 0 {
						t.Errorf("%s: the drawn %s has %d visits", mode, r.MoveString(reply.move), visits)
					}
				}
				// Its own evaluation, -0.5, is one of the visits.
				v := (n.sumWin - n.sumLoss + 0.5) / float64(n.visits-1)
				want := max(worth, 0)
				if v < want-0.06 || v > want+0.01 {
					t.Errorf("%s, others worth %v: the node is worth %v to its mover", mode, worth, v)
				}
			}
			if seen == 0 {
				t.Errorf("%s, others worth %v: no node with draws was visited 20 times", mode, worth)
			}
		}
	}
}

// The share of the draws is that of the improved policy by its formula.
func TestShareOfDraws(t *testing.T) {
	cfg := testConfig()
	cfg.CVisit, cfg.CScale, cfg.Discount, cfg.MateNodes = 10, 0.5, 1, 0
	s := New(cfg, nil)
	g := gameAt(t, builtin(t, "moddable-strict"), lastPly)
	got := run(t, s, g, Options{Visits: 8}, &fake{worth: promoted(-0.1)})
	var drawn float64 // the root's policy, computed by Result on its own
	for _, a := range got.Actions {
		if a.Proven == ProvenDraw {
			drawn += float64(a.Policy)
		}
	}
	n := &s.nodes[0]
	n.reach = n.count
	if share := s.improved(0, s.survey(0)); share < drawn-1e-6 || share > drawn+1e-6 || drawn < 0.2 || drawn > 0.99 {
		t.Errorf("draws take %v of the value and %v of the policy", share, drawn)
	}
}

// A search that needs no evaluations gives back the word, and each time it has gone on.
func TestCollectGoesOn(t *testing.T) {
	cfg := testConfig()
	cfg.Mode = ModePUCT
	s := New(cfg, NewCache(1<<16))
	g := gameAt(t, builtin(t, "moddable"), "4k3/8/8/8/8/8/8/K7[] w - - 0 1")
	run(t, s, g, Options{Visits: 400, FreshRoot: true}, &fake{worth: material}) // fills the cache
	if err := s.Start(g, Options{Visits: 1_000_000, FreshRoot: true}); err != nil {
		t.Fatal(err)
	}
	rows, done := s.Collect(nil)
	if rows != 0 || done || s.Finished() < 200 {
		t.Errorf("%d rows, done %v, %d simulations", rows, done, s.Finished())
	}
}
