// Package inference runs the residual blocks of a network forward, as self-play and play need it, on any kernel path.
//
// A Trunk is made of convolutions into which their batch norms are folded. In float32 (NewTrunk) results differ
// between paths by rounding; the trunks in assembly do the same operations in the same order and agree bit for bit
// with each other. A quantised trunk (Quantise, NewInt16Trunk) runs in 16-bit integers with sums in 32;
// int16_portable.go says what is computed, to the bit: all paths give the same results for the same input. See
// docs/quantisation.md.
//
// A row's result depends on that row alone: never on the number of rows, their neighbours, or threads. Functions
// trust their callers for shapes: a slice that is too short panics with an index error. Nothing allocates
// after set-up.
package inference
