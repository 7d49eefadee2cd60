package kernels

// inside is the offset of the first square of board p of n channels.
func inside(p, n int) int { return (p*boardArea + 11) * n }

// boardStatistics adds the vector a, if there is one, to board p of z, and the board to the sums.
func (s *simd) boardStatistics(z []float32, p, n int, a []float32, sum, square []float64) {
	at, groups := inside(p, n), n/s.lanes
	if a != nil {
		s.addVector(&z[at], &a[0], floatBytes*n, groups)
	}
	s.statistics(&z[at], &sum[0], &square[0], floatBytes*n, groups)
}

// activateBoards sets boards lo to hi of Y.
func (s *simd) activateBoards(l *ConvBN, lo, hi int, res []float32) {
	groups := l.Out / s.lanes
	for p := lo; p < hi; p++ {
		at := inside(p, l.Out)
		if res != nil {
			s.activateRes(&l.z[at], &l.scale[0], &l.shift[0], &res[at], &l.Y[at], floatBytes*l.Out, groups)
		} else {
			s.activate(&l.z[at], &l.scale[0], &l.shift[0], &l.Y[at], floatBytes*l.Out, groups)
		}
	}
}

// maskBoards sets boards lo to hi of ResGrad and adds to the sums.
func (s *simd) maskBoards(l *ConvBN, lo, hi int, dy []float32, sum, product []float64) {
	for p := lo; p < hi; p++ {
		at := inside(p, l.Out)
		s.maskGrad(&dy[at], &l.Y[at], &l.z[at], &l.Mean[0], &l.ResGrad[at], &sum[0], &product[0], floatBytes*l.Out, l.Out/s.lanes)
	}
}

// combineBoard sets dz to board p of z's gradient and adds it to sum.
func (s *simd) combineBoard(l *ConvBN, p int, dz, sum []float32) {
	at := inside(p, l.Out)
	s.combine(&l.ResGrad[at], &l.z[at], &l.gain[0], &l.slope[0], &l.offset[0], &dz[11*l.Out], &sum[0], floatBytes*l.Out, l.Out/s.lanes)
}
