package loop

import (
	"testing"
	"time"

	"synochess/selfplay"
)

// The time left by hand: medians of the newest five generations, times what is to come.
func TestTimeLeft(t *testing.T) {
	rules, err := selfplay.NewRuleSource([]selfplay.RuleEntry{{Name: "moddable", Weight: 1}, {Name: "pychess", Weight: 1}, {Name: "moddable", Weight: 2}})
	if err != nil {
		t.Fatal(err)
	}
	r := &run{cfg: &Config{Generations: 20}, rules: rules, last: 20}
	r.cfg.Proof = selfplay.MatchConfig{Openings: 1, Visits: 10}
	if got := r.left(1, false); got != 0 {
		t.Errorf("nothing is known, and it is %v", got)
	}
	r.done = []GenerationLine{
		{PlaySeconds: 900, TrainSeconds: 900, Visits: 1000}, // too old
		{PlaySeconds: 100, TrainSeconds: 30, Visits: 10000},
		{PlaySeconds: 90, TrainSeconds: 20, Visits: 10000},
		{PlaySeconds: 1, TrainSeconds: 40, Visits: 10000}, // interrupted
		{PlaySeconds: 110, TrainSeconds: 30, Visits: 10000},
		{PlaySeconds: 120, TrainSeconds: 50, Visits: 10000},
	}
	// A generation takes 100 s and 30 s, a visit .01 s. Two rule sets; a match has 2 games, in each 60 moves of a side, so
	// 10 visits for each of 5 sides of the proof are 12,000 visits, or 120 s.
	const proof = 120 * time.Second
	if got, want := r.left(15, false), 30*time.Second+5*130*time.Second+proof; got != want {
		t.Errorf("after the games of generation 15: %v, want %v", got, want)
	}
	if got, want := r.left(20, true), proof; got != want {
		t.Errorf("after the last generation: %v, want %v", got, want)
	}
	// 20 visits for one side against greedy and two against itself: 14,400 visits a round, rounds after 15 and 20.
	r.cfg.Anchor = AnchorConfig{Every: 5, Against: []string{AgainstGreedy, AgainstEarlier}, MatchConfig: selfplay.MatchConfig{Openings: 1, Visits: 20}}
	if got, want := r.left(15, true), 5*130*time.Second+2*144*time.Second+proof; got != want {
		t.Errorf("with anchor matches: %v, want %v", got, want)
	}
	r.last = 16 // asked to stop there, without proof
	if got, want := r.left(15, true), 130*time.Second+144*time.Second; got != want {
		t.Errorf("to generation 16: %v, want %v", got, want)
	}
}
