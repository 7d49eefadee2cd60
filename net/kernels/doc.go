// Package kernels is the arithmetic under the networks: kernel paths, and the products and sums that all programs on
// them share. Below it lie package inference (the residual blocks of the forward pass), package training (layers forward and
// backward, losses, the optimiser), package winograd (the matrices of both) and the generators of the assembly, in
// folder gen (go generate). None knows anything of chess.
//
// A Path is one way to do the heavy work, chosen once when a program starts (Choose) and passed down: AVX512 and AVX2
// are amd64 assembly, NEON is arm64 assembly, Portable is Go and runs everywhere. The environment variable
// SYNOCHESS_KERNELS forces one by the name of its arithmetic. Between paths results in float32 differ by rounding. Within a path
// every function computes a row in an order of additions that depends on shapes only: never on the number of
// rows, their neighbours, or threads. On the portable path every product that is added is wrapped in an explicit
// float32(...), which forbids the compiler to fuse the two, so it gives the same bits on every processor; the
// others fuse.
//
// Data is float32 except in quantised trunks. Matrices are row-major slices with an explicit stride. Boards are 8x8; square
// s is file + 8*rank, and activations that cross these packages' borders lie as [row][square][channel], in training
// as padded boards [position][10][10][channel] with a border of zeros.
//
// Functions here trust their callers for shapes, as copy and append do: a slice that is too short
// panics with an index error. Nothing allocates after set-up.
package kernels
