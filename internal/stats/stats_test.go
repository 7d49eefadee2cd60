package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol }

func TestWilsonMatchesTheTextbook(t *testing.T) {
	for _, c := range []struct {
		successes float64
		n         int
		low, high float64
	}{
		{81, 263, 0.2553, 0.3662}, // Newcombe 1998, table I
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
		{29, 29, 0.8830, 1},
	} {
		if got := Wilson(c.successes, c.n); !near(got.Low, c.low, 5e-5) || !near(got.High, c.high, 5e-5) {
			t.Errorf("Wilson(%v, %d) = %v, want %v to %v", c.successes, c.n, got, c.low, c.high)
		}
	}
	if got := Wilson(0, 0); got.Low != 0 || got.High != 1 {
		t.Errorf("no trials: %v", got)
	}
}

// TestClusterMeanCovers draws many matches of correlated pairs and counts how often the interval holds
// the true mean.
func TestClusterMeanCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	held := 0
	const rounds = 300
	for range rounds {
		pairs := make([][]float64, 100)
		for i := range pairs {
			p := 0.3 // one kind of opening favours one side in both games
			if rng.IntN(2) == 0 {
				p = 0.9
			}
			for range 2 {
				x := 0.0
				if rng.Float64() < p {
					x = 1
				}
				pairs[i] = append(pairs[i], x)
			}
		}
		if got := ClusterMean(pairs); got.Low <= 0.6 && 0.6 <= got.High {
			held++
		}
	}
	if held < rounds*90/100 || held > rounds*99/100 {
		t.Errorf("the 95%% interval held the truth %d times of %d", held, rounds)
	}
}

func TestClusterMeanWithoutSpread(t *testing.T) {
	all := [][]float64{{1, 1}, {1, 1}, {1, 1}}
	if got := ClusterMean(all); got != Wilson(3, 3) {
		t.Errorf("three won pairs: %v", got)
	}
	if got := ClusterMean(nil); got.Low != 0 || got.High != 1 {
		t.Errorf("no game: %v", got)
	}
	uneven := [][]float64{{1}, {1, 0, 1, 0}}
	if got := ClusterMean(uneven); !near(got.Estimate, 0.6, 1e-12) {
		t.Errorf("mean of uneven clusters %v, want 0.6", got.Estimate)
	}
}

func TestEntropy(t *testing.T) {
	if got := Entropy([]int{1, 1, 1, 1, 0}); !near(got, math.Log(4), 1e-12) {
		t.Errorf("entropy of four equal counts %v", got)
	}
	if got := Entropy([]int{7}); got != 0 {
		t.Errorf("entropy of one outcome %v", got)
	}
}
