package training

import "synochess/net/kernels"

// ForwardOpen is Forward of a SparseGrad layer on boards, with a bias and without ReLU, whose outputs
// are used only where targets, laid out like Y, is not masked (MaskedCE). The others may keep older
// values, and the gradient that Backward is given must be 0 there. The portable path computes all.
func (l *Lin) ForwardOpen(x, w, bias, targets []float32) {
	whole := l.pool.asm == nil
	if whole {
		l.forward(x, w, bias)
	} else {
		l.pool.transpose(w, l.In, l.Out, l.weightT)
	}
	if l.open == nil {
		l.open = make([][]int32, l.Batch)
	}
	size := 64 * l.Out
	l.pool.run(Blocks(l.Batch), func(_, block int) {
		lo, hi := blockRange(block, l.Batch)
		for p := lo; p < hi; p++ {
			l.open[p] = appendOpen(l.open[p][:0], targets[p*size:(p+1)*size])
			if whole {
				continue
			}
			y := l.Y[p*size : (p+1)*size]
			for _, i := range l.open[p] {
				square, o := int(i)/l.Out, int(i)%l.Out
				at := squareOf(p, square, l.In)
				y[i] = bias[o] + kernels.Dot(x[at:at+l.In], l.weightT[o*l.In:(o+1)*l.In])
			}
		}
	})
}

// openBlock is sparseBlock after ForwardOpen.
func (l *Lin) openBlock(x, g, dw, db []float32, lo, hi int) {
	k, size := l.In, 64*l.Out
	clear(dw)
	for p := lo; p < hi; p++ {
		if !l.NoInputGrad {
			eachRow(p, p+1, k, func(at int) { clear(l.DX[at : at+8*k]) })
		}
		for _, i := range l.open[p] {
			v, o := g[(p-lo)*size+int(i)], int(i)%l.Out
			at := squareOf(p, int(i)/l.Out, k)
			db[o] += v
			kernels.AddScaled(dw[o*k:(o+1)*k], x[at:at+k], v)
			if !l.NoInputGrad {
				kernels.AddScaled(l.DX[at:at+k], l.weightT[o*k:(o+1)*k], v)
			}
		}
	}
}
