package kernels

// convChunk is the number of positions that go through all frequencies together: few enough for the
// second level cache, many enough to make use of the weights that are read for them.
const convChunk = 8

// simdConv is conv in assembly. Transformed data lies as [frequency][position][tile][channel], weights as
// [frequency][in][out]; the channels of both are padded to vectors.
type simdConv struct {
	pool      *Pool
	s         *simd
	batch     int
	in, out   int
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

func newSIMDConv(pool *Pool, shape ConvShape) *simdConv {
	c := &simdConv{pool: pool, s: pool.path.simd, batch: shape.Batch, in: shape.In, out: shape.Out, paddedIn: padVectors(shape.In)}
	// Strides that are multiples of 4096 bytes would send all 36 frequencies to the same cache sets.
	c.strideIn = convChunk*4*c.paddedIn + 16
	c.strideOut = convChunk*4*c.out + 16
	c.weights = make([]float32, frequencies*c.paddedIn*c.out)
	if !shape.NoInputGrad {
		c.weightsT = make([]float32, frequencies*c.in*c.out)
		c.turned = make([]float32, 9*c.in*c.out)
	}
	return c
}

func (c *simdConv) shareFloats() int { return 9 * c.in * c.out }

// convMemory is a worker's scratch memory.
type convMemory struct {
	transform []float32
	input     []float32 // [frequency] of strideIn
	output    []float32 // [frequency] of strideOut
	board     []float32 // one board with padded channels, borders unused
	grad      []float32 // [frequency][paddedIn][out]: the gradient of the transformed weights
}

func (c *simdConv) memory(worker int) (m convMemory) {
	sizes := [...]int{transformFloats, frequencies * c.strideIn, frequencies * c.strideOut, boardArea * c.paddedIn, len(c.weights)}
	total := 0
	for _, n := range sizes {
		total += n
	}
	rest := c.pool.scratchFor(worker, total)
	for i, p := range [...]*[]float32{&m.transform, &m.input, &m.output, &m.board, &m.grad} {
		*p, rest = rest[:sizes[i]], rest[sizes[i]:]
	}
	return m
}

func (c *simdConv) setWeights(w []float32) {
	size := c.in * c.out
	c.pool.run(9, func(_, tap int) {
		if c.weightsT != nil {
			transpose(w[tap*size:(tap+1)*size], c.in, c.out, c.turned[tap*size:(tap+1)*size])
		}
	})
	c.pool.run(c.in, func(worker, i int) {
		scratch := c.pool.scratchFor(worker, transformFloats)
		c.s.weights(&w[i*c.out], floatBytes*size, &c.weights[i*c.out], floatBytes*c.paddedIn*c.out, c.out/c.s.lanes, &scratch[0])
	})
	if c.weightsT == nil {
		return
	}
	c.pool.run(c.out, func(worker, o int) {
		scratch := c.pool.scratchFor(worker, transformFloats)
		c.s.weights(&c.turned[o*c.in], floatBytes*size, &c.weightsT[o*c.in], floatBytes*size, c.in/c.s.lanes, &scratch[0])
	})
}

// analyse transforms the boards lo to hi of x into m.input.
func (c *simdConv) analyse(m convMemory, x []float32, lo, hi int) {
	for p := lo; p < hi; p++ {
		board := x[p*boardArea*c.in:]
		if c.in != c.paddedIn {
			spreadChannels(board, c.in, m.board, c.paddedIn)
			board = m.board
		}
		c.s.analyse(&board[11*c.paddedIn], floatBytes*c.paddedIn, &m.input[(p-lo)*4*c.paddedIn],
			floatBytes*c.strideIn, floatBytes*c.paddedIn, c.paddedIn/c.s.lanes, &m.transform[0])
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

// rows is the number of a chunk's tiles, rounded up to what multiply needs.
func (c *simdConv) rows(positions int) int { return (4*positions + c.s.rows - 1) / c.s.rows * c.s.rows }

func (c *simdConv) forwardBlock(worker, block int, x, y []float32) {
	first, end := blockRange(block, c.batch)
	m, size := c.memory(worker), c.paddedIn*c.out
	for lo := first; lo < end; lo += convChunk {
		hi := min(lo+convChunk, end)
		c.analyse(m, x, lo, hi)
		for f := range frequencies {
			next := (f + 1) % frequencies * size
			c.s.multiply(c.rows(hi-lo), c.out, c.paddedIn, strided{m.input[f*c.strideIn:], c.paddedIn, 1},
				c.weights[f*size:(f+1)*size], c.out, m.output[f*c.strideOut:], c.out, false, c.weights[next:next+size])
		}
		for p := lo; p < hi; p++ {
			c.s.synthesise(&m.output[(p-lo)*4*c.out], floatBytes*c.strideOut, floatBytes*c.out,
				&y[(p*boardArea+11)*c.out], floatBytes*c.out, c.out/c.s.lanes, &m.transform[0])
		}
	}
}

func (c *simdConv) backwardBlock(worker, block int, x, dy, dx []float32) {
	first, end := blockRange(block, c.batch)
	m, size := c.memory(worker), c.paddedIn*c.out
	for lo := first; lo < end; lo += convChunk {
		hi := min(lo+convChunk, end)
		c.analyse(m, x, lo, hi)
		for p := lo; p < hi; p++ {
			c.s.synthesiseT(&dy[((p-first)*boardArea+11)*c.out], floatBytes*c.out, &m.output[(p-lo)*4*c.out],
				floatBytes*c.strideOut, floatBytes*c.out, c.out/c.s.lanes, &m.transform[0])
		}
		for f := range frequencies {
			input, output := m.input[f*c.strideIn:], m.output[f*c.strideOut:]
			grad := m.grad[f*size : (f+1)*size]
			if dx == nil {
				next := (f + 1) % frequencies * size
				c.s.multiply(c.paddedIn, c.out, 4*(hi-lo), strided{input, 1, c.paddedIn}, output, c.out, grad, c.out, lo > first, m.grad[next:next+size])
				continue
			}
			weights := c.weightsT[f*size : (f+1)*size]
			c.s.multiply(c.paddedIn, c.out, 4*(hi-lo), strided{input, 1, c.paddedIn}, output, c.out, grad, c.out, lo > first, weights)
			// The transformed input is no longer needed: its place takes its own gradient.
			next := (f + 1) % frequencies * size
			c.s.multiply(c.rows(hi-lo), c.in, c.out, strided{output, c.out, 1}, weights, c.in, input, c.in, false, m.grad[next:next+size])
		}
		for p := lo; p < hi && dx != nil; p++ {
			c.s.analyseT(&m.input[(p-lo)*4*c.in], floatBytes*c.strideIn, floatBytes*c.in,
				&dx[(p*boardArea+11)*c.in], floatBytes*c.in, c.in/c.s.lanes, &m.transform[0])
		}
	}
	share := c.pool.partials[block]
	c.s.weightsT(&m.grad[0], floatBytes*size, &share[0], floatBytes*c.in*c.out, c.in*c.out/c.s.lanes, &m.transform[0])
}

func (c *simdConv) finishGrad(dw []float32) { c.pool.sumPartials(Blocks(c.batch), dw) }
