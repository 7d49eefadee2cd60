package training

import "synochess/net/kernels"

// LinShape describes a Lin layer.
type LinShape struct {
	Batch   int  // positions
	Board   bool // a 1x1 convolution: the input is padded boards, 64 rows a position; else 1 row
	In, Out int  // numbers a row
	ReLU    bool
	// SparseGrad says that nearly all of the output's gradient is 0 (a policy's, which is 0 but for
	// legal moves): the zeros are skipped. Results are those of the dense way, but for rounding.
	SparseGrad  bool
	NoInputGrad bool // the input is data: leave DX nil
	// AddDXTo is a layer on the same boards, or nil: DX is that layer's, and Backward, which comes after
	// that layer's, adds to it. Not with SparseGrad.
	AddDXTo *Lin
}

// rows returns the number of rows a position has.
func (s LinShape) rows() int {
	if s.Board {
		return 64
	}
	return 1
}

// Lin is one training layer y = x*w + bias, plus an optional ReLU: fully connected or, on padded
// boards [position][10][10][In], a 1x1 convolution. Its output lies as [position*rows][Out] without
// borders. It owns its outputs and gradients, all allocated once.
type Lin struct {
	LinShape
	Y  []float32 // [rows of the batch][Out]
	DX []float32 // laid out like x, borders 0
	DW []float32 // [In][Out]
	DB []float32 // [Out]

	pool    *Pool
	weightT []float32 // [Out][In], for SparseGrad and the assembly
	open    [][]int32 // [position]: the outputs that ForwardOpen was asked for, nil after Forward
	grad    []float32 // [In*Out + Out], the summed partials
}

// NewLin allocates a layer.
func NewLin(pool *Pool, s LinShape) *Lin {
	l := &Lin{
		LinShape: s, pool: pool,
		Y: make([]float32, s.Batch*s.rows()*s.Out), DW: make([]float32, s.In*s.Out), DB: make([]float32, s.Out),
		weightT: make([]float32, s.In*s.Out), grad: make([]float32, s.In*s.Out+s.Out),
	}
	switch {
	case s.NoInputGrad:
	case s.AddDXTo != nil:
		l.DX = s.AddDXTo.DX
	case s.Board:
		l.DX = make([]float32, s.Batch*boardArea*s.In)
	default:
		l.DX = make([]float32, s.Batch*s.In)
	}
	return l
}

// gather returns the block's rows of x, contiguous: copied from inside the boards into scratch, or
// x itself.
func (l *Lin) gather(x, scratch []float32, lo, hi int) []float32 {
	if !l.Board {
		return x[lo*l.In : hi*l.In]
	}
	to := scratch
	eachRow(lo, hi, l.In, func(at int) {
		copy(to, x[at:at+8*l.In])
		to = to[8*l.In:]
	})
	return scratch[:(hi-lo)*64*l.In]
}

// Forward computes Y from x, the weights w [In][Out] and bias [Out], which may be nil without ReLU.
func (l *Lin) Forward(x, w, bias []float32) {
	l.open = nil
	l.forward(x, w, bias)
}

// forward computes Y.
func (l *Lin) forward(x, w, bias []float32) {
	rows := l.rows()
	l.pool.run(Blocks(l.Batch), func(worker, block int) {
		lo, hi := blockRange(block, l.Batch)
		scratch := l.scratch(worker)
		in := l.gather(x, scratch, lo, hi)
		y := l.Y[lo*rows*l.Out : hi*rows*l.Out]
		if s := l.pool.asm; s != nil {
			s.product(scratch[BlockPositions*rows*l.In:], (hi-lo)*rows, l.Out, l.In, strided{in, l.In, 1}, w, y, l.Out)
		} else {
			kernels.Gemm(&l.pool.workspaces[worker], (hi-lo)*rows, l.Out, l.In, kernels.Mat(in, l.In), kernels.Mat(w, l.Out), y, l.Out)
		}
		if l.ReLU {
			kernels.AddBiasReLU(y, bias)
			return
		}
		for ; bias != nil && len(y) > 0; y = y[l.Out:] {
			kernels.Add(y[:l.Out], bias)
		}
	})
}

// Backward takes dy, the gradient of Y after a Forward with the same x and w, and sets DX (unless
// NoInputGrad), DW and DB. With ReLU it overwrites dy where the output was 0.
func (l *Lin) Backward(x, w, dy []float32) {
	blocks, rows, k, n := Blocks(l.Batch), l.rows(), l.In, l.Out
	l.pool.preparePartials(blocks, len(l.grad))
	if l.SparseGrad || l.pool.asm != nil && !l.NoInputGrad {
		l.pool.transpose(w, k, n, l.weightT)
	}
	l.pool.run(blocks, func(worker, block int) {
		lo, hi := blockRange(block, l.Batch)
		g := dy[lo*rows*n : hi*rows*n]
		if l.ReLU {
			for i, v := range l.Y[lo*rows*n : hi*rows*n] {
				if v <= 0 {
					g[i] = 0
				}
			}
		}
		dw, db := l.pool.partials[block][:k*n], l.pool.partials[block][k*n:k*n+n]
		clear(db)
		if l.open != nil {
			l.openBlock(x, g, dw, db, lo, hi)
		} else if l.SparseGrad {
			l.sparseBlock(x, g, dw, db, lo, hi)
		} else {
			l.denseBlock(worker, x, w, g, dw, db, lo, hi)
		}
		l.pool.closePartial(block, blocks, len(l.grad))
	})
	l.pool.sumPartials(blocks, l.grad)
	copy(l.DB, l.grad[k*n:])
	if l.SparseGrad {
		l.pool.transpose(l.grad, n, k, l.DW)
	} else {
		copy(l.DW, l.grad)
	}
}

// denseBlock sets dw [In][Out], adds to db, and sets the block's part of DX.
func (l *Lin) denseBlock(worker int, x, w, g, dw, db []float32, lo, hi int) {
	rows, k, n := (hi-lo)*l.rows(), l.In, l.Out
	ws, scratch := &l.pool.workspaces[worker], l.scratch(worker)
	in := l.gather(x, scratch, lo, hi)
	rest := scratch[BlockPositions*l.rows()*k:]
	s := l.pool.asm
	if s != nil {
		s.product(rest, k, n, rows, strided{in, 1, k}, g, dw, n)
	} else {
		kernels.Gemm(ws, k, n, rows, kernels.MatT(in, k), kernels.Mat(g, n), dw, n)
	}
	for r := range rows {
		kernels.Add(db, g[r*n:(r+1)*n])
	}
	if l.NoInputGrad {
		return
	}
	dx := scratch
	if !l.Board {
		dx = l.DX[lo*k : hi*k]
	}
	if s != nil {
		s.product(rest, rows, k, n, strided{g, n, 1}, l.weightT, dx, k)
	} else {
		kernels.Gemm(ws, rows, k, n, kernels.Mat(g, n), kernels.MatT(w, n), dx, k)
	}
	if l.Board {
		eachRow(lo, hi, k, func(at int) {
			if l.AddDXTo != nil {
				l.pool.add(l.DX[at:at+8*k], dx[:8*k])
			} else {
				copy(l.DX[at:at+8*k], dx)
			}
			dx = dx[8*k:]
		})
	}
}

// scratch is a worker's memory: room for the inputs of a block, and after it what products need.
func (l *Lin) scratch(worker int) []float32 {
	n := BlockPositions * l.rows() * l.In
	if l.pool.asm != nil {
		n += max(productFloats(l.Out, l.In), productFloats(l.Out, BlockPositions*l.rows()), productFloats(l.In, l.Out))
	}
	return l.pool.scratchFor(worker, n)
}

// sparseBlock is denseBlock for a gradient that is mostly 0. It sets dw transposed, as [Out][In].
func (l *Lin) sparseBlock(x, g, dw, db []float32, lo, hi int) {
	k, n := l.In, l.Out
	clear(dw)
	row := func(at int) {
		var dx []float32
		if !l.NoInputGrad {
			dx = l.DX[at : at+k]
			clear(dx)
		}
		for i, v := range g[:n] {
			if v == 0 {
				continue
			}
			db[i] += v
			kernels.AddScaled(dw[i*k:(i+1)*k], x[at:at+k], v)
			if dx != nil {
				kernels.AddScaled(dx, l.weightT[i*k:(i+1)*k], v)
			}
		}
		g = g[n:]
	}
	if !l.Board {
		for p := lo; p < hi; p++ {
			row(p * k)
		}
		return
	}
	eachRow(lo, hi, k, func(at int) {
		for s := range 8 {
			row(at + s*k)
		}
	})
}
