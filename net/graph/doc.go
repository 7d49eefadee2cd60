// Package graph is the network of package net as a Gorgonia graph that can be trained.
//
// Gorgonia holds the graph, differentiates it (gorgonia.Grad) and runs it (a TapeMachine); the nodes
// that do the work are custom ops over net/kernels: Tower, Lin, Lin with FromTo, and MaskedCE. Each op owns
// its output and its gradients, allocated once; forward and backward hand out the same tensors again
// and again. One backward op fills all gradients of a node and returns the first; "pick" ops, which
// depend on it, return the others.
//
// Layout: activations are padded boards [position][10][10][channel] with a border of zeros; the policy's
// logits lie as [position][square][plane], so policy index plane*64 + square is entry
// square*PolicyPlanes + plane of a row.
//
// The loss is policy + ValueWeight * value. Both are means over the positions of a batch of a weight
// times a cross entropy: of the legal moves' softmax, and of win, draw and loss.
//
// The kernels are those of the path that Options names (kernels.Choose finds the fastest). The assembly works on
// widths that are multiples of 16; layers of other widths take the portable code. Paths differ by rounding.
//
// Invariants: the batch size is fixed when the graph is built, and a batch that is not full is never
// trained. Results are the same bits on any number of threads. A Graph belongs to one goroutine.
package graph
