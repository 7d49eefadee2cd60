package fast

import (
	"fmt"
	"math"

	"synochess/internal/eval"
	"synochess/internal/portable"
)

// Agreement tells how far the answers of two evaluators lie apart on a number of positions.
type Agreement struct {
	Positions int
	KL        float64 // mean Kullback-Leibler divergence of the second policy from the first, in nats
	SameTop   float64 // fraction of positions at which both prefer the same move
	Value     float64 // mean |difference| of win minus loss
}

// String is one line for people.
func (a Agreement) String() string {
	return fmt.Sprintf("%d positions: policy KL %.5f nats, same best move %.2f%%, value difference %.5f", a.Positions, a.KL, 100*a.SameTop, a.Value)
}

// Compare evaluates the batches with both evaluators. The batches' answers are those of b afterwards.
func Compare(a, b eval.Evaluator, batches ...*eval.Batch) (Agreement, error) {
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
		kl += portable.Exp(p) * (p - q)
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
