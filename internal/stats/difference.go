package stats

import (
	"fmt"
	"math"
)

// Pair is what the first agent scored in the two games of one opening, as Western and as Eastern: 0, 0.5 or
// 1, or NaN where that game has no result.
type Pair struct{ West, East float64 }

// Complete says whether both games have a result.
func (p Pair) Complete() bool { return !math.IsNaN(p.West) && !math.IsNaN(p.East) }

// EloPerLogit is the number of Elo points of one unit of log odds: 400/ln 10.
const EloPerLogit = 400 / math.Ln10

// Difference says by how much the first of two agents is the stronger one, in Elo points, when the armies
// themselves are not equally strong. All intervals are of 95%.
//
// An end that the games do not bound is infinite: an agent that lost no game as Western may be stronger
// by any amount, and Elo and High are +Inf. Elo is NaN when nothing can be said, for example without
// games with one of the armies.
type Difference struct {
	Elo, Low, High                float64 // of the first agent over the second
	Armies, ArmiesLow, ArmiesHigh float64 // of the Western army over the Eastern one between equal agents
	Pairs                         int     // openings whose two games both have a result
	Games                         int     // games with a result
}

// FitDifference fits
//
//	logit(s_W) = A + d,  logit(s_E) = -A + d
//
// to the first agent's scores with the Western and the Eastern army by maximum likelihood, a draw counting
// half: d is the agents' difference, A the armies'. The scores are those expected over the openings.
//
// The interval of d holds every d whose score statistic, with A fitted again, is at most the chi-square
// quantile (Rao 1948). The statistic's variance is the binomial one under that d, which keeps it right near
// 0% and 100% too. It is corrected for the draws that the pairs show, and for the likeness of an opening's
// two games (Boos 1992). docs/strength.md has the formula; the tests simulate how often the interval holds.
func FitDifference(pairs []Pair) Difference {
	c := count(pairs)
	d := Difference{Pairs: c.pairs, Games: c.west.games + c.east.games}
	d.Elo, d.Low, d.High = c.fit()
	// Counting what the Eastern army scores instead of what the first agent scores with it exchanges A and d.
	c.east.score = float64(c.east.games) - c.east.score
	c.rho = -c.rho
	d.Armies, d.ArmiesLow, d.ArmiesHigh = c.fit()
	return d
}

// cell sums up the first agent's games with one army.
type cell struct {
	games int
	score float64 // of all games together
	phi   float64 // the variance of a game's score in units of the binomial one, p(1-p): below 1 where games are drawn
}

func (c cell) mean() float64 { return c.score / float64(c.games) }

// cells sums up the pairs of one match. A cell without games has a mean of NaN.
type cells struct {
	west, east cell
	rho        float64 // correlation of the scores of a pair's two games
	pairs      int
}

// tells reports whether there are games with both armies: with one alone the agents' difference cannot be told from the armies'.
func (c cells) tells() bool { return c.west.games > 0 && c.east.games > 0 }

// inertia is the variance of one even game. It is added to the observed spread, so that equal results do not
// pass for certainty: 100 drawn pairs give an interval of -5 to +5 Elo.
const inertia = 0.25

// count sums up the pairs.
func count(pairs []Pair) cells {
	var c cells
	for _, p := range pairs {
		if !math.IsNaN(p.West) {
			c.west.games++
			c.west.score += p.West
		}
		if !math.IsNaN(p.East) {
			c.east.games++
			c.east.score += p.East
		}
		if p.Complete() {
			c.pairs++
		}
	}
	w, e := c.west.mean(), c.east.mean()
	var ww, ee, we float64
	for _, p := range pairs {
		if !math.IsNaN(p.West) {
			ww += (p.West - w) * (p.West - w)
		}
		if !math.IsNaN(p.East) {
			ee += (p.East - e) * (p.East - e)
		}
		if p.Complete() {
			we += (p.West - w) * (p.East - e)
		}
	}
	c.west.phi = spread(ww, w, c.west.games)
	c.east.phi = spread(ee, e, c.east.games)
	c.rho = we / math.Sqrt((ww+inertia)*(ee+inertia))
	return c
}

// spread returns phi of a cell from its sum of squares and its mean.
func spread(squares, mean float64, games int) float64 {
	if games < 2 {
		return 1
	}
	n := float64(games)
	return (squares*n/(n-1) + inertia) / (n*mean*(1-mean) + inertia)
}

// fit returns d and the ends of its interval.
//
// For a given d the likelihood is stationary in A where both cells lack the same amount of score,
// u = n_W (s_W - p_W) = n_E (s_E - p_E). So the fits for all d lie on one curve with the parameter u; d falls
// as u grows, and u = 0 is the best fit.
func (c cells) fit() (elo, low, high float64) {
	if !c.tells() {
		return math.NaN(), math.Inf(-1), math.Inf(1)
	}
	nw, ne := float64(c.west.games), float64(c.east.games)
	at := func(u float64) float64 {
		return EloPerLogit * (logit((c.west.score-u)/nw) + logit((c.east.score-u)/ne)) / 2
	}
	low, high = math.Inf(-1), math.Inf(1)
	if most := min(c.west.score, c.east.score); most > 0 {
		low = at(c.edge(most))
	}
	if least := max(c.west.score-nw, c.east.score-ne); least < 0 {
		high = at(c.edge(least))
	}
	return at(0), low, high
}

// edge returns the u between 0 and the given bound at which the statistic reaches the quantile. It does so
// before the bound, because the variance vanishes there.
func (c cells) edge(bound float64) float64 {
	in, out := 0.0, 1.0
	for range 60 {
		mid := (in + out) / 2
		if c.statistic(mid*bound) <= z95*z95 {
			in = mid
		} else {
			out = mid
		}
	}
	return in * bound
}

// statistic returns the score statistic for the d at u.
func (c cells) statistic(u float64) float64 {
	v := func(x cell) float64 { // the binomial variance of the cell's score
		p := (x.score - u) / float64(x.games)
		return float64(x.games) * p * (1 - p)
	}
	vw, ve := v(c.west), v(c.east)
	if vw <= 0 || ve <= 0 {
		return math.Inf(1)
	}
	slope := u/vw + u/ve
	return slope * slope / (c.west.phi/vw + c.east.phi/ve + 2*c.rho*math.Sqrt(c.west.phi*c.east.phi/(vw*ve)))
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// String prints the agents' difference: "+35 Elo (+12 to +58)", "more than +230 Elo" where no game bounds it.
func (d Difference) String() string { return eloText(d.Elo, d.Low, d.High) }

// ArmiesString prints the armies' difference in the same way.
func (d Difference) ArmiesString() string { return eloText(d.Armies, d.ArmiesLow, d.ArmiesHigh) }

func eloText(elo, low, high float64) string {
	switch {
	case math.IsInf(low, 0) && math.IsInf(high, 0):
		return "not determined by these games"
	case math.IsInf(high, 0):
		return fmt.Sprintf("more than %+.0f Elo", low)
	case math.IsInf(low, 0):
		return fmt.Sprintf("less than %+.0f Elo", high)
	}
	return fmt.Sprintf("%+.0f Elo (%+.0f to %+.0f)", elo, low, high)
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
