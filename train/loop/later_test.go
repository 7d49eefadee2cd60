package loop

import (
	"math"
	"strings"
	"testing"

	"synochess/datasets"
)

// An entry holds from its generation on; what it does not name stays as it was.
func TestLaterHoldsFromItsGenerationOn(t *testing.T) {
	c := shortConfig(t)
	c.Generations = 10
	c.Later = []Later{{From: 4, FullVisits: 32}, {From: 6, CheapVisits: 8, Average: 0.99}, {From: 20, FullVisits: 64}}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	for generation, want := range map[int][3]float64{1: {16, 6, 0.9}, 3: {16, 6, 0.9}, 4: {32, 6, 0.9}, 5: {32, 6, 0.9}, 6: {32, 8, 0.99}, 10: {32, 8, 0.99}} {
		now := c.at(generation)
		if got := [3]float64{float64(now.SelfPlay.FullVisits), float64(now.SelfPlay.CheapVisits), now.Train.Average}; got != want {
			t.Errorf("generation %d: %v, want %v", generation, got, want)
		}
	}
	if c.SelfPlay.FullVisits != 16 {
		t.Error("the configuration itself has changed")
	}
	// Half of the searches are full: 3 generations of 11 visits, 2 of 19, 5 of 20.
	if got := c.visitsPerPly(); math.Abs(got-17.1) > 1e-9 {
		t.Errorf("%v visits a ply", got)
	}
}

func TestLaterThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		later []Later
		want  string
	}{
		{[]Later{{From: 1, FullVisits: 32}}, "later[0].from is 1; use 2 to"},
		{[]Later{{From: 3, FullVisits: 32}, {From: 3, FullVisits: 16}}, "later[1].from is 3, and that of the entry before 3"},
		{[]Later{{From: 3, FullVisits: 5}}, "later[0].cheap_visits is 6; use 1 to full_visits (5)"},
		{[]Later{{From: 3, Average: 1}}, "later[0].average is 1; use"},
		{[]Later{{From: 3, FullVisits: 300}}, "later[0]: selfplay.full_visits: 300 visits do not fit in a tree of search.max_nodes"},
	} {
		cfg := shortConfig(t)
		cfg.Later = c.later
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.later, err, c.want)
		}
	}
	c := shortConfig(t)
	c.Search.GumbelUpTo, c.Later = 20, []Later{{From: 3, FullVisits: 32}}
	if err := c.CheckSelfPlay(); err == nil || !strings.Contains(err.Error(), "later[0].full_visits is 32 and search.gumbel_up_to 20") {
		t.Errorf("self-play by PUCT: %v", err)
	}
}

// Games and weights of a run follow Later, and those before it are the same as without.
func TestARunFollowsLater(t *testing.T) {
	c := shortConfig(t)
	c.Generations = 2
	plain, later := t.TempDir(), t.TempDir()
	runs(t, c, plain)
	c.Later = []Later{{From: 2, FullVisits: 40, CheapVisits: 10, Average: 0.5}}
	runs(t, c, later)
	if a, b := loaded(t, plain, "000001"), loaded(t, later, "000001"); a.EvalID() != b.EvalID() {
		t.Error("the first generation is another one")
	}
	for generation, want := range map[int]int{1: 16, 2: 40} {
		games, err := readAll(datasets.RunFolder(later).GamesOf(generation))
		if err != nil {
			t.Fatal(err)
		}
		most := 0
		for _, g := range games {
			for i := range g.Plies {
				most = max(most, int(g.Plies[i].Visits))
			}
		}
		if most != want {
			t.Errorf("generation %d: at most %d visits, want %d", generation, most, want)
		}
	}
}
