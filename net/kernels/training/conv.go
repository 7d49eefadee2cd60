package training

// conv is a 3x3 convolution with padding 1 over a batch of padded boards, and its gradients.
type conv struct {
	pool          *Pool
	batch         int
	in, out       int       // channels
	paddedIn      int       // padChannels(in)
	paddedOut     int       // padChannels(out)
	strideIn      int       // floats between frequencies of a block's transformed input
	strideOut     int       // the same of its output
	weights       []float32 // [frequency][in][out], transformed
	weightsT      []float32 // [frequency][out][in]
	weightsGrad   []float32 // [frequency][in][out], the gradient of weights
	inputFloats   int       // scratch for a block's transformed input
	outputFloats  int       // and output
	partialFloats int       // len(weightsGrad)
}

// newConv returns a convolution whose scratch memory comes from pool.
func newConv(pool *Pool, batch, in, out int) *conv {
	c := &conv{pool: pool, batch: batch, in: in, out: out, paddedIn: padChannels(in), paddedOut: padChannels(out)}
	// Strides that are multiples of 4096 bytes would send all 36 frequencies to the same cache sets.
	c.strideIn = BlockPositions*c.paddedIn*4 + 16
	c.strideOut = BlockPositions*c.paddedOut*4 + 16
	c.inputFloats, c.outputFloats = frequencies*c.strideIn, frequencies*c.strideOut
	c.partialFloats = frequencies * c.paddedIn * c.paddedOut
	c.weights = make([]float32, c.partialFloats)
	c.weightsT = make([]float32, c.partialFloats)
	c.weightsGrad = make([]float32, c.partialFloats)
	return c
}

// setWeights transforms w, [(ky*3+kx)*in + i][out], for forward and backward.
func (c *conv) setWeights(w []float32) { transformWeights(w, c.in, c.out, c.weights, c.weightsT) }

// transformBlock transforms the input boards of a block into v.
func (c *conv) transformBlock(x, v []float32, lo, hi int) {
	for p := lo; p < hi; p++ {
		at := v[(p-lo)*c.paddedIn*4:]
		transformInput(x[p*boardArea*c.in:], c.in, at, c.strideIn)
		for f := 0; f < frequencies && c.paddedIn > c.in; f++ {
			clear(at[f*c.strideIn+4*c.in : f*c.strideIn+4*c.paddedIn])
		}
	}
}

// forwardBlock convolves the block's boards of x into y. Both hold the whole batch.
func (c *conv) forwardBlock(worker, block int, x, y []float32) {
	lo, hi := blockRange(block, c.batch)
	scratch := c.pool.scratchFor(worker, c.inputFloats+c.outputFloats)
	v, m := scratch[:c.inputFloats], scratch[c.inputFloats:]
	c.transformBlock(x, v, lo, hi)
	for f := range frequencies {
		multiply(v[f*c.strideIn:], c.weightsT[f*c.paddedIn*c.paddedOut:], m[f*c.strideOut:], c.paddedIn, c.paddedOut, hi-lo)
	}
	for p := lo; p < hi; p++ {
		transformOutput(m[(p-lo)*c.paddedOut*4:], c.strideOut, y[p*boardArea*c.out:], c.out)
	}
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

// backwardBlock takes the gradient of the block's outputs, dy, which holds the block's boards only,
// leaves the block's share of the weights' gradient in the pool's partials, and sets the block's
// boards of dx, unless dx is nil. x and dx hold the whole batch.
func (c *conv) backwardBlock(worker, block int, x, dy, dx []float32) {
	lo, hi := blockRange(block, c.batch)
	scratch := c.pool.scratchFor(worker, c.inputFloats+c.outputFloats)
	v, m := scratch[:c.inputFloats], scratch[c.inputFloats:]
	c.transformBlock(x, v, lo, hi)
	for p := range hi - lo {
		at := m[p*c.paddedOut*4:]
		transformOutputT(dy[p*boardArea*c.out:], c.out, at, c.strideOut)
		for f := 0; f < frequencies && c.paddedOut > c.out; f++ {
			clear(at[f*c.strideOut+4*c.out : f*c.strideOut+4*c.paddedOut])
		}
	}
	size := c.paddedIn * c.paddedOut
	grad := c.pool.partials[block]
	for f := range frequencies {
		c.crossBlock(v[f*c.strideIn:], m[f*c.strideOut:], grad[f*size:(f+1)*size], hi-lo)
		if dx != nil {
			// The transformed input is no longer needed: its place takes its own gradient.
			multiply(m[f*c.strideOut:], c.weights[f*size:], v[f*c.strideIn:], c.paddedOut, c.paddedIn, hi-lo)
		}
	}
	if dx == nil {
		return
	}
	for p := lo; p < hi; p++ {
		transformInputT(v[(p-lo)*c.paddedIn*4:], c.strideIn, dx[p*boardArea*c.in:], c.in)
	}
}

// crossBlock sets grad, [in][out], to the sum over the block's tiles of v times m.
func (c *conv) crossBlock(v, m, grad []float32, positions int) {
	for i := 0; i < c.paddedIn; i += 2 {
		row0, row1 := grad[i*c.paddedOut:(i+1)*c.paddedOut], grad[(i+1)*c.paddedOut:(i+2)*c.paddedOut]
		for o := 0; o < c.paddedOut; o += 4 {
			cross2x4(v[4*i:], m[4*o:], 4*c.paddedIn, 4*c.paddedOut, positions, (*[4]float32)(row0[o:]), (*[4]float32)(row1[o:]))
		}
	}
}

// finishGrad sums the blocks' shares and sets dw, laid out like w.
func (c *conv) finishGrad(dw []float32) {
	c.pool.sumPartials(Blocks(c.batch), c.weightsGrad)
	transformWeightsT(c.weightsGrad, c.in, c.out, dw)
}
