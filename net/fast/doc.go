// Package fast runs a network (package net) for search: an mcts.Evaluator over net/kernels.
//
// Batch norms are folded into the weights before them. Rows go through the whole network a few at a
// time, so that their activations stay in the cache. Activations lie as [row][square][channel].
//
// New runs on the kernel path it is given (see package kernels); KernelPath tells which. Paths differ by rounding,
// so a run keeps to one. Test vectors in weights files come from the portable kernels.
//
// The stem is sparse: for each set bit of a plane the nine weight rows it touches are added to the
// outputs around it; a full plane is one addition of a precomputed map; what depends on the rule set
// alone (its regions and its part of the vector) is computed once for each rule set and kept. The
// policy is computed for the listed moves only; where it has a from-to term, q and k are for all squares.
//
// NewQuantised runs the residual blocks in 16-bit integers (docs/quantisation.md): Calibrate measures on
// positions how large their activations get and records that in the weights, and Compare tells what it costs
// in accuracy. Its evaluations have an id of their own.
//
// A row's result is a function of that row alone, bit for bit: nothing is summed in an order that
// depends on the batch, on the row's place in it, or on what was cached.
package fast
