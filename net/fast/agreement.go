package fast

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"synochess/env/encode"
	"synochess/internal/portable"
)

// Agreement tells how far the answers of two evaluators lie apart on a number of positions.
type Agreement struct {
	Positions int
	KL        float64 // mean Kullback-Leibler divergence of the second policy from the first, in nats
	SameTop   float64 // fraction of positions at which both prefer the same move
	Value     float64 // mean |difference| of win minus loss
}

// The limits of what a precision may cost (Agreement.Check): beyond them games are decided by it.
const (
	MaxKL      = 0.005 // nats
	MinSameTop = 0.97
	MaxValue   = 0.01
)

// Check names the limits that are broken; a figure that is not a number breaks its limit.
func (a Agreement) Check() error {
	var broken []string
	if !(a.KL <= MaxKL) {
		broken = append(broken, fmt.Sprintf("the mean KL of the policy is %.5f nats, at most %g is good", a.KL, MaxKL))
	}
	if !(a.SameTop >= MinSameTop) {
		broken = append(broken, fmt.Sprintf("the best move is the same in %.2f%% of the positions, at least %g%% is good", 100*a.SameTop, 100*MinSameTop))
	}
	if !(a.Value <= MaxValue) {
		broken = append(broken, fmt.Sprintf("the mean difference of the value is %.5f, at most %g is good", a.Value, MaxValue))
	}
	if broken != nil {
		return errors.New(strings.Join(broken, "; "))
	}
	return nil
}

// String is one line for people.
func (a Agreement) String() string {
	return fmt.Sprintf("%d positions: policy KL %.5f nats, same best move %.2f%%, value difference %.5f", a.Positions, a.KL, 100*a.SameTop, a.Value)
}

// answers is what Compare needs of an evaluator.
type answers interface{ Evaluate(*encode.Batch) error }

// Compare evaluates the batches with both evaluators. The batches' answers are those of b afterwards.
func Compare(a, b answers, batches ...*encode.Batch) (Agreement, error) {
	var total Agreement
	for _, batch := range batches {
		if err := a.Evaluate(batch); err != nil {
			return total, err
		}
		logits, wdl := append([]float32(nil), batch.Logits...), append([]float32(nil), batch.WDL...)
		if err := b.Evaluate(batch); err != nil {
			return total, err
		}
		for row := range batch.Len() {
			first, second := logits[batch.Offsets[row]:batch.Offsets[row+1]], batch.RowLogits(row)
			kl, same := comparePolicies(first, second)
			total.KL += kl
			if same {
				total.SameTop++
			}
			v, u := wdl[3*row:], batch.RowWDL(row)
			total.Value += math.Abs(float64(v[0]) - float64(v[2]) - float64(u[0]) + float64(u[2]))
		}
		total.Positions += batch.Len()
	}
	if n := float64(total.Positions); n > 0 {
		total.KL, total.SameTop, total.Value = total.KL/n, total.SameTop/n, total.Value/n
	}
	return total, nil
}

// comparePolicies returns the divergence of the policy of logits b from that of logits a, and whether both
// have the same largest one.
func comparePolicies(a, b []float32) (kl float64, same bool) {
	topA, sumA := normaliser(a)
	topB, sumB := normaliser(b)
	for i := range a {
		p, q := float64(a[i])-sumA, float64(b[i])-sumB
		kl += float64(portable.Exp(p) * (p - q)) // not fused, so that all machines agree
	}
	return kl, topA == topB
}

// normaliser returns the index of the largest logit and the logarithm of the sum of exponentials.
func normaliser(logits []float32) (top int, logSum float64) {
	for i, l := range logits {
		if l > logits[top] {
			top = i
		}
	}
	sum := 0.
	for _, l := range logits {
		sum += portable.Exp(float64(l) - float64(logits[top]))
	}
	return top, float64(logits[top]) + portable.Log(sum)
}
