package kernels

// Set is one implementation of the heavy kernels. All its functions may be called from several
// goroutines at once with separate scratch memory.
type Set struct {
	// Name is the kernel path as it is stored with games: "portable", "avx2-f32", ...
	Name string
	// Gemm computes C = A*B, or C += A*B.
	Gemm GemmFunc
	// Pack prepares a right-hand matrix B[k][n] that is used many times.
	Pack func(k, n int, b Operand) *Packed
	// GemmPacked is Gemm with a B that was packed by the same Set; k and n are B's.
	GemmPacked func(ws *Workspace, m int, a Operand, b *Packed, c []float32, ldc int, accumulate bool)
	// NewTrunk prepares a stack of 3x3 convolutions for one goroutine.
	NewTrunk func(width int, convs []Conv) Trunk
	// Add, AddScaled, ReLU and Dot do what the functions of those names do.
	Add       func(dst, src []float32)
	AddScaled func(dst, src []float32, factor float32)
	ReLU      func(x []float32)
	Dot       func(a, b []float32) float32
}

// GemmFunc computes C[m][n] = A[m][k]*B[k][n], adding to what c holds if accumulate is set. C's
// element (i, j) is c[i*ldc+j]; c may not overlap a or b. ws is scratch memory of the calling goroutine.
type GemmFunc func(ws *Workspace, m, n, k int, a, b Operand, c []float32, ldc int, accumulate bool)

// Conv is a 3x3 convolution with padding 1 from width to width channels, batch norm already folded in.
type Conv struct {
	Weight []float32 // [(ky*3+kx)*width + in][out]; tap (ky, kx) reads rank+ky-1, file+kx-1
	Bias   []float32 // [out]
}

// Trunk runs the residual blocks of a network: for each pair of convolutions
// x = relu(conv2(relu(conv1(x))) + x). It owns scratch memory and belongs to one goroutine.
type Trunk interface {
	// Run replaces x, laid out [row][square][channel] and not negative, by the trunk's output.
	Run(x []float32, rows int)
	// Chunk is the number of rows a caller should pass at a time for best speed.
	Chunk() int
	// Twin returns a Trunk on the same filters, with memory of its own, for another goroutine. Filters are
	// large (12 MB for 6 x 64 in float32): where two cores share a cache it may not hold them twice.
	Twin() Trunk
}

// Portable returns the Set that is written in plain Go and runs on every machine.
func Portable() *Set { return &portable }

var portable = Set{
	Name: "portable", Gemm: gemm, Pack: pack, GemmPacked: gemmPacked, NewTrunk: newWinogradTrunk,
	Add: Add, AddScaled: AddScaled, ReLU: ReLU, Dot: Dot,
}
