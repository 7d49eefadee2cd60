package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// fit is the likelihood of a scale. All games of a cell have one expected score, whose log odds are a sum of
// a few parameters, each with a factor of 1 or -1.
type fit struct {
	agents, rules map[string]int // the parameter's index: of each agent but the anchor, of each set of rules
	contests      []fitted
	size          int // number of parameters
}

// fitted is a contest with the parameters that its two cells depend on.
type fitted struct {
	cells
	west, east []term
}

// term is a parameter and its factor.
type term struct {
	at     int
	factor float64
}

// newFit numbers the parameters of the contests that are joined to the anchor; counts holds the cells of each contest.
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
	const rounds = 200
	for range rounds {
		inverse, err := f.covariance(x)
		if err != nil {
			return nil, nil, err
		}
		step, err := f.step(x, inverse)
		if err != nil {
			return nil, nil, err
		}
		longest := mat.Norm(step, math.Inf(1))
		scale := min(1, 2/longest) // far steps of a logistic likelihood overshoot
		for i := range x {
			x[i] += scale * step.AtVec(i)
		}
		if longest < 1e-9 {
			return x, f.deviations(x, inverse), nil
		}
	}
	return nil, nil, fmt.Errorf("the ratings do not settle in %d steps of the fit; rate fewer matches", rounds)
}

// expected returns the expected score of a game of a cell, from 0 to 1.
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
		return nil, errIll
	}
	return inverse, nil
}

// errIll is what a singular matrix means to the user.
var errIll = errors.New("the games hardly determine the ratings, because too few agents have both won and lost; rate more matches")

// step returns the Newton step of the corrected likelihood, in which a cell with leverage h counts h drawn
// games more.
func (f *fit) step(x []float64, inverse *mat.SymDense) (*mat.VecDense, error) {
	gradient, curvature := mat.NewVecDense(f.size, nil), mat.NewSymDense(f.size, nil)
	f.each(func(c cell, terms []term) {
		p, n := expected(x, terms), float64(c.games)
		leverage := n * p * (1 - p) * quadratic(inverse, terms, terms)
		u := c.score - n*p + leverage*(0.5-p)
		for _, t := range terms {
			gradient.SetVec(t.at, gradient.AtVec(t.at)+t.factor*u)
		}
		addOuter(curvature, (n+leverage)*p*(1-p), terms, terms)
	})
	var chol mat.Cholesky
	step := mat.NewVecDense(f.size, nil)
	if !chol.Factorize(curvature) || chol.SolveVecTo(step, gradient) != nil {
		return nil, errIll
	}
	return step, nil
}

// deviations returns the standard errors: the square roots of the diagonal of I^-1 V I^-1, where V is the
// variance of the likelihood's derivative with the spread that was observed.
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
