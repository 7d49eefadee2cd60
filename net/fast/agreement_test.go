package fast

import (
	"math"
	"regexp"
	"testing"

	"synochess/env/encode"
	"synochess/mcts"
)

// Each limit is noticed and named, by itself.
func TestAgreementCheck(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		a    Agreement
		want string // of the error; "" for none
	}{
		{Agreement{1, 0.005, 0.97, 0.01}, ""},
		{Agreement{1, 0.0051, 0.97, 0.01}, "^the mean KL of the policy is 0.00510 nats, at most 0.005 is good$"},
		{Agreement{1, 0.005, 0.9699, 0.01}, "^the best move is the same in 96.99% of the positions, at least 97% is good$"},
		{Agreement{1, 0.005, 0.97, 0.0101}, "^the mean difference of the value is 0.01010, at most 0.01 is good$"},
		{Agreement{1, nan, 0.5, nan}, "KL.*; the best move.*; the mean difference"},
	} {
		err := c.a.Check()
		if (err == nil) != (c.want == "") || err != nil && !regexp.MustCompile(c.want).MatchString(err.Error()) {
			t.Errorf("%v: error %v, want %q", c.a, err, c.want)
		}
	}
}

// fixed is an evaluator that gives the same logits and probabilities for every row of two moves.
type fixed struct {
	mcts.Evaluator
	logits [2]float32
	wdl    [3]float32
}

func (f fixed) Evaluate(b *encode.Batch) error {
	b.PrepareOutputs()
	for row := range b.Len() {
		copy(b.RowLogits(row), f.logits[:])
		copy(b.RowWDL(row), f.wdl[:])
	}
	return nil
}

// Probabilities (3/4, 1/4) and (1/2, 1/2): KL = 3/4 ln(3/2) + 1/4 ln(1/2) = 0.130812.
func TestCompare(t *testing.T) {
	b := encode.NewBatchOf(1, 1)
	for range 3 {
		b.AddRow(1)
		b.AddMove(0)
		b.AddMove(1)
	}
	x := fixed{logits: [2]float32{float32(math.Log(3)), 0}, wdl: [3]float32{0.5, 0.25, 0.25}}
	y := fixed{logits: [2]float32{7, 7}, wdl: [3]float32{0.25, 0.25, 0.5}}
	got, err := Compare(x, y, b)
	if err != nil || got.Positions != 3 || math.Abs(got.KL-0.130812) > 1e-6 || got.SameTop != 1 || math.Abs(got.Value-0.5) > 1e-6 {
		t.Errorf("%+v, %v", got, err)
	}
	y.logits[1] = 8
	if got, err = Compare(x, y, b); err != nil || got.SameTop != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
