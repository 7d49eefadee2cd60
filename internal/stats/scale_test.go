package stats

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func (s *Scale) of(agent string) Rating {
	for _, r := range s.Ratings {
		if r.Agent == agent {
			return r
		}
	}
	return Rating{}
}

// TestScaleByHand: with two agents Firth's correction is half a game won and half a game lost more with
// each army.
func TestScaleByHand(t *testing.T) {
	// 15 of 20 as Western, 10 of 20 as Eastern.
	pairs := repeat(5, Pair{1, 1}, Pair{1, 0}, Pair{1, 1}, Pair{0, 0})
	s, err := FitScale([]Contest{{"a", "b", "rules", pairs}}, "b")
	if err != nil {
		t.Fatal(err)
	}
	want := EloPerLogit * math.Log(15.5/5.5) / 2
	a, b := s.of("a"), s.of("b")
	if !near(a.Elo, want, 1e-6) || b.Elo != 0 || b.Low != 0 || b.High != 0 {
		t.Errorf("ratings %+v, want %v and 0", s.Ratings, want)
	}
	if len(s.Armies) != 1 || !near(s.Armies[0].Elo, want, 1e-6) {
		t.Errorf("armies %+v, want %v", s.Armies, want)
	}
	if a.Games != 40 || a.Score != 25./40 || b.Score != 15./40 || a.AtLeast || a.AtMost || a.Apart {
		t.Errorf("%+v, %+v", a, b)
	}
	if d := FitDifference(pairs); !near(a.Low, d.Low, 10) || !near(a.High, d.High, 10) {
		t.Errorf("%+v on the scale, %+v alone", a, d)
	}
	// From the other side, and from the other anchor.
	other, err := FitScale([]Contest{{"b", "a", "rules", mirrored(pairs)}}, "a")
	if err != nil {
		t.Fatal(err)
	}
	if b := other.of("b"); !near(b.Elo, -want, 1e-6) || !near(b.Low, -a.High, 1e-6) {
		t.Errorf("from the other side %+v", b)
	}
}

func mirrored(pairs []Pair) []Pair {
	out := make([]Pair, len(pairs))
	for i, p := range pairs {
		out[i] = Pair{West: 1 - p.East, East: 1 - p.West}
	}
	return out
}

func TestScaleOfOddMatches(t *testing.T) {
	some := repeat(5, Pair{1, 0}, Pair{1, 1}, Pair{.5, 0})
	contests := []Contest{
		{"b", "a", "x", some},
		{"c", "b", "x", some},
		{"winner", "a", "x", repeat(20, Pair{1, 1})},
		{"a", "a", "y", some},                 // tells of the armies only
		{"far", "away", "x", some},            // no chain to a
		{"half", "a", "x", []Pair{{1, none}}}, // one army only
		{"nobody", "a", "x", []Pair{{none, none}}},
	}
	s, err := FitScale(contests, "a")
	if err != nil {
		t.Fatal(err)
	}
	for agent, apart := range map[string]bool{"a": false, "b": false, "c": false, "winner": false, "far": true, "away": true, "half": true, "nobody": true} {
		if got := s.of(agent); got.Apart != apart || got.AtLeast != (agent == "winner") || got.AtMost {
			t.Errorf("%s: %+v", agent, got)
		}
	}
	for _, r := range s.Ratings {
		for _, x := range []float64{r.Elo, r.Low, r.High} {
			if math.IsNaN(x) || math.IsInf(x, 0) || r.Apart && x != 0 {
				t.Errorf("%+v", r)
			}
		}
	}
	if w := s.of("winner"); s.Ratings[0].Agent != "winner" || w.Low < 200 || w.High-w.Low < 300 {
		t.Errorf("the winner of all 40 games: %+v", w)
	}
	if b, c := s.of("b"), s.of("c"); !(0 < b.Elo && b.Elo < c.Elo) || !near(c.Elo, 2*b.Elo, 1) {
		t.Errorf("a chain of equal steps: %v, %v", b.Elo, c.Elo)
	}
	if len(s.Armies) != 2 || s.Armies[0].Rules != "x" || s.Armies[1].Rules != "y" {
		t.Errorf("armies %+v", s.Armies)
	}
	if len(s.LeftOut) != 2 || s.LeftOut[0] != 5 || s.LeftOut[1] != 6 {
		t.Errorf("left out %v, want 5 and 6", s.LeftOut)
	}
	// Seen from the winner all others are bounded from above only, the second in a chain too.
	turned, err := FitScale(contests, "winner")
	if err != nil {
		t.Fatal(err)
	}
	for _, agent := range []string{"a", "b", "c"} {
		if r := turned.of(agent); r.AtLeast || !r.AtMost || r.Elo > -200 {
			t.Errorf("%s under the winner: %+v", agent, r)
		}
	}
	if r := turned.of("winner"); r.AtLeast || r.AtMost {
		t.Errorf("the anchor: %+v", r)
	}
	if _, err := FitScale(contests, "z"); err == nil || !strings.Contains(err.Error(), `"z"`) {
		t.Errorf("unknown anchor: %v", err)
	}
	if s, err := FitScale(contests[6:], "a"); err != nil || len(s.Ratings) != 2 || s.of("a").Apart {
		t.Errorf("no games at all: %+v, %v", s, err)
	}
}

// TestScaleCovers plays many tournaments of six agents under two sets of rules, some pairings missing.
func TestScaleCovers(t *testing.T) {
	const experiments, matchPairs = 2000, 40
	agents := []string{"a", "b", "c", "d", "e", "f"}
	truth := map[string]float64{"a": .2, "b": 0, "c": 1.5, "d": -1, "e": 2.5, "f": 3.5}
	armies := map[string]float64{"lopsided": 1.2, "other": -.3}
	rng := rand.New(rand.NewPCG(5, 6))
	held := map[string]int{}
	for range experiments {
		var contests []Contest
		for i, first := range agents {
			for j, second := range agents[:i] {
				if (i+j)%3 == 2 {
					continue
				}
				rules := "lopsided"
				if (i+j)%2 == 0 {
					rules = "other"
				}
				w := world{armies: armies[rules], d: truth[first] - truth[second], draws: .3, pairs: matchPairs}
				contests = append(contests, Contest{first, second, rules, w.match(rng)})
			}
		}
		s, err := FitScale(contests, "b")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range s.Ratings {
			if x := EloPerLogit * truth[r.Agent]; r.Low <= x && x <= r.High {
				held[r.Agent]++
			}
		}
		for _, a := range s.Armies {
			if x := EloPerLogit * armies[a.Rules]; a.Low <= x && x <= a.High {
				held[a.Rules]++
			}
		}
	}
	if held["b"] != experiments {
		t.Errorf("the anchor moved")
	}
	delete(held, "b")
	if len(held) != 7 {
		t.Errorf("%v: want 5 agents and 2 sets of rules", held)
	}
	for name, n := range held {
		if share := float64(n) / experiments; !near(share, 0.95, 0.015) {
			t.Errorf("%s: the 95%% interval held the truth in %.1f%%", name, 100*share)
		}
	}
}
