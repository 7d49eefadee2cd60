package training

// convChunk is the number of positions that go through all frequencies together: few enough for the
// second level cache, many enough to make use of the weights that are read for them.
const convChunk = 8

// simdConv does the work of a ConvBN in assembly. Transformed data lies as
// [frequency][position][tile][channel], weights as [frequency][in][out]; the channels of both are padded
// to vectors. Beside the products it is passes over memory that cost, not arithmetic; so whatever
// belongs to one board is done while the board is in the cache.
type simdConv struct {
	*ConvBN
	s *assembly
	// below is the layer whose activation is the input, nil if that is given. This layer then does
	// below's work on it: forward it makes the activation, which is kept only if below has a Y, and
	// backward it sends the gradient through below's ReLU at once, so that below.ResGrad is DX.
	below     *ConvBN
	skip      []float32 // boards that are added to DX, nil for none
	paddedIn  int
	strideIn  int       // floats between frequencies of a chunk's transformed input
	strideOut int       // the same of its output
	weights   []float32 // [frequency][paddedIn][out]; the padding's rows are 0
	weightsT  []float32 // [frequency][out][in], nil if there is no input gradient
	turned    []float32 // [tap][out][in], weights before the transform
}

// fastConv says whether a layer's shape suits the assembly.
func fastConv(s ConvShape) bool {
	return s.Out%channelStep == 0 && (s.In%channelStep == 0 || s.NoInputGrad)
}

func newSIMDConv(l *ConvBN) *simdConv {
	c := &simdConv{ConvBN: l, s: l.pool.asm, paddedIn: padVectors(l.In)}
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

func (c *simdConv) memory(worker int) *convMemory {
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
func (c *simdConv) setWeights(w []float32) {
	size := c.In * c.Out
	c.pool.run(c.In, func(worker, i int) {
		scratch := c.pool.scratchFor(worker, transformFloats)
		c.s.weights(&w[i*c.Out], floatBytes*size, &c.weights[i*c.Out], floatBytes*c.paddedIn*c.Out, c.Out/c.s.lanes, &scratch[0])
	})
	if c.weightsT == nil {
		return
	}
	c.pool.run(9, func(_, tap int) {
		transpose(w[tap*size:(tap+1)*size], c.In, c.Out, c.turned[tap*size:(tap+1)*size], 0, c.In)
	})
	c.pool.run(c.Out, func(worker, o int) {
		scratch := c.pool.scratchFor(worker, transformFloats)
		c.s.weights(&c.turned[o*c.In], floatBytes*size, &c.weightsT[o*c.In], floatBytes*size, c.In/c.s.lanes, &scratch[0])
	})
}

// analyse transforms the boards lo to hi of the input into m.input.
func (c *simdConv) analyse(m *convMemory, x []float32, lo, hi int, forward bool) {
	for p := lo; p < hi; p++ {
		board := m.board
		switch {
		case c.below != nil && c.below.Y == nil:
			c.below.fast.activateBoard(p, board)
		case c.In != c.paddedIn:
			spreadChannels(x[p*boardArea*c.In:], c.In, board, c.paddedIn)
		default:
			if c.below != nil && forward {
				c.below.fast.activateBoard(p, c.below.Y[p*boardArea*c.In:])
			}
			board = x[p*boardArea*c.In:]
		}
		c.s.analyse(&board[inside(0, c.paddedIn)], floatBytes*c.paddedIn, &m.input[(p-lo)*4*c.paddedIn],
			floatBytes*c.strideIn, floatBytes*c.paddedIn, c.paddedIn/c.s.lanes, &m.transform[0])
	}
}

// inside is the offset of the first square of board p of n channels.
func inside(p, n int) int { return (p*boardArea + 11) * n }

// spreadChannels copies the inside of a board to one with more channels, the new ones 0.
func spreadChannels(from []float32, n int, to []float32, padded int) {
	for at := 11; at < 89; at++ {
		square := to[at*padded : (at+1)*padded]
		copy(square, from[at*n:(at+1)*n])
		clear(square[n:])
	}
}

// following returns the first and number of the positions that this worker will probably do after those before
// hi; those of other workers are better left alone.
func (c *simdConv) following(worker, hi int) (p, count int) {
	_, end := shareOf(worker, min(c.pool.threads, Blocks(c.Batch)), Blocks(c.Batch))
	return hi, min(convChunk, min(end*BlockPositions, c.Batch)-hi)
}

// rows is the number of a chunk's tiles, rounded up to what multiply needs.
func (c *simdConv) rows(positions int) int { return (4*positions + c.s.rows - 1) / c.s.rows * c.s.rows }

// forwardBlock sets the block's boards of z and adds to the sums.
func (c *simdConv) forwardBlock(worker, block int, x, add []float32, sum, square []float64) {
	first, end := blockRange(block, c.Batch)
	m, size, n := c.memory(worker), c.paddedIn*c.Out, c.Out
	m.far = prefetch{}
	for lo := first; lo < end; lo += convChunk {
		hi := min(lo+convChunk, end)
		c.analyse(m, x, lo, hi, true)
		m.far = prefetch{}
		if p, count := c.following(worker, hi); count > 0 && c.In == n {
			m.far = prefetch{count: count, size: 80 * n, stride: boardArea * n}
			if b := c.below; b != nil {
				m.far.add(b.z, p, n)
				m.far.add(b.res, p, n)
				m.far.add(b.Y, p, n)
			}
			m.far.add(c.z, p, n)
		}
		for f := range frequencies {
			next := (f + 1) % frequencies * size
			c.s.multiply(c.rows(hi-lo), n, c.paddedIn, strided{m.input[f*c.strideIn:], c.paddedIn, 1},
				c.weights[f*size:(f+1)*size], n, m.output[f*c.strideOut:], n, false, c.weights[next:next+size], &m.far)
		}
		for p := lo; p < hi; p++ {
			at, groups := inside(p, n), n/c.s.lanes
			c.s.synthesise(&m.output[(p-lo)*4*n], floatBytes*c.strideOut, floatBytes*n, &c.z[at], floatBytes*n, groups, &m.transform[0])
			if add != nil {
				c.s.addVector(&c.z[at], &add[p*n], floatBytes*n, groups)
			}
			c.s.statistics(&c.z[at], &sum[0], &square[0], floatBytes*n, groups)
		}
	}
}

// backwardBlock sets the block's boards of DX and DAdd and leaves the block's share of DW in the pool's
// partials.
func (c *simdConv) backwardBlock(worker, block int, x []float32) {
	first, end := blockRange(block, c.Batch)
	m, n := c.memory(worker), c.Out
	m.far = prefetch{}
	var sum, product []float64
	if c.below != nil {
		sum, product = c.below.blockSums(block)
	}
	for lo := first; lo < end; lo += convChunk {
		hi := min(lo+convChunk, end)
		c.analyse(m, x, lo, hi, false)
		for p := lo; p < hi; p++ {
			at, add := inside(p, n), c.DAdd[p*n:(p+1)*n]
			clear(add)
			dz := m.boardGrad[inside(0, n):]
			c.s.combine(&c.ResGrad[at], &c.z[at], &c.gain[0], &c.slope[0], &c.offset[0], &dz[0], &add[0], floatBytes*n, n/c.s.lanes)
			c.s.synthesiseT(&dz[0], floatBytes*n, &m.output[(p-lo)*4*n], floatBytes*c.strideOut, floatBytes*n, n/c.s.lanes, &m.transform[0])
		}
		m.far = prefetch{}
		if p, count := c.following(worker, hi); count > 0 && c.In == n {
			m.far = prefetch{count: count, size: 80 * n, stride: boardArea * n}
			m.far.add(c.ResGrad, p, n)
			m.far.add(c.z, p, n)
			if b := c.below; b != nil {
				m.far.add(b.Y, p, n)
				m.far.add(b.z, p, n)
			}
			m.far.add(c.skip, p, n)
			m.far.add(c.DX, p, n)
		}
		c.products(m, hi-lo, lo > first)
		if c.DX == nil {
			continue
		}
		for p := lo; p < hi; p++ {
			at, groups := inside(p, c.In), c.In/c.s.lanes
			c.s.analyseT(&m.input[(p-lo)*4*c.In], floatBytes*c.strideIn, floatBytes*c.In, &c.DX[at], floatBytes*c.In, groups, &m.transform[0])
			if c.skip != nil {
				c.s.addBoard(&c.DX[at], &c.skip[at], floatBytes*c.In, groups)
			}
		}
		if c.below != nil {
			c.below.fast.maskBoards(lo, hi, c.DX, sum, product)
		}
	}
	taps := c.pool.partials[block]
	c.s.weightsT(&m.grad[0], floatBytes*c.paddedIn*n, &taps[0], floatBytes*c.In*n, c.In*n/c.s.lanes, &m.transform[0])
}

// products adds to the gradient of the transformed weights, or sets it, and then replaces the
// transformed input by its gradient.
func (c *simdConv) products(m *convMemory, positions int, accumulate bool) {
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
		c.s.multiply(c.paddedIn, c.Out, 4*positions, strided{input, 1, c.paddedIn}, output, c.Out, grad, c.Out, accumulate, ahead, &m.far)
		if weights != nil {
			c.s.multiply(c.rows(positions), c.In, c.Out, strided{output, c.Out, 1}, weights, c.In, input, c.In, false, nextGrad, &m.far)
		}
	}
}

// activateBoard sets board y to position p of the activation.
func (c *simdConv) activateBoard(p int, y []float32) {
	n, groups, at := c.Out, c.Out/c.s.lanes, inside(p, c.Out)
	to := &y[inside(0, n)]
	if c.res != nil {
		c.s.activateRes(&c.z[at], &c.scale[0], &c.shift[0], &c.res[at], to, floatBytes*n, groups)
	} else {
		c.s.activate(&c.z[at], &c.scale[0], &c.shift[0], to, floatBytes*n, groups)
	}
}

// maskBoards sets boards lo to hi of ResGrad, which may be dy, and adds to the sums.
func (c *simdConv) maskBoards(lo, hi int, dy []float32, sum, product []float64) {
	n, groups := c.Out, c.Out/c.s.lanes
	for p := lo; p < hi; p++ {
		at := inside(p, n)
		if c.res != nil {
			c.s.maskGradRes(&dy[at], &c.Y[at], &c.z[at], &c.Mean[0], &c.ResGrad[at], &sum[0], &product[0], floatBytes*n, groups)
		} else {
			c.s.maskGrad(&dy[at], &c.z[at], &c.scale[0], &c.shift[0], &c.Mean[0], &c.ResGrad[at], &sum[0], &product[0], floatBytes*n, groups)
		}
	}
}
