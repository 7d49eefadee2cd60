package training

import "synochess/net/kernels"

// portableConv does the work of a ConvBN in plain Go. Transformed data lies as [frequency][position][channel][4 tiles]
// (winograd.go), a block's together.
type portableConv struct {
	*ConvBN
	paddedIn    int       // padChannels(In)
	paddedOut   int       // padChannels(Out)
	strideIn    int       // floats between frequencies of a block's transformed input
	strideOut   int       // the same of its output
	weights     []float32 // [frequency][in][out], transformed
	weightsT    []float32 // [frequency][out][in]
	weightsGrad []float32 // [frequency][in][out], the gradient of weights
}

func newPortableConv(l *ConvBN) *portableConv {
	c := &portableConv{ConvBN: l, paddedIn: padChannels(l.In), paddedOut: padChannels(l.Out)}
	// Strides that are multiples of 4096 bytes would send all 36 frequencies to the same cache sets.
	c.strideIn = BlockPositions*c.paddedIn*4 + 16
	c.strideOut = BlockPositions*c.paddedOut*4 + 16
	size := c.shareFloats()
	c.weights, c.weightsT, c.weightsGrad = make([]float32, size), make([]float32, size), make([]float32, size)
	return c
}

// portableMemory is a worker's scratch memory.
type portableMemory struct {
	input, output []float32 // a block's, transformed: [frequency] of strideIn, strideOut
	board         []float32 // one board of the input
	boardGrad     []float32 // one board of z's gradient, its border unused
}

func (c *portableConv) memory(worker int) portableMemory {
	in, out, board := frequencies*c.strideIn, frequencies*c.strideOut, boardArea*c.In
	rest := c.pool.scratchFor(worker, in+out+board+boardArea*c.Out)
	m := portableMemory{input: rest[:in], output: rest[in : in+out]}
	m.board, m.boardGrad = rest[in+out:in+out+board], rest[in+out+board:]
	return m
}

func (c *portableConv) setWeights(w []float32) {
	transformWeights(w, c.In, c.Out, c.weights, c.weightsT)
}

// analyse transforms the boards lo to hi of the input into m.input.
func (c *portableConv) analyse(m portableMemory, x []float32, lo, hi int, forward bool) {
	for p := lo; p < hi; p++ {
		to := m.input[(p-lo)*c.paddedIn*4:]
		transformInput(c.input(p, x, m.board, forward), c.In, to, c.strideIn)
		clearPadding(to, c.strideIn, c.In, c.paddedIn)
	}
}

// clearPadding sets the channels from n to padded of a position's transformed data to 0.
func clearPadding(v []float32, stride, n, padded int) {
	for f := 0; f < frequencies && padded > n; f++ {
		clear(v[f*stride+4*n : f*stride+4*padded])
	}
}

func (c *portableConv) forward(worker, block int, x, add []float32, sum, square []float64) {
	lo, hi := blockRange(block, c.Batch)
	m, n := c.memory(worker), c.Out
	c.analyse(m, x, lo, hi, true)
	for f := range frequencies {
		multiply(m.input[f*c.strideIn:], c.weightsT[f*c.shareFloats()/frequencies:], m.output[f*c.strideOut:], c.paddedIn, c.paddedOut, hi-lo)
	}
	for p := lo; p < hi; p++ {
		transformOutput(m.output[(p-lo)*c.paddedOut*4:], c.strideOut, c.z[p*boardArea*n:], n)
		var a []float32
		if add != nil {
			a = add[p*n : (p+1)*n]
		}
		eachSquare(p, n, func(at int) { accumulate(c.z[at:at+n], a, sum, square) })
	}
}

func (c *portableConv) activate(p int, y []float32) {
	n, first := c.Out, p*boardArea*c.Out
	eachSquare(p, n, func(at int) {
		to := y[at-first : at-first+n]
		if c.res != nil {
			activateRes(c.z[at:at+n], c.scale, c.shift, c.res[at:at+n], to)
		} else {
			activate(c.z[at:at+n], c.scale, c.shift, to)
		}
	})
}

func (c *portableConv) mask(lo, hi int, dy []float32, sum, product []float64) {
	n := c.Out
	for p := lo; p < hi; p++ {
		eachSquare(p, n, func(at int) {
			to := at + n
			if c.res != nil {
				maskGradRes(dy[at:to], c.Y[at:to], c.z[at:to], c.Mean, c.ResGrad[at:to], sum, product)
			} else {
				maskGrad(dy[at:to], c.z[at:to], c.scale, c.shift, c.Mean, c.ResGrad[at:to], sum, product)
			}
		})
	}
}

func (c *portableConv) backward(worker, block int, x, share []float32) {
	lo, hi := blockRange(block, c.Batch)
	m := c.memory(worker)
	c.analyse(m, x, lo, hi, false)
	for p := lo; p < hi; p++ {
		c.combine(p, m.boardGrad)
		to := m.output[(p-lo)*c.paddedOut*4:]
		transformOutputT(m.boardGrad, c.Out, to, c.strideOut)
		clearPadding(to, c.strideOut, c.Out, c.paddedOut)
	}
	size := c.paddedIn * c.paddedOut
	for f := range frequencies {
		c.cross(m.input[f*c.strideIn:], m.output[f*c.strideOut:], share[f*size:(f+1)*size], hi-lo)
		if c.DX != nil {
			// The transformed input is no longer needed: its place takes its own gradient.
			multiply(m.output[f*c.strideOut:], c.weights[f*size:], m.input[f*c.strideIn:], c.paddedOut, c.paddedIn, hi-lo)
		}
	}
	if c.DX == nil {
		return
	}
	for p := lo; p < hi; p++ {
		from, to := p*boardArea*c.In, (p+1)*boardArea*c.In
		transformInputT(m.input[(p-lo)*c.paddedIn*4:], c.strideIn, c.DX[from:to], c.In)
		if c.skip != nil {
			kernels.Add(c.DX[from:to], c.skip[from:to])
		}
	}
	if b := c.below; b != nil {
		sum, product := b.blockSums(block)
		b.passes.mask(lo, hi, c.DX, sum, product)
	}
}

// combine sets dz to position p's board of z's gradient, and the position's DAdd.
func (c *portableConv) combine(p int, dz []float32) {
	n, first := c.Out, p*boardArea*c.Out
	sum := c.DAdd[p*n : (p+1)*n]
	clear(sum)
	eachSquare(p, n, func(at int) {
		combine(c.ResGrad[at:at+n], c.z[at:at+n], c.gain, c.slope, c.offset, dz[at-first:at-first+n], sum)
	})
}

// multiply sets y to w*x for each position: x is [position][in][4], w is [out][in], y [position][out][4].
func multiply(x, w, y []float32, in, out, positions int) {
	for p := range positions {
		xp := x[p*in*4 : (p+1)*in*4]
		yp := y[p*out*4 : (p+1)*out*4]
		for o := 0; o < out; o += 2 {
			dot2x4(w[o*in:(o+1)*in], w[(o+1)*in:(o+2)*in], xp, (*[4]float32)(yp[4*o:]), (*[4]float32)(yp[4*o+4:]))
		}
	}
}

// cross sets grad, [in][out], to the sum over the tiles of some positions of v times m.
func (c *portableConv) cross(v, m, grad []float32, positions int) {
	for i := 0; i < c.paddedIn; i += 2 {
		row0, row1 := grad[i*c.paddedOut:(i+1)*c.paddedOut], grad[(i+1)*c.paddedOut:(i+2)*c.paddedOut]
		for o := 0; o < c.paddedOut; o += 4 {
			cross2x4(v[4*i:], m[4*o:], 4*c.paddedIn, 4*c.paddedOut, positions, (*[4]float32)(row0[o:]), (*[4]float32)(row1[o:]))
		}
	}
}

func (c *portableConv) shareFloats() int { return frequencies * c.paddedIn * c.paddedOut }

func (c *portableConv) gradient(sum func(dst []float32)) {
	sum(c.weightsGrad)
	transformWeightsT(c.weightsGrad, c.In, c.Out, c.DW)
}
