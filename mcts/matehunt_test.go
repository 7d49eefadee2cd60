package mcts

import (
	"math/rand/v2"
	"testing"

	"synochess/env"
)

// testConfig is ReferenceConfig without the hunt for mates, so that a tree shows the search alone.
func testConfig() Config {
	c := ReferenceConfig()
	c.MateMoves = 1
	return c
}

// matesByChecks reports, by trying everything, in how many plies at the least the mover wins if he may
// use the given number of moves, all checks but the last; 0 if he does not.
func matesByChecks(r *env.Rules, p *env.Position, moves int) int {
	winner := env.WinFor(p.SideToMove())
	best := 0
	for _, m := range r.Legal(p, nil) {
		var next env.Position
		r.Apply(p, m, &next)
		if o := r.Outcome(&next); o.Over() {
			if o.Result == winner {
				return 1
			}
			continue
		}
		if moves == 1 || !r.InCheck(&next) {
			continue
		}
		longest := 0
		for _, reply := range r.Legal(&next, nil) {
			var after env.Position
			r.Apply(&next, reply, &after)
			n := 0
			if o := r.Outcome(&after); !o.Over() {
				if n = matesByChecks(r, &after, moves-1); n == 0 {
					longest = -1
					break
				}
			} else if o.Result != winner {
				longest = -1
				break
			}
			longest = max(longest, n+1)
		}
		if longest > 0 && (best == 0 || longest+1 < best) {
			best = longest + 1
		}
	}
	return best
}

// TestHuntFindsTheMatesByChecks compares the hunt with trying everything, on positions of random games of
// both armies, until enough mates were seen that expansion alone does not see.
func TestHuntFindsTheMatesByChecks(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	cfg := ReferenceConfig()
	cfg.MateMoves, cfg.MateNodes = 2, 1_000_000
	found := map[env.Army]int{}
	for game := 0; found[env.Western] < 15 || found[env.Eastern] < 15; game++ {
		if game == 400 {
			t.Fatalf("only %v mates in %d games", found, game)
		}
		r := builtin(t, env.BuiltinNames()[game%len(env.BuiltinNames())])
		g := env.NewGame(r, r.StartPosition())
		s := New(cfg, nil)
		for g.Ply() < 60 && !g.Outcome().Over() {
			if g.Repetitions() == 0 && g.Position().PlyCount() < 8 { // the oracle knows no history
				want := matesByChecks(r, g.Position(), 2)
				got := run(t, s, g, Options{Visits: 1, FreshRoot: true}, &fake{})
				if want > 0 && (got.Proven != ProvenWin || got.MateIn != want) {
					t.Fatalf("%s: %v in %d, want a win in %d", r.FEN(g.Position()), got.Proven, got.MateIn, want)
				}
				if want == 0 && got.Proven == ProvenWin && got.Visits == 0 {
					t.Fatalf("%s: a win in %d that is none", r.FEN(g.Position()), got.MateIn)
				}
				if want == 3 {
					found[g.Position().SideToMove()]++
				}
			}
			g.PlayRandom(rng)
		}
	}
}

// TestHuntStopsAtItsLimit gives a position with a mate by checks too few tries to prove it, and enough.
func TestHuntStopsAtItsLimit(t *testing.T) {
	r := builtin(t, "moddable-strict")
	g := gameAt(t, r, "8/1P2a1kP/3Pe3/4P1N1/8/1BP5/7K/8[] w - - 3 86") // h7h8q+ and mate
	for _, c := range []struct {
		nodes int
		want  Proof
	}{{3, Unproven}, {300, ProvenWin}} {
		cfg := ReferenceConfig()
		cfg.MateNodes = c.nodes
		if got := run(t, New(cfg, nil), g, Options{Visits: 1}, &fake{}); got.Proven != c.want {
			t.Errorf("%d nodes: %v, want %v", c.nodes, got.Proven, c.want)
		}
	}
}

// TestHuntKnowsThePlyCount puts a mate in two at the end of the ply count, which takes the win away.
func TestHuntKnowsThePlyCount(t *testing.T) {
	r := builtin(t, "moddable")
	mate := "B2B3R/8/5N2/1P6/3P4/8/5k2/2KR3R[] w - - 1 56"
	late := "B2B3R/8/5N2/1P6/3P4/8/5k2/2KR3R[] w - - 98 56"
	if got := run(t, New(ReferenceConfig(), nil), gameAt(t, r, mate), Options{Visits: 1}, &fake{}); got.Proven != ProvenWin {
		t.Fatalf("the mate is not found: %v", got.Proven)
	}
	if got := run(t, New(ReferenceConfig(), nil), gameAt(t, r, late), Options{Visits: 1}, &fake{}); got.Proven == ProvenWin {
		t.Errorf("a mate three plies away is claimed two plies before the end of the count")
	}
}
