package training

import (
	"fmt"
	"math"

	"synochess/internal/portable"
)

// MaskedCE is the cross entropy of a softmax over those entries of a row that are not masked:
//
//	loss = 1/Batch * sum over rows of weight[row] * sum over entries of -target * log softmax(logit)
//
// A target below 0 masks its entry; the others should sum to 1, and NaN among them gives a loss of NaN. A row of
// weight 0 is left out, and so needs no unmasked entry.
type MaskedCE struct {
	Batch, Size int       // rows, entries a row
	Grad        []float32 // [Batch][Size]: gradient of the loss to the logits

	// Of each row, whatever its weight, but 0 if that is 0:
	Loss    []float32 // [Batch] its cross entropy
	Entropy []float32 // [Batch] the prediction's entropy, in nats
	Hit     []bool    // [Batch] the largest logit is that of the (first) largest target

	pool *Pool
	errs []error   // [block]
	open [][]int32 // [row]: the entries that are not masked; elsewhere Grad is 0
}

// NewMaskedCE allocates a loss.
func NewMaskedCE(pool *Pool, batch, size int) *MaskedCE {
	return &MaskedCE{
		Batch: batch, Size: size, pool: pool, Grad: make([]float32, batch*size),
		Loss: make([]float32, batch), Entropy: make([]float32, batch), Hit: make([]bool, batch),
		errs: make([]error, Blocks(batch)), open: make([][]int32, batch),
	}
}

// Forward returns the loss and sets Grad and the figures of each row. A row with a weight but without
// an unmasked entry is an error.
func (l *MaskedCE) Forward(logits, targets, weights []float32) (float32, error) {
	l.pool.run(Blocks(l.Batch), func(_, block int) {
		l.errs[block] = nil
		lo, hi := blockRange(block, l.Batch)
		for r := lo; r < hi; r++ {
			if err := l.row(r, logits, targets, weights[r]); err != nil {
				l.errs[block] = err
				return
			}
		}
	})
	for _, err := range l.errs {
		if err != nil {
			return 0, err
		}
	}
	var loss float64
	for r, v := range l.Loss {
		loss += float64(float64(v) * float64(weights[r]))
	}
	return float32(loss / float64(l.Batch)), nil
}

// row handles one row.
func (l *MaskedCE) row(r int, logits, targets []float32, weight float32) error {
	from, to := r*l.Size, (r+1)*l.Size
	x, t, g := logits[from:to], targets[from:to], l.Grad[from:to]
	l.Loss[r], l.Entropy[r], l.Hit[r] = 0, 0, false
	for _, i := range l.open[r] {
		g[i] = 0
	}
	open := l.open[r][:0]
	if weight != 0 {
		open = appendOpen(open, t)
	}
	l.open[r] = open
	if weight == 0 {
		return nil
	}
	if len(open) == 0 {
		return fmt.Errorf("row %d has a weight but no unmasked entry (a position without legal moves is not a sample)", r)
	}
	top, want := open[0], open[0] // entries of the largest logit and target
	for _, i := range open {
		if x[i] > x[top] {
			top = i
		}
		if t[i] > t[want] {
			want = i
		}
	}
	var sum, mass float64
	for _, i := range open {
		e := portable.Exp(below(x[i], x[top]))
		g[i] = float32(e)
		sum += e
		mass += float64(t[i])
	}
	logSum := portable.Log(sum)
	var loss, entropy float64
	scale := float64(weight) / float64(l.Batch)
	for _, i := range open {
		v := t[i]
		logp, p := below(x[i], x[top])-logSum, float64(g[i])/sum
		loss -= float64(float64(v) * logp)
		entropy -= float64(p * logp)
		g[i] = float32(scale * (float64(p*mass) - float64(v)))
	}
	l.Loss[r], l.Entropy[r], l.Hit[r] = float32(loss), float32(entropy), top == want
	return nil
}

// below returns how far a logit is from the largest, at most the largest number: with infinity, logits of any size
// but finite would give no loss.
func below(x, top float32) float64 { return float64(max(x-top, -math.MaxFloat32)) }

// appendOpen appends the entries of a row of targets that are not masked. Nearly all are, by -1, and so it looks
// at eight at once.
func appendOpen(open []int32, targets []float32) []int32 {
	masked := math.Float32bits(-1)
	i := 0
	for ; i+8 <= len(targets); i += 8 {
		t := (*[8]float32)(targets[i:])
		a, b, c, d := math.Float32bits(t[0]), math.Float32bits(t[1]), math.Float32bits(t[2]), math.Float32bits(t[3])
		e, f, g, h := math.Float32bits(t[4]), math.Float32bits(t[5]), math.Float32bits(t[6]), math.Float32bits(t[7])
		if (a^masked)|(b^masked)|(c^masked)|(d^masked)|(e^masked)|(f^masked)|(g^masked)|(h^masked) == 0 {
			continue
		}
		for j, v := range t {
			if !(v < 0) {
				open = append(open, int32(i+j))
			}
		}
	}
	for ; i < len(targets); i++ {
		if !(targets[i] < 0) {
			open = append(open, int32(i))
		}
	}
	return open
}
