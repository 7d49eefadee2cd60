// Package train turns recorded games into training samples and learns from them.
//
// The way of a batch: Targets replays a game through the rules and the encoder and gives one Sample a
// ply; a Stream gives full batches of those that are drawn; Trainer.Step runs net/graph forward and backward, clips
// the gradients, and lets a gorgonia.Solver change the weights. What plays is Trainer.Averaged: a moving
// average of the weights, whose batch-norm statistics are estimated again on training samples.
//
// # Targets
//
// Policy: the improved policy that a full search found, over the legal moves. Value: win, draw and loss
// for the mover, the game's result, of which a share 1 - discount^plies moves to the draw, mixed with
// what the search said. A cut or void game has no value target: it is neither a draw nor anything else.
//
// # Invariants
//
// A step depends on the weights, the optimiser's state, the samples and the run's progress only: a
// Trainer loaded from a checkpoint goes on with the same bits, on any number of threads. A number that
// is not finite stops the Trainer with the name of the tensor and the games of the batch; from then on it
// refuses to write anything. A Trainer belongs to one goroutine.
package train
