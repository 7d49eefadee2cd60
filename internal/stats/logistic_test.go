package stats

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// One coefficient and three wins of four: the mode solves n(p̂-p) = beta/sd^2.
func TestLogisticByHand(t *testing.T) {
	x, y := [][]float64{{1}, {1}, {1}, {1}}, []float64{1, 1, 1, 0}
	beta, err := Logistic(x, y, []Belief{{0, 2}})
	if err != nil {
		t.Fatal(err)
	}
	p := 1 / (1 + math.Exp(-beta[0]))
	if got, want := 3-4*p, beta[0]/4; math.Abs(got-want) > 1e-9 {
		t.Errorf("at %v the gradient is %v, the pull of the belief %v", beta[0], got, want)
	}
}

func TestLogisticWithoutData(t *testing.T) {
	beta, err := Logistic(nil, nil, []Belief{{0.5, 1}, {-2, 0.1}})
	if err != nil || beta[0] != 0.5 || beta[1] != -2 {
		t.Errorf("%v, %v; want the beliefs", beta, err)
	}
}

// All won: the belief keeps the coefficient finite.
func TestLogisticSeparated(t *testing.T) {
	x, y := make([][]float64, 500), make([]float64, 500)
	for i := range x {
		x[i], y[i] = []float64{1, float64(i % 2)}, 1
	}
	beta, err := Logistic(x, y, []Belief{{0, 2}, {0, 1}})
	if err != nil || !(beta[0] > 2 && beta[0] < 20) || math.IsNaN(beta[1]) {
		t.Errorf("%v, %v", beta, err)
	}
}

// A mode that the bounded steps cannot reach is an error, not the place where they ended.
func TestLogisticThatDoesNotSettle(t *testing.T) {
	beta, err := Logistic([][]float64{{1}}, []float64{0}, []Belief{{Mean: 500, SD: 1e4}})
	if err == nil || !strings.Contains(err.Error(), "not found in 50 steps") {
		t.Errorf("%v, %v", beta, err)
	}
	if beta, err := Logistic([][]float64{{math.NaN()}}, []float64{0}, []Belief{{0, 1}}); err == nil || !strings.Contains(err.Error(), "not finite") {
		t.Errorf("%v, %v", beta, err)
	}
}

func TestLogisticFindsTheTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	truth := []float64{0.8, -1.5, 0.3}
	var x [][]float64
	var y []float64
	for range 20_000 {
		f := []float64{1, float64(rng.IntN(2)), float64(rng.IntN(5) - 2)}
		z := 0.0
		for i := range f {
			z += f[i] * truth[i]
		}
		won := 0.0
		if rng.Float64() < 1/(1+math.Exp(-z)) {
			won = 1
		}
		x, y = append(x, f), append(y, won)
	}
	beta, err := Logistic(x, y, []Belief{{0, 3}, {0, 3}, {0, 3}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range truth {
		if math.Abs(beta[i]-truth[i]) > 0.08 {
			t.Errorf("coefficient %d is %.3f, in truth %.3f", i, beta[i], truth[i])
		}
	}
}
