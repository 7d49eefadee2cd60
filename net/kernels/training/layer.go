package training

// ConvShape describes a ConvBN layer.
type ConvShape struct {
	Batch       int     // positions
	In, Out     int     // channels
	Epsilon     float64 // added to a variance before its square root
	NoInputGrad bool    // the input is data: leave DX nil
}

// ConvBN is one training layer on padded boards: 3x3 convolution, plus an optional vector a position
// (the projected scalars of the stem), batch norm over all squares of the batch, plus an optional
// residual, ReLU. All outputs and gradients are allocated once; boards lie as
// [position][10][10][channel] with borders of zeros. A Tower runs the layers.
type ConvBN struct {
	ConvShape
	// Training chooses between the batch's own statistics, which also move the running ones, and the
	// running statistics.
	Training bool

	Y         []float32 // output boards; nil if they are made for the layer above alone
	ResGrad   []float32 // boards: gradient of the residual, which is Y's gradient after the ReLU
	DX        []float32 // boards: gradient of the input
	DW        []float32 // [9*In][Out]
	DAdd      []float32 // [Batch][Out]: gradient of the added vectors
	DScale    []float32 // [Out]
	DBias     []float32 // [Out]
	Mean, Var []float32 // [Out]: statistics of the last training batch (biased variance)
	RunMean   []float32 // [Out]: running statistics
	RunVar    []float32 // [Out]

	pool   *Pool
	passes passes
	below  *ConvBN   // the layer whose output is the input; nil if that is data
	res    []float32 // boards: the residual, nil for none
	skip   []float32 // boards that are added to DX, nil for none

	z                   []float32 // boards: what batch norm reads
	scale, shift        []float32 // [Out]: y = z*scale + shift, before residual and ReLU
	invStd              []float32 // [Out]
	gain, slope, offset []float32 // [Out]: z's gradient = gain*ResGrad + slope*z + offset
	sums                []float64 // [block][2][Out]
}

// passes is the work of a layer on some of its boards, in plain Go or in assembly. Calls with the same worker never
// overlap, nor do those with the same positions.
type passes interface {
	// setWeights takes the weights w [9*In][Out], for forward and backward.
	setWeights(w []float32)
	// forward sets the block's boards of z, from the input and the vectors add, nil for none, and adds their numbers and the
	// squares of these to the sums of the channels.
	forward(worker, block int, x, add []float32, sum, square []float64)
	// activate sets board y to the layer's output of position p.
	activate(p int, y []float32)
	// mask sets the boards [lo, hi) of ResGrad to dy where the ReLU let the output pass, else to 0, and adds them, and
	// their products with z-mean, to the sums of the channels. dy may be ResGrad.
	mask(lo, hi int, dy []float32, sum, product []float64)
	// backward sets the block's boards of DX and DAdd, handing DX down, and share to the block's share of the weights'
	// gradient.
	backward(worker, block int, x, share []float32)
	// shareFloats is the length of a share; gradient makes DW of the sum of all shares.
	shareFloats() int
	gradient(sum func(dst []float32))
}

// newConvBN allocates a layer whose running statistics are mean 0 and variance 1. Y, ResGrad and DX stay nil: the
// tower gives them, since some layers share theirs and some need none.
func newConvBN(pool *Pool, s ConvShape) *ConvBN {
	n := s.Out
	l := &ConvBN{
		ConvShape: s, Training: true, pool: pool, z: newBoards(s.Batch, n),
		DW: make([]float32, 9*s.In*n), DAdd: make([]float32, s.Batch*n),
		DScale: make([]float32, n), DBias: make([]float32, n),
		Mean: make([]float32, n), Var: make([]float32, n), RunMean: make([]float32, n), RunVar: make([]float32, n),
		scale: make([]float32, n), shift: make([]float32, n), invStd: make([]float32, n),
		gain: make([]float32, n), slope: make([]float32, n), offset: make([]float32, n),
		sums: make([]float64, Blocks(s.Batch)*2*n),
	}
	for i := range l.RunVar {
		l.RunVar[i] = 1
	}
	if pool.asm != nil && suitsVectors(s) {
		l.passes = newVectorConv(l)
	} else {
		l.passes = newPortableConv(l)
	}
	return l
}

// convolve sets z from the input, which is x or the output of the layer below, and the vectors add, and its sums.
func (l *ConvBN) convolve(x, w, add []float32) {
	l.passes.setWeights(w)
	l.pool.run(Blocks(l.Batch), func(worker, block int) {
		sum, square := l.blockSums(block)
		l.passes.forward(worker, block, x, add, sum, square)
	})
}

// input returns board p of the input. The output of the layer below is made in scratch, or in its Y if it keeps one;
// that is needed once, forward.
func (l *ConvBN) input(p int, x, scratch []float32, forward bool) []float32 {
	b, size := l.below, boardArea*l.In
	switch {
	case b == nil:
		return x[p*size:]
	case b.Y == nil:
		b.passes.activate(p, scratch)
		return scratch
	case forward:
		b.passes.activate(p, b.Y[p*size:])
	}
	return b.Y[p*size:]
}

// output sets Y, for a layer that none stands above.
func (l *ConvBN) output() {
	l.pool.run(Blocks(l.Batch), func(_, block int) {
		lo, hi := blockRange(block, l.Batch)
		for p := lo; p < hi; p++ {
			l.passes.activate(p, l.Y[p*boardArea*l.Out:])
		}
	})
}

// receive takes the gradient of Y, for a layer that none stands above.
func (l *ConvBN) receive(dy []float32) {
	l.pool.run(Blocks(l.Batch), func(_, block int) {
		lo, hi := blockRange(block, l.Batch)
		sum, product := l.blockSums(block)
		l.passes.mask(lo, hi, dy, sum, product)
	})
}

// propagate sets DW, DAdd and DX, which it hands down to the layer below.
func (l *ConvBN) propagate(x []float32) {
	blocks, n := Blocks(l.Batch), l.passes.shareFloats()
	l.pool.preparePartials(blocks, n)
	l.pool.run(blocks, func(worker, block int) {
		l.passes.backward(worker, block, x, l.pool.partials[block][:n])
		l.pool.closePartial(block, blocks, n)
	})
	l.passes.gradient(func(dst []float32) { l.pool.sumPartials(blocks, dst) })
}

// blockSums returns a block's two sums of every channel, cleared.
func (l *ConvBN) blockSums(block int) (first, second []float64) {
	n := l.Out
	sums := l.sums[block*2*n : (block+1)*2*n]
	clear(sums)
	return sums[:n], sums[n:]
}
