package kernels

import "fmt"

// Residual is one residual block for training: y = relu(bn(conv(relu(bn(conv(x))))) + x), all boards
// of Width channels. Its two layers hold the gradients of their weights and batch norms.
//
// The Residuals of a Pool share their gradients' boards: DX is valid until Backward of the next
// Residual but one, which suits a stack of them.
type Residual struct {
	First, Second *ConvBN   // First has no Y unless the path is portable or the width no multiple of 16
	Y             []float32 // output boards
	DX            []float32 // boards: gradient of the input
}

// NewResidual allocates a block.
func NewResidual(pool *Pool, batch, width int, epsilon float64) *Residual {
	shape := ConvShape{Batch: batch, In: width, Out: width, Epsilon: epsilon}
	r := &Residual{First: newConvBN(pool, shape), Second: newConvBN(pool, shape)}
	boards := batch * boardArea * width
	r.Second.Y = make([]float32, boards)
	r.Second.ResGrad, r.Second.DX = pool.sharedBoards(0, batch, width), pool.sharedBoards(1, batch, width)
	r.First.ResGrad = r.Second.DX // masked in place
	pool.residuals++
	r.First.DX = pool.sharedBoards(2+pool.residuals%2, batch, width)
	r.Y, r.DX = r.Second.Y, r.First.DX
	if r.First.fast == nil {
		r.First.Y = make([]float32, boards)
		return r
	}
	r.Second.fast.below, r.First.fast.skip = r.First, r.Second.ResGrad
	return r
}

// Forward computes Y from the input boards x, the weights w [9*Width][Width] and the batch norms'
// scales and biases of both layers.
func (r *Residual) Forward(x, w1, scale1, bias1, w2, scale2, bias2 []float32) error {
	first, second := r.First, r.Second
	first.convolve(x, w1, nil)
	if err := first.normalise(scale1, bias1); err != nil {
		return fmt.Errorf("first layer: %w", err)
	}
	if first.fast == nil {
		first.activate(nil)
	}
	second.convolve(first.Y, w2, nil)
	if err := second.normalise(scale2, bias2); err != nil {
		return fmt.Errorf("second layer: %w", err)
	}
	second.activate(x)
	return nil
}

// Backward takes dy, the gradient of Y after a Forward in training mode with the same x and scales,
// and sets DX and the layers' DW, DScale and DBias.
func (r *Residual) Backward(x, scale1, scale2, dy []float32) {
	first, second := r.First, r.Second
	second.maskGrad(dy)
	second.differentiate(scale2)
	second.propagate(first.Y)
	if first.fast == nil {
		first.maskGrad(second.DX)
	}
	first.differentiate(scale1)
	first.propagate(x)
	if first.fast == nil {
		Add(r.DX, second.ResGrad)
	}
}
