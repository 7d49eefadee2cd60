package training

// One layer by itself, as the tower runs many: what the tests of a layer need.

// newLoneConvBN allocates a layer that stands in no tower.
func newLoneConvBN(pool *Pool, s ConvShape) *ConvBN {
	l := newConvBN(pool, s)
	l.Y, l.ResGrad = newBoards(s.Batch, s.Out), newBoards(s.Batch, s.Out)
	if !s.NoInputGrad {
		l.DX = newBoards(s.Batch, s.In)
	}
	return l
}

// forward computes Y from the input boards x, the weights w [9*In][Out], the batch norm's scale and
// bias, and, where not nil, the added vectors add [Batch][Out] and the residual boards res. It returns
// an error if the batch's statistics are not finite, because a ReLU would hide that.
func (l *ConvBN) forward(x, w, scale, bias, add, res []float32) error {
	l.convolve(x, w, add)
	if err := l.normalise(scale, bias); err != nil {
		return err
	}
	l.activate(res)
	return nil
}

// backward takes dy, the gradient of Y after a forward in training mode with the same x and scale,
// and sets ResGrad, DX (unless NoInputGrad), DW, DAdd, DScale and DBias.
func (l *ConvBN) backward(x, scale, dy []float32) {
	l.maskGrad(dy)
	l.differentiate(scale)
	l.propagate(x)
}
