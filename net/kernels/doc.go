// Package kernels is the arithmetic under the networks: matrix products, the residual trunk of the
// forward pass, and what training needs. It knows nothing of chess.
//
// All data is float32 but for the quantised trunk (below). Matrices are row-major slices with an explicit stride. Boards are 8x8; square
// s is file + 8*rank, and activations that cross this package's border lie as [row][square][channel].
//
// A Set is one way to do the heavy work, chosen once when a program starts: "avx512-f32" and "avx2-f32" are
// amd64 assembly and "neon-f32" is arm64 assembly, which the module in folder gen writes (go generate);
// "portable" is Go and runs everywhere. Choose takes the fastest that the processor can run; the environment
// variable SYNOCHESS_KERNELS forces another by its name. Between Sets results differ by rounding. Within a Set
// every function computes a row in an order of additions that depends on shapes only: never on the number of
// rows, their neighbours, or threads. In the portable Set every product that is added is wrapped in an explicit
// float32(...), which forbids the compiler to fuse the two, so it gives the same bits on every processor; the
// others fuse. Their trunks do so in the same order and agree bit for bit with each other.
//
// An Int16Set ("avx512vnni-i16", "avx2-i16", "portable-i16") runs the trunk in 16-bit integers with sums in
// 32; QuantiseTrunk makes the integers, and int16_portable.go says what is computed, to the bit: all
// Int16Sets give the same results for the same input. See docs/quantisation.md.
//
// Functions here trust their callers for shapes, as copy and append do: a slice that is too short
// panics with an index error. Nothing allocates after set-up.
//
// Training (train_*.go) has its own layout: padded boards [position][10][10][channel] with a border of
// zeros. Tower (stem and blocks, made of ConvBN), Lin and MaskedCE each do their layers forward and backward over a whole batch, on the
// threads of a Pool; whatever is summed over a batch is summed per block of BlockPositions positions and
// then over the blocks in order, so that the bits do not depend on the number of threads.
package kernels
