package mcts

import "synochess/env/encode"

// Evaluator answers the rows of a batch: Logits for each listed move, and WDL for the mover. A row
// without legal moves is an error. An Evaluator may hold scratch memory and then belongs to one
// goroutine.
type Evaluator interface {
	// Evaluate fills b.Logits and b.WDL. Every output is finite; otherwise the error names the row.
	Evaluate(b *encode.Batch) error
	// ID names what decides an evaluation (for a network: a hash of architecture, encoding, tensors
	// and precision), never the file it came from.
	ID() string
	// KernelPath names the arithmetic that runs ("portable", "avx2-f32", ...).
	KernelPath() string
}

// UniformPrior is an Evaluator that prefers no move to another: all logits of a row are alike.
type UniformPrior interface {
	Evaluator
	// UniformPrior does nothing; it marks the type.
	UniformPrior()
}

// HasUniformPrior reports whether an evaluator is a UniformPrior: its searches want Options.AllCandidates.
func HasUniformPrior(ev Evaluator) bool {
	_, uniform := ev.(UniformPrior)
	return uniform
}
