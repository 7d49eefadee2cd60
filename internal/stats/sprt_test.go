package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestPentanomial(t *testing.T) {
	got := Pentanomial([]Pair{{0, 0}, {0, .5}, {.5, .5}, {1, 0}, {0, 1}, {.5, 1}, {1, 1}, {1, none}, {none, none}})
	if want := [5]int{1, 1, 3, 1, 1}; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestLLRByHand takes pairs that are won or lost as a whole: the hypothesis alone then says the share won,
// with (q-1/2)^2 = t^2 q(1-q).
func TestLLRByHand(t *testing.T) {
	const pairT = 0.2 // standard deviations of a pair's mean
	s := SPRT{Elo0: 0, Elo1: pairT / math.Sqrt2 * 800 / math.Ln10, Alpha: .05, Beta: .1}
	got := s.Decide(append(repeat(60, Pair{1, 1}), repeat(40, Pair{0, 0})...))
	q := 0.5 + 0.1/math.Sqrt(1.04)
	want := 60*math.Log(q/0.5) + 40*math.Log((1-q)/0.5) // 2.01
	if !near(got.LLR, want, 0.01) || got.Verdict != Continue {
		t.Errorf("%+v, want a log likelihood ratio of %v", got, want)
	}
	if !near(got.Lower, -2.2513, 1e-4) || !near(got.Upper, 2.8904, 1e-4) { // ln(.1/.95), ln(.9/.05)
		t.Errorf("bounds %+v", got)
	}
	if got := s.Decide(nil); got.LLR != 0 || got.Verdict != Continue {
		t.Errorf("no pairs: %+v", got)
	}
	if got := s.Decide(repeat(100, Pair{1, 1})); got.Verdict != AcceptH1 {
		t.Errorf("all won: %+v", got)
	}
	if got := s.Decide(repeat(100, Pair{0, 0})); got.Verdict != AcceptH0 {
		t.Errorf("all lost: %+v", got)
	}
	if got := s.Decide(repeat(1000, Pair{1, 0})); math.IsNaN(got.LLR) || got.Verdict != AcceptH0 {
		t.Errorf("all even: %+v", got)
	}
}

// TestLikeliest: the fit under a hypothesis meets the hypothesis, and no other distribution that does is
// likelier.
func TestLikeliest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	standing := func(p [5]float64) float64 {
		m, v := moments(p)
		return (m - 0.5) / math.Sqrt(v)
	}
	for _, n := range [][5]float64{{10, 20, 40, 20, 10}, {1, 2, 90, 5, 2}, {unseen, unseen, 3, 50, 200}, {unseen, unseen, 30, unseen, unseen}, {unseen, unseen, unseen, unseen, 9}} {
		likelihood := func(p [5]float64) float64 {
			sum := 0.0
			for i := range n {
				sum += n[i] * math.Log(p[i])
			}
			return sum
		}
		for _, want := range []float64{-2.85, -1, -.1, 0, .05, .5, 2.85} {
			best := likeliest(n, want)
			if got := standing(best); !near(got, want, 1e-7) {
				t.Errorf("%v: %v has t = %v, want %v", n, best, got, want)
				continue
			}
			for range 50 {
				// A neighbour, tilted until it meets the hypothesis.
				var neighbour [5]float64
				for i := range neighbour {
					neighbour[i] = best[i] * math.Exp(0.1*rng.NormFloat64())
				}
				low, high := -5.0, 5.0
				var p [5]float64
				for range 60 {
					tilt, sum := (low+high)/2, 0.0
					for i := range p {
						p[i] = neighbour[i] * math.Exp(tilt*pairMeans[i])
						sum += p[i]
					}
					for i := range p {
						p[i] /= sum
					}
					if standing(p) < want {
						low = tilt
					} else {
						high = tilt
					}
				}
				if math.Abs(standing(p)-want) < 1e-9 && likelihood(p) > likelihood(best)+1e-6 {
					t.Errorf("%v, t = %v: %v is likelier than %v", n, want, p, best)
				}
			}
		}
	}
}

// TestSPRTKeepsItsErrorRates plays matches where one of the hypotheses holds exactly and looks after every
// fourth pair.
func TestSPRTKeepsItsErrorRates(t *testing.T) {
	const experiments, most = 2000, 2000
	s := SPRT{Elo0: -20, Elo1: 60, Alpha: .05, Beta: .1}
	for _, w := range []world{{draws: .3}, {armies: 2, opening: 1, draws: .3}, {armies: 1, grasp: 1}} {
		for _, h := range []struct {
			elo     float64
			wrong   Verdict
			allowed float64
		}{{s.Elo0, AcceptH1, s.Alpha}, {s.Elo1, AcceptH0, s.Beta}} {
			w.d = w.withNormalised(h.elo)
			rng := rand.New(rand.NewPCG(7, 8))
			wrong, total := 0, 0
			for range experiments {
				w.pairs = 4
				var pairs []Pair
				state := SPRTState{}
				for state.Verdict == Continue && len(pairs) < most {
					pairs = append(pairs, w.match(rng)...)
					state = s.Decide(pairs)
				}
				if state.Verdict == h.wrong {
					wrong++
				}
				total += len(pairs)
			}
			if share := float64(wrong) / experiments; share > h.allowed+0.015 {
				t.Errorf("%+v at %v: wrong in %.1f%%, allowed %.0f%%", w, h.elo, 100*share, 100*h.allowed)
			}
			if mean := total / experiments; mean < 20 || mean > 100 {
				t.Errorf("%+v at %v: %d pairs to a verdict", w, h.elo, mean)
			}
		}
	}
}

// withNormalised returns the d at which a world's pairs have the given normalised Elo.
func (w world) withNormalised(elo float64) float64 {
	low, high := -3.0, 3.0
	for range 40 {
		w.d = (low + high) / 2
		rng := rand.New(rand.NewPCG(1, 1))
		const openings = 10000
		var p [5]float64
		for range openings {
			west, east := w.expected(rng)
			a, b := w.outcomes(west), w.outcomes(east)
			for i := range a {
				for j := range b {
					p[i+j] += a[i] * b[j] / openings
				}
			}
		}
		if m, v := moments(p); 800/math.Ln10*(m-0.5)/math.Sqrt(2*v) < elo {
			low = w.d
		} else {
			high = w.d
		}
	}
	return w.d
}

func TestSPRTCheck(t *testing.T) {
	if err := (SPRT{0, 30, .05, .05}).Check(); err != nil {
		t.Error(err)
	}
	for _, s := range []SPRT{{0, 0, .05, .05}, {5, 0, .05, .05}, {none, 5, .05, .05}, {0, inf, .05, .05}, {0, 5, 0, .05}, {0, 5, .05, .5}, {0, 5, none, .05}} {
		if s.Check() == nil {
			t.Errorf("%+v passes", s)
		}
	}
}
