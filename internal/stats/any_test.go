package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// anyPairs draws pairs of every kind: perfect scores, missing games, none at all.
func anyPairs(rng *rand.Rand) []Pair {
	outcomes := []float64{0, 0.5, 1, none}
	kinds := 1 + rng.IntN(4)
	first := rng.IntN(5 - kinds)
	pairs := make([]Pair, rng.IntN(2+rng.IntN(60)))
	for i := range pairs {
		pairs[i] = Pair{outcomes[first+rng.IntN(kinds)], outcomes[first+rng.IntN(kinds)]}
		if rng.IntN(8) == 0 {
			pairs[i].East = outcomes[rng.IntN(4)]
		}
	}
	return pairs
}

// TestAnyPairs: whatever the pairs, an interval holds its estimate, and is infinite rather than undefined.
func TestAnyPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 5000 {
		pairs := anyPairs(rng)
		d := FitDifference(pairs)
		if !(d.Low <= d.High) || !(d.ArmiesLow <= d.ArmiesHigh) || d.Elo < d.Low || d.Elo > d.High || d.Armies < d.ArmiesLow || d.Armies > d.ArmiesHigh {
			t.Fatalf("%v: %+v", pairs, d)
		}
		if s := (SPRT{-10, 40, .05, .05}).Decide(pairs); math.IsNaN(s.LLR) || math.IsInf(s.LLR, 0) {
			t.Fatalf("%v: %+v", pairs, s)
		}
	}
}

// TestAnyContests: a scale is fitted to whatever was played.
func TestAnyContests(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for range 1000 {
		var contests []Contest
		agents := 1 + rng.IntN(12)
		name := func() string { return fmt.Sprint(rng.IntN(agents)) }
		for range 1 + rng.IntN(20) {
			contests = append(contests, Contest{name(), name(), fmt.Sprint(rng.IntN(3)), anyPairs(rng)})
		}
		s, err := FitScale(contests, contests[0].First)
		if err != nil {
			t.Fatalf("%v: %v", contests, err)
		}
		for _, r := range s.Ratings {
			if math.IsNaN(r.Elo-r.Low) || math.IsInf(r.High-r.Low, 0) || r.Low > r.Elo || r.Elo > r.High {
				t.Fatalf("%v: %+v", contests, r)
			}
		}
	}
}
