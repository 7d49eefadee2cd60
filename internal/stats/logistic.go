package stats

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"synochess/internal/portable"
)

// Belief is what is thought of a coefficient before any data: a normal distribution.
type Belief struct{ Mean, SD float64 }

// Logistic returns the most probable coefficients of logit(y) = sum of coefficient * x, given a belief about
// each coefficient. It is Bayesian logistic regression at its mode (Bishop, "Pattern Recognition and Machine
// Learning", 4.5), found by Newton's method. x[i] holds the features of outcome i, as many as there are
// beliefs; y[i] lies in [0,1], a draw being 0.5. Without outcomes the beliefs' means are returned. Every SD
// must be above 0. It is an error if the data are not finite, or the mode is too far from the beliefs' means
// to be reached.
func Logistic(x [][]float64, y []float64, beliefs []Belief) ([]float64, error) {
	n := len(beliefs)
	beta := make([]float64, n)
	for i, b := range beliefs {
		beta[i] = b.Mean
	}
	const rounds, enough = 50, 1e-9
	for range rounds {
		gradient, hessian := mat.NewVecDense(n, nil), mat.NewSymDense(n, nil)
		for i, b := range beliefs {
			gradient.SetVec(i, (b.Mean-beta[i])/(b.SD*b.SD))
			hessian.SetSym(i, i, 1/(b.SD*b.SD))
		}
		for i, features := range x {
			z := 0.0
			for j, f := range features {
				z += float64(f * beta[j])
			}
			p := 1 / (1 + portable.Exp(-z))
			for j, f := range features {
				if f == 0 {
					continue
				}
				gradient.SetVec(j, gradient.AtVec(j)+float64(f*(y[i]-p)))
				for k := j; k < n; k++ {
					hessian.SetSym(j, k, hessian.At(j, k)+float64(f*features[k]*p*(1-p)))
				}
			}
		}
		var chol mat.Cholesky
		if !chol.Factorize(hessian) {
			return nil, errors.New("logistic regression: the data are not finite")
		}
		var step mat.VecDense
		if err := chol.SolveVecTo(&step, gradient); err != nil {
			return nil, err
		}
		longest := 0.0
		for i := range beta {
			// Steps are bounded, because those far from the mode may overshoot without end.
			d := max(-2, min(2, step.AtVec(i)))
			beta[i] += d
			longest = max(longest, math.Abs(d))
		}
		if longest < enough {
			return beta, nil
		}
	}
	return nil, fmt.Errorf("logistic regression: the mode is not found in %d steps: the data are too far from what was believed", rounds)
}
