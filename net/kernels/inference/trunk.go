package inference

import "synochess/net/kernels"

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

// NewTrunk prepares a stack of 3x3 convolutions in float32 for one goroutine. Trunks whose width is not a multiple of
// 16 run in plain Go on every path.
func NewTrunk(p *kernels.Path, width int, convs []Conv) Trunk {
	if a := assemblyOf(p); a != nil && width > 0 && width%16 == 0 {
		return newTallTrunk(a, width, convs)
	}
	return newPortableTrunk(width, convs)
}

// NewInt16Trunk prepares a quantised trunk, whose width is a multiple of 16, for one goroutine. The path is one whose
// Int16 runs here (Path.Quantised). All paths give the same bits.
func NewInt16Trunk(p *kernels.Path, q *Quantised) Trunk {
	if a := int16AssemblyOf(p); a != nil {
		return newInt16Trunk(a, q)
	}
	return newPortableInt16Trunk(q)
}
