package training

// convChunk is the number of positions that go through all frequencies together: few enough for the
// second level cache, many enough to make use of the weights that are read for them.
const convChunk = 8

// vectorConv does the work of a ConvBN in assembly. Transformed data lies as
// [frequency][position][tile][channel], weights as [frequency][in][out]; the channels of both are padded
// to vectors. Beside the products it is passes over memory that cost, not arithmetic; so whatever
// belongs to one board is done while the board is in the cache: a layer's activation where the next one reads its
// input, and the gradient goes through the ReLU where it is made.
type vectorConv struct {
	*ConvBN
	asm       *assembly
	paddedIn  int
	strideIn  int       // floats between frequencies of a chunk's transformed input
	strideOut int       // the same of its output
	weights   []float32 // [frequency][paddedIn][out]; the padding's rows are 0
	weightsT  []float32 // [frequency][out][in], nil if there is no input gradient
	turned    []float32 // [tap][out][in], weights before the transform
}

// suitsVectors says whether a layer's shape suits the assembly.
func suitsVectors(s ConvShape) bool {
	return s.Out%channelStep == 0 && (s.In%channelStep == 0 || s.NoInputGrad)
}

func newVectorConv(l *ConvBN) *vectorConv {
	c := &vectorConv{ConvBN: l, asm: l.pool.asm, paddedIn: padVectors(l.In)}
	// Strides that are multiples of 4096 bytes would send all 36 frequencies to the same cache sets.
	c.strideIn = convChunk*4*c.paddedIn + 16
	c.strideOut = convChunk*4*c.Out + 16
	c.weights = make([]float32, frequencies*c.paddedIn*c.Out)
	if !l.NoInputGrad {
		c.weightsT = make([]float32, frequencies*c.In*c.Out)
		c.turned = make([]float32, 9*c.In*c.Out)
	}
	return c
}

// convMemory is a worker's scratch memory.
type convMemory struct {
	transform []float32
	input     []float32 // [frequency] of strideIn
	output    []float32 // [frequency] of strideOut
	board     []float32 // one board with padded channels
	boardGrad []float32 // one board of z's gradient
	grad      []float32 // [frequency][paddedIn][out]: the gradient of the transformed weights
	far       prefetch
}

func (c *vectorConv) memory(worker int) *convMemory {
	m := &c.pool.convMemory[worker]
	sizes := [...]int{
		transformFloats, frequencies * c.strideIn, frequencies * c.strideOut,
		boardArea * c.paddedIn, boardArea * c.Out, frequencies * c.paddedIn * c.Out,
	}
	total := 0
	for _, n := range sizes {
		total += n
	}
	rest := c.pool.scratchFor(worker, total)
	for i, p := range [...]*[]float32{&m.transform, &m.input, &m.output, &m.board, &m.boardGrad, &m.grad} {
		*p, rest = rest[:sizes[i]], rest[sizes[i]:]
	}
	// The transforms read borders that nothing writes.
	clear(m.board)
	return m
}

// setWeights transforms w, [(ky*3+kx)*in + i][out], for forward and backward.
func (c *vectorConv) setWeights(w []float32) {
	size := c.In * c.Out
	c.pool.run(c.In, func(worker, i int) {
		scratch := c.pool.scratchFor(worker, transformFloats)
		c.asm.weights(&w[i*c.Out], floatBytes*size, &c.weights[i*c.Out], floatBytes*c.paddedIn*c.Out, c.Out/c.asm.lanes, &scratch[0])
	})
	if c.weightsT == nil {
		return
	}
	c.pool.run(9, func(_, tap int) {
		transpose(w[tap*size:(tap+1)*size], c.In, c.Out, c.turned[tap*size:(tap+1)*size], 0, c.In)
	})
	c.pool.run(c.Out, func(worker, o int) {
		scratch := c.pool.scratchFor(worker, transformFloats)
		c.asm.weights(&c.turned[o*c.In], floatBytes*size, &c.weightsT[o*c.In], floatBytes*size, c.In/c.asm.lanes, &scratch[0])
	})
}

// analyse transforms the boards lo to hi of the input into m.input.
func (c *vectorConv) analyse(m *convMemory, x []float32, lo, hi int, forward bool) {
	for p := lo; p < hi; p++ {
		board := c.input(p, x, m.board, forward)
		if c.In != c.paddedIn {
			spreadChannels(board, c.In, m.board, c.paddedIn)
			board = m.board
		}
		c.asm.analyse(&board[inside(0, c.paddedIn)], floatBytes*c.paddedIn, &m.input[(p-lo)*4*c.paddedIn],
			floatBytes*c.strideIn, floatBytes*c.paddedIn, c.paddedIn/c.asm.lanes, &m.transform[0])
	}
}

// spreadChannels copies the inside of a board to one with more channels, the new ones 0.
func spreadChannels(from []float32, n int, to []float32, padded int) {
	for at := 11; at < 89; at++ {
		square := to[at*padded : (at+1)*padded]
		copy(square, from[at*n:(at+1)*n])
		clear(square[n:])
	}
}

// prefetch makes products fetch these boards, where there are any, of the positions that this worker will probably do
// after those before hi. Positions of other workers are better left alone.
func (c *vectorConv) prefetch(m *convMemory, worker, hi int, boards ...[]float32) {
	m.far = prefetch{}
	_, end := shareOf(worker, min(c.pool.threads, Blocks(c.Batch)), Blocks(c.Batch))
	count := min(convChunk, min(end*BlockPositions, c.Batch)-hi)
	if count <= 0 || c.In != c.Out {
		return
	}
	m.far = prefetch{count: count, size: 80 * c.Out, stride: boardArea * c.Out}
	for _, x := range boards {
		m.far.add(x, hi, c.Out)
	}
}

// rows is the number of a chunk's tiles, rounded up to what multiply needs.
func (c *vectorConv) rows(positions int) int {
	return (4*positions + c.asm.rows - 1) / c.asm.rows * c.asm.rows
}

func (c *vectorConv) forward(worker, block int, x, add []float32, sum, square []float64) {
	first, end := blockRange(block, c.Batch)
	m, size, n := c.memory(worker), c.paddedIn*c.Out, c.Out
	for lo := first; lo < end; lo += convChunk {
		hi := min(lo+convChunk, end)
		c.analyse(m, x, lo, hi, true)
		if b := c.below; b != nil {
			c.prefetch(m, worker, hi, b.z, b.res, b.Y, c.z)
		} else {
			c.prefetch(m, worker, hi, c.z)
		}
		for f := range frequencies {
			next := (f + 1) % frequencies * size
			c.asm.multiply(c.rows(hi-lo), n, c.paddedIn, strided{m.input[f*c.strideIn:], c.paddedIn, 1},
				c.weights[f*size:(f+1)*size], n, m.output[f*c.strideOut:], n, false, c.weights[next:next+size], &m.far)
		}
		for p := lo; p < hi; p++ {
			at, groups := inside(p, n), n/c.asm.lanes
			c.asm.synthesise(&m.output[(p-lo)*4*n], floatBytes*c.strideOut, floatBytes*n, &c.z[at], floatBytes*n, groups, &m.transform[0])
			if add != nil {
				c.asm.addVector(&c.z[at], &add[p*n], floatBytes*n, groups)
			}
			c.asm.statistics(&c.z[at], &sum[0], &square[0], floatBytes*n, groups)
		}
	}
}

func (c *vectorConv) activate(p int, y []float32) {
	n, groups, at := c.Out, c.Out/c.asm.lanes, inside(p, c.Out)
	to := &y[inside(0, n)]
	if c.res != nil {
		c.asm.activateRes(&c.z[at], &c.scale[0], &c.shift[0], &c.res[at], to, floatBytes*n, groups)
	} else {
		c.asm.activate(&c.z[at], &c.scale[0], &c.shift[0], to, floatBytes*n, groups)
	}
}

func (c *vectorConv) mask(lo, hi int, dy []float32, sum, product []float64) {
	n, groups := c.Out, c.Out/c.asm.lanes
	for p := lo; p < hi; p++ {
		at := inside(p, n)
		if c.res != nil {
			c.asm.maskGradRes(&dy[at], &c.Y[at], &c.z[at], &c.Mean[0], &c.ResGrad[at], &sum[0], &product[0], floatBytes*n, groups)
		} else {
			c.asm.maskGrad(&dy[at], &c.z[at], &c.scale[0], &c.shift[0], &c.Mean[0], &c.ResGrad[at], &sum[0], &product[0], floatBytes*n, groups)
		}
	}
}

func (c *vectorConv) backward(worker, block int, x, share []float32) {
	first, end := blockRange(block, c.Batch)
	m, n, b := c.memory(worker), c.Out, c.below
	var sum, product []float64
	if b != nil {
		sum, product = b.blockSums(block)
	}
	for lo := first; lo < end; lo += convChunk {
		hi := min(lo+convChunk, end)
		c.analyse(m, x, lo, hi, false)
		for p := lo; p < hi; p++ {
			c.spread(m, p, &m.output[(p-lo)*4*n])
		}
		if b != nil {
			c.prefetch(m, worker, hi, c.ResGrad, c.z, b.Y, b.z, c.skip, c.DX)
		} else {
			c.prefetch(m, worker, hi, c.ResGrad, c.z, c.skip, c.DX)
		}
		c.products(m, hi-lo, lo > first)
		if c.DX == nil {
			continue
		}
		for p := lo; p < hi; p++ {
			at, groups := inside(p, c.In), c.In/c.asm.lanes
			c.asm.analyseT(&m.input[(p-lo)*4*c.In], floatBytes*c.strideIn, floatBytes*c.In, &c.DX[at], floatBytes*c.In, groups, &m.transform[0])
			if c.skip != nil {
				c.asm.addBoard(&c.DX[at], &c.skip[at], floatBytes*c.In, groups)
			}
		}
		if b != nil {
			b.passes.mask(lo, hi, c.DX, sum, product)
		}
	}
	c.asm.weightsT(&m.grad[0], floatBytes*c.paddedIn*n, &share[0], floatBytes*c.In*n, c.In*n/c.asm.lanes, &m.transform[0])
}

// spread sets a position's DAdd, and transforms its board of z's gradient for the products.
func (c *vectorConv) spread(m *convMemory, p int, to *float32) {
	n, groups, at := c.Out, c.Out/c.asm.lanes, inside(p, c.Out)
	add, dz := c.DAdd[p*n:(p+1)*n], m.boardGrad[inside(0, n):]
	clear(add)
	c.asm.combine(&c.ResGrad[at], &c.z[at], &c.gain[0], &c.slope[0], &c.offset[0], &dz[0], &add[0], floatBytes*n, groups)
	c.asm.synthesiseT(&dz[0], floatBytes*n, to, floatBytes*c.strideOut, floatBytes*n, groups, &m.transform[0])
}

// products adds to the gradient of the transformed weights, or sets it, and then replaces the
// transformed input by its gradient.
func (c *vectorConv) products(m *convMemory, positions int, accumulate bool) {
	size := c.paddedIn * c.Out
	for f := range frequencies {
		input, output := m.input[f*c.strideIn:], m.output[f*c.strideOut:]
		grad, next := m.grad[f*size:(f+1)*size], (f+1)%frequencies*size
		nextGrad := m.grad[next : next+size]
		var weights []float32
		ahead := nextGrad
		if c.weightsT != nil {
			weights = c.weightsT[f*size : (f+1)*size]
			ahead = weights
		}
		c.asm.multiply(c.paddedIn, c.Out, 4*positions, strided{input, 1, c.paddedIn}, output, c.Out, grad, c.Out, accumulate, ahead, &m.far)
		if weights != nil {
			c.asm.multiply(c.rows(positions), c.In, c.Out, strided{output, c.Out, 1}, weights, c.In, input, c.In, false, nextGrad, &m.far)
		}
	}
}

func (c *vectorConv) shareFloats() int { return len(c.DW) }

func (c *vectorConv) gradient(sum func(dst []float32)) { sum(c.DW) }
