// Package evaltest is the test suite every mcts.Evaluator has to pass, and rows to run it on.
package evaltest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"synochess/env/encode"
	"synochess/mcts"
)

// Run tests an evaluator on the rows of sample: at least five, and not all alike.
// create returns a fresh evaluator of the same kind each time.
func Run(t *testing.T, create func() mcts.Evaluator, sample *encode.Batch) {
	t.Helper()
	if sample.Len() < 5 {
		t.Fatalf("evaltest: the sample has %d rows, too few to test anything", sample.Len())
	}
	t.Run("outputs", func(t *testing.T) { outputs(t, create(), sample) })
	t.Run("batched equals single", func(t *testing.T) { single(t, create(), sample) })
	t.Run("order of rows", func(t *testing.T) { order(t, create(), sample) })
	t.Run("fresh evaluator", func(t *testing.T) { fresh(t, create, sample) })
	t.Run("order of moves", func(t *testing.T) { moves(t, create(), sample) })
	t.Run("no legal move", func(t *testing.T) { noMove(t, create(), sample) })
	t.Run("empty batch", func(t *testing.T) {
		if err := create().Evaluate(encode.NewBatchOf(sample.NumPlanes, sample.NumScalars)); err != nil {
			t.Errorf("an empty batch is an error: %v", err)
		}
	})
	t.Run("names", func(t *testing.T) {
		a, b := create(), create()
		if a.ID() == "" || a.ID() != b.ID() || a.KernelPath() == "" {
			t.Errorf("ids %q and %q of equal evaluators, kernel path %q", a.ID(), b.ID(), a.KernelPath())
		}
	})
}

// Random returns rows of noise in the shape of the encoding: sparse planes, full ones, scalars in
// range, one to sixty distinct policy indices below policySize. For evaluators that do not ask whether
// a row is a position.
func Random(seed uint64, rows, numPlanes, numScalars, policySize int) *encode.Batch {
	r := rand.New(rand.NewPCG(seed, 77))
	b := encode.NewBatchOf(numPlanes, numScalars)
	for range rows {
		planes, scalars, scales := b.AddRow(r.Uint64N(6))
		for i := range planes {
			switch r.IntN(4) {
			case 0:
				planes[i] = 0
			case 1:
				planes[i] = ^uint64(0)
			default:
				planes[i] = r.Uint64() & r.Uint64() & r.Uint64()
			}
		}
		for i := range scalars {
			scales[i] = uint16(1 + r.IntN(1000))
			scalars[i] = uint16(r.IntN(int(scales[i]) + 1))
		}
		for _, index := range r.Perm(policySize)[:1+r.IntN(60)] {
			b.AddMove(uint16(index))
		}
	}
	return b
}

// evaluate runs an evaluator and returns copies of its answers.
func evaluate(t *testing.T, ev mcts.Evaluator, b *encode.Batch) (logits, wdl []float32) {
	t.Helper()
	if err := ev.Evaluate(b); err != nil {
		t.Fatal(err)
	}
	if len(b.Logits) != len(b.Indices) || len(b.WDL) != 3*b.Len() {
		t.Fatalf("%d logits for %d moves, %d probabilities for %d rows", len(b.Logits), len(b.Indices), len(b.WDL), b.Len())
	}
	return slices.Clone(b.Logits), slices.Clone(b.WDL)
}

func outputs(t *testing.T, ev mcts.Evaluator, sample *encode.Batch) {
	logits, wdl := evaluate(t, ev, sample)
	for i, v := range logits {
		if v-v != 0 { // infinite, or not a number
			t.Fatalf("logit %d is %v", i, v)
		}
	}
	for row := range sample.Len() {
		p := wdl[3*row : 3*row+3]
		sum := float64(p[0]) + float64(p[1]) + float64(p[2])
		if !(p[0] >= 0 && p[1] >= 0 && p[2] >= 0) || math.Abs(sum-1) > 1e-6 {
			t.Fatalf("row %d: win, draw and loss are %v, sum %v", row, p, sum)
		}
	}
}

// sameBits compares one row's answers with those of row `row` of the sample.
func sameBits(t *testing.T, what string, b *encode.Batch, at int, sample *encode.Batch, row int, logits, wdl []float32) {
	t.Helper()
	if !equalBits(b.RowLogits(at), logits[sample.Offsets[row]:sample.Offsets[row+1]]) {
		t.Fatalf("%s: the logits of row %d differ", what, row)
	}
	if !equalBits(b.RowWDL(at), wdl[3*row:3*row+3]) {
		t.Fatalf("%s: win, draw and loss of row %d differ", what, row)
	}
}

func equalBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

func single(t *testing.T, ev mcts.Evaluator, sample *encode.Batch) {
	logits, wdl := evaluate(t, ev, sample)
	for row := range sample.Len() {
		b := encode.NewBatchOf(sample.NumPlanes, sample.NumScalars)
		b.Append(sample.Row(row))
		evaluate(t, ev, b)
		sameBits(t, "alone", b, 0, sample, row, logits, wdl)
	}
}

// order evaluates the rows backwards, each after one to three copies of another row, so that every row
// lands at another place of another chunk beside other neighbours.
func order(t *testing.T, ev mcts.Evaluator, sample *encode.Batch) {
	logits, wdl := evaluate(t, ev, sample)
	b := encode.NewBatchOf(sample.NumPlanes, sample.NumScalars)
	var at []int
	for row := sample.Len() - 1; row >= 0; row-- {
		for range 1 + row%3 {
			b.Append(sample.Row((row + 2) % sample.Len()))
		}
		at = append(at, b.Len())
		b.Append(sample.Row(row))
	}
	evaluate(t, ev, b)
	for i, n := range at {
		sameBits(t, "in another order", b, n, sample, sample.Len()-1-i, logits, wdl)
	}
}

// fresh asks a new evaluator for the last rows only: nothing may rest on what was evaluated before.
func fresh(t *testing.T, create func() mcts.Evaluator, sample *encode.Batch) {
	logits, wdl := evaluate(t, create(), sample)
	for row := sample.Len() - 3; row < sample.Len(); row++ {
		b := encode.NewBatchOf(sample.NumPlanes, sample.NumScalars)
		b.Append(sample.Row(row))
		evaluate(t, create(), b)
		sameBits(t, "by a fresh evaluator", b, 0, sample, row, logits, wdl)
	}
}

// moves lists a row's moves backwards: each keeps its logit, and the value does not change.
func moves(t *testing.T, ev mcts.Evaluator, sample *encode.Batch) {
	logits, wdl := evaluate(t, ev, sample)
	for row := range sample.Len() {
		b := encode.NewBatchOf(sample.NumPlanes, sample.NumScalars)
		b.Append(sample.Row(row))
		slices.Reverse(b.Indices)
		evaluate(t, ev, b)
		slices.Reverse(b.Logits)
		sameBits(t, "with its moves reversed", b, 0, sample, row, logits, wdl)
	}
}

func noMove(t *testing.T, ev mcts.Evaluator, sample *encode.Batch) {
	b := encode.NewBatchOf(sample.NumPlanes, sample.NumScalars)
	b.Append(sample.Row(0))
	b.Append(sample.Row(1))
	b.Indices, b.Offsets[2] = b.Indices[:b.Offsets[1]], b.Offsets[1]
	if ev.Evaluate(b) == nil {
		t.Error("a row without a legal move is not an error")
	}
}
