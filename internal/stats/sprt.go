package stats

import (
	"fmt"
	"math"
)

// Pentanomial counts the complete pairs that scored 0, 0.5, 1, 1.5 and 2.
func Pentanomial(pairs []Pair) [5]int {
	var n [5]int
	for _, p := range pairs {
		if p.Complete() {
			n[int(math.Round(2*(p.West+p.East)))]++
		}
	}
	return n
}

// SPRT is a sequential test of H0, the first agent is Elo0 better, against H1, it is Elo1 better. Elo0 is
// less than Elo1. If H0 holds, the test accepts H1 with probability Alpha; if H1 holds, it accepts H0 with
// probability Beta. Both are approximate (Wald 1945), and hold however often the test is looked at.
//
// Elo0 and Elo1 are in normalised Elo (Van den Bergh, the unit of Fishtest): 800/ln 10 times the expected
// score beyond one half, divided by the standard deviation of a game's score. That is taken to be the square
// root of 2 times the standard deviation of a pair's mean. Where no game is drawn and the armies are equal
// this is Elo, nearly. Unlike Elo of the pooled score it does not shrink with draws, lopsided armies and
// one-sided openings, so the number of games to a verdict depends on the hypotheses alone.
type SPRT struct {
	Elo0  float64 `json:"elo0"`
	Elo1  float64 `json:"elo1"`
	Alpha float64 `json:"alpha"`
	Beta  float64 `json:"beta"`
}

// nEloPerUnit is the number of normalised Elo points of one standard deviation.
const nEloPerUnit = 800 / math.Ln10

// Verdict is what a sequential test has come to.
type Verdict int

// The verdicts.
const (
	Continue Verdict = iota
	AcceptH0
	AcceptH1
)

func (v Verdict) String() string { return [...]string{"undecided", "H0 accepted", "H1 accepted"}[v] }

// MarshalText writes the verdict as String does.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// SPRTState is a test's state: it goes on while LLR lies between the bounds.
type SPRTState struct {
	LLR     float64 `json:"llr"`   // log likelihood ratio of H1 to H0
	Lower   float64 `json:"lower"` // ln(Beta/(1-Alpha)): H0 is accepted at or below it
	Upper   float64 `json:"upper"` // ln((1-Beta)/Alpha): H1 is accepted at or above it
	Verdict Verdict `json:"verdict"`
}

// farthest is the highest normalised Elo that a hypothesis may name: some three standard deviations of a pair's mean.
const farthest = 700

// Check says what is wrong with a test's numbers.
func (s SPRT) Check() error {
	switch {
	case !(s.Elo0 < s.Elo1 && s.Elo0 >= -farthest && s.Elo1 <= farthest):
		return fmt.Errorf("elo0 %g, elo1 %g: want elo0 below elo1, both between -%d and %d", s.Elo0, s.Elo1, farthest, farthest)
	case !(s.Alpha > 0 && s.Alpha < 0.5):
		return fmt.Errorf("alpha %g: want more than 0 and less than 0.5", s.Alpha)
	case !(s.Beta > 0 && s.Beta < 0.5):
		return fmt.Errorf("beta %g: want more than 0 and less than 0.5", s.Beta)
	}
	return nil
}

// Decide returns the state after the complete pairs of a match. The test is the generalised one of Li, Liu
// and Ying (2014): it compares the likelihoods of how often each of the five pair scores occurred, at their
// best under each hypothesis. s must pass Check.
func (s SPRT) Decide(pairs []Pair) SPRTState {
	state := SPRTState{
		LLR:   s.llr(Pentanomial(pairs)),
		Lower: math.Log(s.Beta / (1 - s.Alpha)),
		Upper: math.Log((1 - s.Beta) / s.Alpha),
	}
	switch {
	case state.LLR <= state.Lower:
		state.Verdict = AcceptH0
	case state.LLR >= state.Upper:
		state.Verdict = AcceptH1
	}
	return state
}

// pairMeans are the mean scores of the five kinds of pairs.
var pairMeans = [5]float64{0, 0.25, 0.5, 0.75, 1}

// unseen stands for a count of 0, because without some kind of pair there may be no distribution at all that
// meets the hypothesis.
const unseen = 1e-3

func (s SPRT) llr(counts [5]int) float64 {
	var n [5]float64
	total := 0.0
	for i, c := range counts {
		n[i] = max(float64(c), unseen)
		total += float64(c)
	}
	if total == 0 {
		return 0
	}
	p0 := likeliest(n, s.Elo0/nEloPerUnit*math.Sqrt2)
	p1 := likeliest(n, s.Elo1/nEloPerUnit*math.Sqrt2)
	llr := 0.0
	for i := range n {
		llr += n[i] * math.Log(p1[i]/p0[i])
	}
	return llr
}

// likeliest returns the distribution over pair means that makes the counts likeliest among those whose
// mean lies t standard deviations above one half.
//
// It linearises the constraint at a distribution p, takes the likeliest that meets it so, and repeats this
// there until nothing changes. With m and s the mean and standard deviation of p, the derivative of
// m - 1/2 - t s by p_i is, but for a constant, x_i - 1/2 - t s (1 + ((x_i-m)/s)^2)/2. It begins with the
// distribution of won and lost pairs alone that meets the constraint.
func likeliest(n [5]float64, t float64) [5]float64 {
	won := 0.5 + t/(2*math.Sqrt(1+t*t))
	p := [5]float64{0: 1 - won, 4: won}
	for range 100 {
		m, v := moments(p)
		s := math.Sqrt(v)
		var a [5]float64
		for i, x := range pairMeans {
			a[i] = x - 0.5 - t*s*(1+(x-m)*(x-m)/v)/2
		}
		next := tilted(n, a)
		change := 0.0
		for i := range p {
			change = max(change, math.Abs(next[i]-p[i]))
		}
		if p = next; change < 1e-10 {
			break
		}
	}
	return p
}

func moments(p [5]float64) (mean, variance float64) {
	for i, x := range pairMeans {
		mean += p[i] * x
	}
	for i, x := range pairMeans {
		variance += p[i] * (x - mean) * (x - mean)
	}
	return mean, variance
}

// tilted returns the distribution that makes the counts likeliest with sum p_i a_i = 0. By Lagrange p_i is
// proportional to n_i / (1 + y a_i). y is the root of the constraint, which falls as y grows between the
// poles on both sides of 0.
func tilted(n, a [5]float64) [5]float64 {
	low, high := math.Inf(-1), math.Inf(1)
	for _, x := range a {
		if x > 0 {
			low = max(low, -1/x)
		} else if x < 0 {
			high = min(high, -1/x)
		}
	}
	y := 0.0
	for range 60 {
		var f, slope float64
		for i, x := range a {
			q := x / (1 + y*x)
			f += n[i] * q
			slope -= n[i] * q * q
		}
		if f > 0 {
			low = y
		} else {
			high = y
		}
		step := y - f/slope
		if !(step > low && step < high) { // Newton left the bracket
			step = (low + high) / 2
		}
		if math.Abs(step-y) <= 1e-13*(1+math.Abs(y)) {
			break
		}
		y = step
	}
	total := 0.0
	for _, c := range n {
		total += c
	}
	var p [5]float64
	for i, x := range a {
		p[i] = n[i] / total / (1 + y*x)
	}
	return p
}
