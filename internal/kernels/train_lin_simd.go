package kernels

// fastBoards says whether the assembly reads and writes the layer's boards where they lie, without
// copying their ranks together.
func (l *Lin) fastBoards() bool { return l.pool.path.simd != nil && l.Board && l.In%channelStep == 0 }

// wide is Out in whole vectors.
func (l *Lin) wide() int { return padVectors(l.Out) }

// prepareBoards pads the weights to whole vectors of outputs, and the bias too, once for each square.
func (l *Lin) prepareBoards(w, bias []float32) {
	wide := l.wide()
	if l.padded == nil {
		l.padded, l.biases = make([]float32, l.In*wide), make([]float32, 64*wide)
	}
	for i := range l.In {
		copy(l.padded[i*wide:], w[i*l.Out:(i+1)*l.Out])
	}
	for s := 0; bias != nil && s < 64; s++ {
		copy(l.biases[s*wide:], bias)
	}
}

// forwardBoards sets positions lo to hi of Y.
func (l *Lin) forwardBoards(x, scratch []float32, lo, hi int) {
	s, wide := l.pool.path.simd, l.wide()
	out := scratch[:64*wide]
	for p := lo; p < hi; p++ {
		copy(out, l.biases)
		for file := 0; file < 8; file += s.rows {
			from := strided{data: x[inside(p, l.In)+file*l.In:], row: l.In, step: 1, group: 10 * l.In}
			s.multiply(8*s.rows, wide, l.In, from, l.padded, wide, target{data: out[file*wide:], row: wide, group: 8 * wide}, true, l.padded, nil)
		}
		y := l.Y[p*64*l.Out : (p+1)*64*l.Out]
		for i := range 64 {
			copy(y[i*l.Out:(i+1)*l.Out], out[i*wide:])
		}
		if l.ReLU {
			ReLU(y)
		}
	}
}

// backwardBoards sets boards lo to hi of DX from the gradient of the block's rows.
func (l *Lin) backwardBoards(g []float32, lo, hi int) {
	s, n := l.pool.path.simd, l.Out
	for p := lo; p < hi; p++ {
		for file := 0; file < 8; file += s.rows {
			from := strided{data: g[((p-lo)*64+file)*n:], row: n, step: 1, group: 8 * n}
			to := target{data: l.DX[inside(p, l.In)+file*l.In:], row: l.In, group: 10 * l.In}
			s.multiply(8*s.rows, l.In, n, from, l.weightT, l.In, to, false, l.weightT, nil)
		}
	}
}
