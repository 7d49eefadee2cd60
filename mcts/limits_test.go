package mcts

import (
	"testing"

	"synochess/env"
)

// Two bare royals can go round for ever. 50,000 simulations stay within memory and depth in both modes,
// and whether or not a faceoff loses.
func TestBareRoyals(t *testing.T) {
	const fen = "4k3/8/8/8/8/8/8/K7[] w - - 0 1"
	for _, rules := range []string{"moddable", "pychess"} {
		for _, mode := range []string{ModeGumbel, ModePUCT} {
			cfg := testConfig()
			cfg.Mode, cfg.MaxNodes = mode, 50_001
			s := New(cfg, nil)
			r := builtin(t, rules)
			got := run(t, s, gameAt(t, r, fen), Options{Visits: 50_000}, &fake{worth: material})
			if got.Visits < 50_000 && got.Proven == Unproven {
				t.Errorf("%s, %s: ended after %d simulations", rules, mode, got.Visits)
			}
			// The deepest line has no position twice and ends with the ply count.
			if got.Depth > r.NoProgressPlies {
				t.Errorf("%s, %s: %d plies deep", rules, mode, got.Depth)
			}
			checkTree(t, s)
			if v := got.RootAfter; rules == "moddable" && v[1] < 0.95 {
				t.Errorf("%s, %s: value %v", rules, mode, v)
			}
		}
	}
}

// When the arrays are full the search ends with what it has, stays within its limit, and can be used
// again.
func TestMemoryLimit(t *testing.T) {
	g := gameAt(t, builtin(t, "pychess"), "")
	for _, mode := range []string{ModeGumbel, ModePUCT} {
		for _, leaves := range []int{1, 4} {
			cfg := testConfig()
			cfg.Mode, cfg.MaxNodes, cfg.LeavesPerStep = mode, 120, leaves
			s := New(cfg, nil)
			for range 2 {
				got := run(t, s, g, Options{Visits: 10_000, FreshRoot: true}, &fake{worth: hashed, logit: hashedLogit})
				if !got.Full || got.Visits < 60 || got.Nodes > 120 || got.Best == env.NoMove {
					t.Errorf("%s: full %v after %d simulations and %d nodes, plays %v", mode, got.Full, got.Visits, got.Nodes, got.Best)
				}
				checkTree(t, s)
				if n := cap(s.edges); n > 120*edgesPerNode {
					t.Errorf("%s: room for %d edges", mode, n)
				}
			}
			// A full tree that is kept has room again below the move played.
			next := gameAt(t, g.Rules(), "")
			if err := next.Play(s.Result().Best); err != nil {
				t.Fatal(err)
			}
			if got := run(t, s, next, Options{Visits: 30}, &fake{worth: hashed, logit: hashedLogit}); got.Visits != 30 {
				t.Errorf("%s: %d simulations after the move", mode, got.Visits)
			}
			checkTree(t, s)
		}
	}
}

// An unlimited search ends when it is told to, with at least the root evaluated.
func TestRunStops(t *testing.T) {
	stop := make(chan struct{})
	close(stop)
	got, err := New(testConfig(), nil).Run(gameAt(t, builtin(t, "pychess"), ""), Options{Visits: Unlimited}, &fake{worth: material}, stop)
	if err != nil || got.Best == env.NoMove || len(got.PV) == 0 {
		t.Errorf("result %+v, error %v", got, err)
	}
}

// Scripted advantages for each army are credited to that army, whoever is to move.
func TestSigns(t *testing.T) {
	s := New(testConfig(), nil)
	for _, c := range []struct {
		fen  string
		good bool // for the mover
	}{
		{"5k2/8/8/8/8/8/PPPP4/RNBQK3[] w - - 0 1", true},
		{"3k4/8/8/8/8/8/PPPP4/RNBQK3[] b - - 0 1", false},
		{"rheakahr/2c2c2/8/8/8/8/4P3/4K3[ssssss] b - - 0 1", true},
		{"rheakahr/2c2c2/8/8/8/8/4P3/3K4[ssssss] w - - 0 1", false},
	} {
		for _, mode := range []string{ModeGumbel, ModePUCT} {
			s.cfg.Mode = mode
			got := run(t, s, gameAt(t, builtin(t, "moddable"), c.fen), Options{Visits: 100, FreshRoot: true}, &fake{worth: material})
			q := got.RootAfter[0] - got.RootAfter[2]
			before := got.RootBefore[0] - got.RootBefore[2]
			if c.good != (q > 0.2) || c.good != (before > 0.2) || !c.good && (q > -0.2 || before > -0.2) {
				t.Errorf("%s, %s: worth %v before and %v after the search", c.fen, mode, before, q)
			}
			for _, a := range got.Actions {
				if a.Move == got.Best && c.good != (a.Q > 0) {
					t.Errorf("%s, %s: the best move is worth %v", c.fen, mode, a.Q)
				}
			}
		}
	}
}

// Auto names one algorithm for each budget, and the result says which ran.
func TestAlgorithm(t *testing.T) {
	g := gameAt(t, builtin(t, "pychess"), "")
	for _, c := range []struct {
		mode   string
		visits int
		want   string
	}{
		{ModeAuto, 60, ModeGumbel}, {ModeAuto, 61, ModePUCT}, {ModeGumbel, 61, ModeGumbel}, {ModePUCT, 2, ModePUCT},
	} {
		cfg := testConfig()
		cfg.Mode, cfg.GumbelUpTo = c.mode, 60
		got := run(t, New(cfg, nil), g, Options{Visits: c.visits}, &fake{worth: hashed, logit: hashedLogit})
		if got.Algorithm != c.want || cfg.Algorithm(c.visits) != c.want {
			t.Errorf("%s, %d visits: %s ran, want %s", c.mode, c.visits, got.Algorithm, c.want)
		}
	}
	if cfg := testConfig(); cfg.Algorithm(Unlimited) != ModePUCT {
		t.Error("a search without a budget cannot halve it")
	}
}

// Visits that CheckVisits lets pass fit in a fresh tree.
func TestVisitsFit(t *testing.T) {
	cfg := testConfig()
	cfg.MaxNodes = 120
	if err := cfg.CheckVisits(120); err == nil {
		t.Error("120 visits and the root are taken to fit in 120 nodes")
	}
	if err := cfg.CheckVisits(119); err != nil {
		t.Error(err)
	}
	got := run(t, New(cfg, nil), gameAt(t, builtin(t, "pychess"), ""), Options{Visits: 119}, &fake{worth: hashed, logit: hashedLogit})
	if got.Visits != 119 || got.Full {
		t.Errorf("%d visits, full %v", got.Visits, got.Full)
	}
}
