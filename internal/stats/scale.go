package stats

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Contest is a match of two agents under one set of rules. An agent and a set of rules is whatever has
// its own string.
type Contest struct {
	First, Second string
	Rules         string
	Pairs         []Pair // from the first agent's side
}

// Rating is an agent's place on a scale.
type Rating struct {
	Agent string `json:"agent"`
	// Elo is the rating with its 95% interval, 0 for the anchor. It means nothing where Apart is set.
	Elo  float64 `json:"elo"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Games is the number of games with a result, and Score what the agent scored in them, 0 to 1.
	Games int     `json:"games"`
	Score float64 `json:"score"`
	// Perfect says that the agent scored nothing but wins or nothing but losses: its rating is held finite
	// by the fit's correction alone, and is a bound rather than an estimate.
	Perfect bool `json:"perfect"`
	// Apart says that no chain of games leads from the agent to the anchor.
	Apart bool `json:"apart"`
}

// Advantage is by how much the Western army is the stronger one under a set of rules, between equal
// agents, with its 95% interval.
type Advantage struct {
	Rules string  `json:"rules"`
	Elo   float64 `json:"elo"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Scale is one scale of ratings for all agents.
type Scale struct {
	Anchor  string      `json:"anchor"`
	Ratings []Rating    `json:"ratings"`  // best first, then those apart
	Armies  []Advantage `json:"armies"`   // by the rules' names; only of contests that are part of the scale
	LeftOut []int       `json:"left_out"` // contests without results with both armies, which tell nothing of the agents
}

// FitScale puts all agents that games join to the anchor on one scale with the anchor at 0:
//
//	logit(s_W) = A + r_i - r_j,  logit(s_E) = -A + r_i - r_j
//
// for agent i against j, with an A for each set of rules, a draw counting half. The fit is Firth's (1993):
// the likelihood is corrected so that the estimates' bias is removed to the first order and perfect scores
// get finite ratings (Heinze and Schemper 2002). Standard errors are those of the information matrix with
// each contest's spread and likeness of paired games as observed, as in FitDifference.
func FitScale(contests []Contest, anchor string) (*Scale, error) {
	s := &Scale{Anchor: anchor}
	totals := map[string]*Rating{}
	total := func(agent string) *Rating {
		if totals[agent] == nil {
			totals[agent] = &Rating{Agent: agent}
		}
		return totals[agent]
	}
	counts := make([]cells, len(contests))
	for i, c := range contests {
		n := count(c.Pairs)
		if !n.tells() {
			s.LeftOut = append(s.LeftOut, i)
			n = cells{}
		}
		counts[i] = n
		games, score := n.west.games+n.east.games, n.west.score+n.east.score
		first, second := total(c.First), total(c.Second)
		first.Games, first.Score = first.Games+games, first.Score+score
		second.Games, second.Score = second.Games+games, second.Score+float64(games)-score
	}
	if totals[anchor] == nil {
		return nil, fmt.Errorf("the anchor %q has played none of the matches", anchor)
	}
	joined := reached(contests, counts, anchor)
	f := newFit(contests, counts, anchor, joined)
	estimates, deviations, err := f.solve()
	if err != nil {
		return nil, err
	}
	at := func(i int) (elo, low, high float64) {
		elo, half := EloPerLogit*estimates[i], EloPerLogit*z95*deviations[i]
		return elo, elo - half, elo + half
	}
	for agent, r := range totals {
		if r.Games > 0 {
			r.Score /= float64(r.Games)
			r.Perfect = r.Score == 0 || r.Score == 1
		}
		r.Apart = !joined[agent]
		if i, ok := f.agents[agent]; ok {
			r.Elo, r.Low, r.High = at(i)
		}
		s.Ratings = append(s.Ratings, *r)
	}
	slices.SortFunc(s.Ratings, byRating)
	for rules, i := range f.rules {
		a := Advantage{Rules: rules}
		a.Elo, a.Low, a.High = at(i)
		s.Armies = append(s.Armies, a)
	}
	slices.SortFunc(s.Armies, func(a, b Advantage) int { return cmp.Compare(a.Rules, b.Rules) })
	return s, nil
}

func byRating(a, b Rating) int {
	if a.Apart != b.Apart {
		if a.Apart {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(b.Elo, a.Elo), cmp.Compare(a.Agent, b.Agent))
}

// reached returns the agents that a chain of games joins to the anchor.
func reached(contests []Contest, counts []cells, anchor string) map[string]bool {
	joined := map[string]bool{anchor: true}
	for grown := true; grown; {
		grown = false
		for i, c := range contests {
			if joined[c.First] != joined[c.Second] && counts[i].tells() {
				joined[c.First], joined[c.Second] = true, true
				grown = true
			}
		}
	}
	return joined
}

// fit is the likelihood of a scale: every cell of games has the same expected log odds, a sum of a few
// parameters with signs.
type fit struct {
	agents, rules map[string]int // the parameter of each agent but the anchor, and of each set of rules
	contests      []fitted
	size          int // number of parameters
}

// fitted is a contest with what its two cells depend on.
type fitted struct {
	cells
	west, east []term
}

// term is a parameter and its factor.
type term struct {
	at     int
	factor float64
}

func newFit(contests []Contest, counts []cells, anchor string, joined map[string]bool) *fit {
	f := &fit{agents: map[string]int{}, rules: map[string]int{}}
	parameter := func(of map[string]int, name string) int {
		i, ok := of[name]
		if !ok {
			i = f.size
			of[name] = i
			f.size++
		}
		return i
	}
	for i, c := range contests {
		n := fitted{cells: counts[i]}
		if !n.tells() || !joined[c.First] {
			continue
		}
		if c.First != c.Second {
			if c.First != anchor {
				n.west = append(n.west, term{parameter(f.agents, c.First), 1})
			}
			if c.Second != anchor {
				n.west = append(n.west, term{parameter(f.agents, c.Second), -1})
			}
		}
		a := parameter(f.rules, c.Rules)
		n.east = append(slices.Clone(n.west), term{a, -1})
		n.west = append(n.west, term{a, 1})
		f.contests = append(f.contests, n)
	}
	return f
}

// solve returns the parameters and their standard errors, in logits.
func (f *fit) solve() (estimates, deviations []float64, err error) {
	x := make([]float64, f.size)
	if f.size == 0 {
		return x, x, nil
	}
	for range 200 {
		inverse, err := f.covariance(x)
		if err != nil {
			return nil, nil, err
		}
		var step mat.VecDense
		step.MulVec(inverse, f.score(x, inverse))
		longest := mat.Norm(&step, math.Inf(1))
		scale := min(1, 2/longest) // far steps of a logistic likelihood overshoot
		for i := range x {
			x[i] += scale * step.AtVec(i)
		}
		if longest < 1e-9 {
			return x, f.deviations(x, inverse), nil
		}
	}
	return nil, nil, errors.New("the fit of the scale did not settle")
}

// expected returns the expected score of a cell.
func expected(x []float64, terms []term) float64 {
	sum := 0.0
	for _, t := range terms {
		sum += t.factor * x[t.at]
	}
	return logistic(sum)
}

// each calls do with every cell.
func (f *fit) each(do func(c cell, terms []term)) {
	for _, n := range f.contests {
		do(n.cells.west, n.west)
		do(n.cells.east, n.east)
	}
}

// covariance returns the inverse of the information matrix.
func (f *fit) covariance(x []float64) (*mat.SymDense, error) {
	info := mat.NewSymDense(f.size, nil)
	f.each(func(c cell, terms []term) {
		p := expected(x, terms)
		addOuter(info, float64(c.games)*p*(1-p), terms, terms)
	})
	var chol mat.Cholesky
	inverse := mat.NewSymDense(f.size, nil)
	if !chol.Factorize(info) || chol.InverseTo(inverse) != nil {
		return nil, errors.New("the games hardly determine the scale: too few agents have both won and lost")
	}
	return inverse, nil
}

// score returns the gradient of the corrected likelihood: a cell with leverage h counts h drawn games more.
func (f *fit) score(x []float64, inverse *mat.SymDense) *mat.VecDense {
	g := mat.NewVecDense(f.size, nil)
	f.each(func(c cell, terms []term) {
		p, n := expected(x, terms), float64(c.games)
		leverage := n * p * (1 - p) * quadratic(inverse, terms, terms)
		u := c.score - n*p + leverage*(0.5-p)
		for _, t := range terms {
			g.SetVec(t.at, g.AtVec(t.at)+t.factor*u)
		}
	})
	return g
}

// deviations returns the square roots of the diagonal of the sandwich I^-1 V I^-1, V being the variance of
// the score with the observed spread.
func (f *fit) deviations(x []float64, inverse *mat.SymDense) []float64 {
	v := mat.NewSymDense(f.size, nil)
	for _, n := range f.contests {
		pw, pe := expected(x, n.west), expected(x, n.east)
		vw := float64(n.cells.west.games) * pw * (1 - pw) * n.cells.west.phi
		ve := float64(n.cells.east.games) * pe * (1 - pe) * n.cells.east.phi
		addOuter(v, vw, n.west, n.west)
		addOuter(v, ve, n.east, n.east)
		both := n.rho * math.Sqrt(vw*ve)
		addOuter(v, both, n.west, n.east)
		addOuter(v, both, n.east, n.west)
	}
	var half, sandwich mat.Dense
	half.Mul(inverse, v)
	sandwich.Mul(&half, inverse)
	out := make([]float64, f.size)
	for i := range out {
		out[i] = math.Sqrt(max(0, sandwich.At(i, i)))
	}
	return out
}

// addOuter adds the upper triangle of weight a b' to m.
func addOuter(m *mat.SymDense, weight float64, a, b []term) {
	for _, s := range a {
		for _, t := range b {
			if s.at <= t.at {
				m.SetSym(s.at, t.at, m.At(s.at, t.at)+weight*s.factor*t.factor)
			}
		}
	}
}

// quadratic returns a' m b.
func quadratic(m *mat.SymDense, a, b []term) float64 {
	sum := 0.0
	for _, s := range a {
		for _, t := range b {
			sum += s.factor * t.factor * m.At(s.at, t.at)
		}
	}
	return sum
}
