package stats

import "math/rand/v2"

// world is a match with known truth.
type world struct {
	armies, d float64 // log odds of an average opening
	opening   float64 // standard deviation over openings of how much they favour the West, log odds
	grasp     float64 // standard deviation over openings of how much better the first agent understands them
	draws     float64 // share of even games that are drawn
	pairs     int
}

// expected returns what the first agent scores in the long run in both games of an opening drawn by rng.
func (w world) expected(rng *rand.Rand) (west, east float64) {
	o, g := w.opening*rng.NormFloat64(), w.grasp*rng.NormFloat64()
	return logistic(w.armies + w.d + o + g), logistic(w.d - w.armies - o + g)
}

// outcomes returns the probabilities of loss, draw and win at an expected score.
func (w world) outcomes(p float64) [3]float64 {
	draw := min(w.draws*4*p*(1-p), 2*p, 2*(1-p))
	return [3]float64{1 - p - draw/2, draw, p - draw/2}
}

func (w world) game(rng *rand.Rand, p float64) float64 {
	o := w.outcomes(p)
	switch u := rng.Float64(); {
	case u < o[0]:
		return 0
	case u < o[0]+o[1]:
		return 0.5
	}
	return 1
}

func (w world) match(rng *rand.Rand) []Pair {
	pairs := make([]Pair, w.pairs)
	for i := range pairs {
		pw, pe := w.expected(rng)
		pairs[i] = Pair{West: w.game(rng, pw), East: w.game(rng, pe)}
	}
	return pairs
}

// truth is the difference of the agents and that of the armies, in Elo, that the scores expected over all
// openings have.
func (w world) truth() (d, armies float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 100000
	var pw, pe float64
	for range n {
		a, b := w.expected(rng)
		pw, pe = pw+a/n, pe+b/n
	}
	return EloPerLogit * (logit(pw) + logit(pe)) / 2, EloPerLogit * (logit(pw) - logit(pe)) / 2
}
