package mcts

import (
	"errors"
	"reflect"
	"testing"

	"synochess/env"
	"synochess/env/encode"
)

// crewRun drives a search with a crew to its end.
func crewRun(t *testing.T, c *Crew, s *Search, g *env.Game, o Options) Result {
	t.Helper()
	if err := s.Start(g, o); err != nil {
		t.Fatal(err)
	}
	for {
		done, err := c.Advance(s)
		if err != nil {
			t.Fatal(err)
		}
		if done {
			return *s.Result()
		}
	}
}

// Whatever the number of hands, the search is the same; one hand's is that of Run.
func TestCrew(t *testing.T) {
	r := builtin(t, "moddable")
	cfg := testConfig()
	cfg.LeavesPerStep, cfg.CacheEntries = 16, 0
	games := []*env.Game{
		env.NewGame(r, r.StartPosition()),
		gameAt(t, r, "3k4/8/8/8/8/8/3N4/3K4[] w - - 0 1"),
		gameAt(t, r, "8/1k6/8/8/K7/8/2s5/4r3[] b - - 3 51"), // a mate in one
	}
	for i, g := range games {
		for _, visits := range []int{1, 15, 64, 900} {
			alone := NewCrew(&fake{worth: hashed})
			want := *run(t, New(cfg, nil), g, Options{Visits: visits}, &fake{worth: hashed})
			if got := crewRun(t, alone, New(cfg, nil), g, Options{Visits: visits}); !reflect.DeepEqual(got, want) {
				t.Errorf("game %d, %d visits, one hand: %+v, want %+v", i, visits, got, want)
			}
			alone.Close()
			var of [4]Result
			for hands := 2; hands < len(of); hands++ {
				var evs []Evaluator
				for range hands {
					evs = append(evs, &fake{worth: hashed})
				}
				c := NewCrew(evs...)
				of[hands] = crewRun(t, c, New(cfg, nil), g, Options{Visits: visits})
				c.Close()
				if got := of[hands]; got.Proven != Unproven != (want.Proven != Unproven) || got.Proven == Unproven && got.Visits != visits {
					t.Errorf("game %d, %d visits, %d hands: %d visits, %v; one hand: %v", i, visits, hands, got.Visits, got.Proven, want.Proven)
				}
			}
			if !reflect.DeepEqual(of[2], of[3]) {
				t.Errorf("game %d, %d visits: 2 hands %+v, 3 hands %+v", i, visits, of[2], of[3])
			}
		}
	}
}

// What is being evaluated when a search is left can be landed, and the tree is kept; left alone it is forgotten.
func TestCrewLeavesASearch(t *testing.T) {
	r := builtin(t, "moddable")
	cfg := testConfig()
	cfg.LeavesPerStep = 8
	c := NewCrew(&fake{worth: hashed}, &fake{worth: hashed})
	defer c.Close()
	g := env.NewGame(r, r.StartPosition())
	s := New(cfg, nil)
	for _, land := range []bool{true, false} {
		if err := s.Start(g, Options{Visits: 1000, FreshRoot: true}); err != nil {
			t.Fatal(err)
		}
		for range 10 {
			if _, err := c.Advance(s); err != nil {
				t.Fatal(err)
			}
		}
		if land {
			if err := c.Land(s); err != nil {
				t.Fatal(err)
			}
		}
		before := s.Result().Visits
		if before == 0 {
			t.Fatal("no visits")
		}
		if !land {
			_, _ = c.land()
		}
		got := crewRun(t, c, s, g, Options{Visits: 1000})
		kept := 0
		for _, a := range got.Actions {
			kept += int(a.Visits)
		}
		if kept -= got.Visits; land != (kept >= before) {
			t.Errorf("landed %v: %d visits kept of %d", land, kept, before)
		}
	}
}

// failing is an evaluator that fails.
type failing struct{ fake }

var errFails = errors.New("it fails")

func (*failing) Evaluate(*encode.Batch) error { return errFails }

func TestCrewReportsErrors(t *testing.T) {
	r := builtin(t, "moddable")
	c := NewCrew(&failing{}, &failing{})
	defer c.Close()
	s := New(testConfig(), nil)
	if err := s.Start(env.NewGame(r, r.StartPosition()), Options{Visits: 10}); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := c.Advance(s); err != nil {
			if !errors.Is(err, errFails) {
				t.Errorf("error %v", err)
			}
			return
		}
	}
	t.Error("no error")
}
