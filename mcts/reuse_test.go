package mcts

import (
	"math/rand/v2"
	"testing"

	"synochess/env"
)

// A search that goes on in the same game keeps what it found below the position, asks the evaluator for
// no row of it again, and its arrays stay in order.
func TestSubtreeIsKept(t *testing.T) {
	for _, mode := range []string{ModeGumbel, ModePUCT} {
		cfg := testConfig()
		cfg.Mode = mode
		s := New(cfg, nil)
		g := gameAt(t, builtin(t, "pychess"), "")
		ev := &fake{worth: hashed, logit: hashedLogit}
		for range 6 {
			got := copyOf(run(t, s, g, Options{Visits: 300}, ev))
			for _, m := range got.PV[:1+len(got.PV)/2%2] {
				if err := g.Play(m); err != nil {
					t.Fatal(err)
				}
			}
			if g.Outcome().Over() {
				break
			}
			if err := s.Start(g, Options{Visits: 300}); err != nil {
				t.Fatal(err)
			}
			root := &s.nodes[0]
			if !root.evaluated || root.visits < 2 || root.pos != *g.Position() {
				t.Errorf("%s: the root kept has %d visits", mode, root.visits)
			}
			checkTree(t, s)
		}
	}
}

// What belongs to another line, another game, other rules or another mode is not kept; nor is anything
// where a fresh root is asked for.
func TestSubtreeIsNotKept(t *testing.T) {
	r, strict := builtin(t, "pychess"), builtin(t, "moddable")
	o := Options{Visits: 200}
	for _, c := range []struct {
		name string
		next func() *env.Game
		o    Options
		kept bool
	}{
		{"the same position", func() *env.Game { return gameAt(t, r, "", "e2e4") }, o, true},
		{"the line goes on", func() *env.Game { return gameAt(t, r, "", "e2e4", "c5d5") }, o, true},
		{"fresh root", func() *env.Game { return gameAt(t, r, "", "e2e4") }, Options{Visits: 200, FreshRoot: true}, false},
		{"another line", func() *env.Game { return gameAt(t, r, "", "d2d4") }, o, false},
		{"a move back", func() *env.Game { return gameAt(t, r, "") }, o, false},
		{"other rules", func() *env.Game { return gameAt(t, strict, "", "e2e4") }, o, false},
		{"another mode", func() *env.Game { return gameAt(t, r, "", "e2e4") }, Options{Visits: 100_000}, false},
		{"other moves to the same position", func() *env.Game {
			return gameAt(t, r, "rneakenr/8/1c4c1/1ss2ss1/4P3/8/PPPP1PPP/RNBQKBNR[ss] b KQ - 0 1")
		}, o, false},
	} {
		s := New(testConfig(), nil)
		run(t, s, gameAt(t, r, "", "e2e4"), o, &fake{logit: func(_ *env.Position, m env.Move) float32 {
			if m == env.NewMove(34, 35, env.Plain) { // c5d5
				return 3
			}
			return 0
		}})
		if err := s.Start(c.next(), c.o); err != nil {
			t.Fatal(err)
		}
		if kept := s.nodes[0].visits > 0; kept != c.kept {
			t.Errorf("%s: kept %v, want %v", c.name, kept, c.kept)
		}
	}
}

// Where a verdict rests on a repetition of the search path, it goes when the path begins later, and the
// counts above it with it.
func TestRepetitionsAreDroppedWithTheirPath(t *testing.T) {
	r := builtin(t, "moddable-strict")
	rng := rand.New(rand.NewPCG(5, 6))
	dropped := 0
	for range 20 {
		cfg := testConfig()
		cfg.Mode = ModePUCT
		s := New(cfg, nil)
		g := gameAt(t, r, "k7/8/8/8/8/8/8/7K[] w - - 0 1")
		run(t, s, g, Options{Visits: 3000}, &fake{worth: hashed})
		for range 8 {
			g.PlayRandom(rng)
			if g.Outcome().Over() {
				break
			}
			before := countRepetitions(s)
			if err := s.Start(g, Options{Visits: 500}); err != nil {
				t.Fatal(err)
			}
			checkTree(t, s)
			if s.nodes[0].visits > 0 && countRepetitions(s) < before {
				dropped++
			}
			run(t, s, g, Options{Visits: 500}, &fake{worth: hashed})
			checkTree(t, s)
		}
	}
	if dropped == 0 {
		t.Error("no repetition was ever dropped: the test shows nothing")
	}
}

func countRepetitions(s *Search) int {
	n := 0
	for i := range s.nodes {
		if s.nodes[i].repeats >= 0 {
			n++
		}
	}
	return n
}
