package training

import "fmt"

// TowerShape describes a Tower.
type TowerShape struct {
	Batch   int // positions
	In      int // channels of the input boards
	Width   int // channels of all other boards
	Blocks  int // residual blocks
	Epsilon float64
}

// Tower is a whole residual network for training, heads excepted: a ConvBN with added vectors (the
// stem), then blocks x = relu(bn(conv(relu(bn(conv(x))))) + x).
//
// Neighbours work together, because training is bound by memory: a layer activates a board when the one above reads
// it, and takes that board's gradient as soon as the one above has it. What only the layer above reads is not kept.
type Tower struct {
	Layers []*ConvBN // the stem, then two of each block; they hold the weights' gradients
	Y      []float32 // output boards
	DAdd   []float32 // [Batch][Width]: gradient of the vectors added in the stem

	top *ConvBN
}

// LayerParams are the parameters of a layer: weights [9*In][Out], batch norm's scale and bias [Out].
type LayerParams struct{ Weight, Scale, Bias []float32 }

// NewTower allocates a tower.
func NewTower(pool *Pool, s TowerShape) *Tower {
	t := &Tower{}
	// Boards of gradients live shortly: three lots do. grads[2] is that of the layer within a block.
	var grads [3][]float32
	for i := range grads {
		grads[i] = newBoards(s.Batch, s.Width)
	}
	lot := func(layer int) []float32 {
		if layer%2 == 1 {
			return grads[2]
		}
		return grads[layer/2%2]
	}
	for i := range 2*s.Blocks + 1 {
		shape := ConvShape{Batch: s.Batch, In: s.Width, Out: s.Width, Epsilon: s.Epsilon}
		if i == 0 {
			shape.In, shape.NoInputGrad = s.In, true
		}
		l := newConvBN(pool, shape)
		l.ResGrad = lot(i)
		if i > 0 {
			l.below, l.DX = t.Layers[i-1], lot(i-1)
		}
		if i%2 == 1 { // the first of a block: its input goes round the block, too
			l.skip = lot(i + 1)
		} else {
			l.Y = newBoards(s.Batch, s.Width)
		}
		if i > 0 && i%2 == 0 {
			l.res = t.Layers[i-2].Y
		}
		t.Layers = append(t.Layers, l)
	}
	t.top = t.Layers[2*s.Blocks]
	t.Y, t.DAdd = t.top.Y, t.Layers[0].DAdd
	return t
}

// SetTraining chooses between the batch's own statistics, which also move the running ones, and the
// running statistics.
func (t *Tower) SetTraining(training bool) {
	for _, l := range t.Layers {
		l.Training = training
	}
}

// Forward computes Y from the input boards x, the vectors add [Batch][Width] and the parameters of all
// layers. It returns an error if a batch's statistics are not finite, because a ReLU would hide that.
func (t *Tower) Forward(x, add []float32, params []LayerParams) error {
	for i, l := range t.Layers {
		l.convolve(x, params[i].Weight, add)
		if err := l.normalise(params[i].Scale, params[i].Bias); err != nil {
			return fmt.Errorf("layer %d: %w", i, err)
		}
		add = nil // they are the stem's
	}
	t.top.output()
	return nil
}

// Backward takes dy, the gradient of Y after a Forward in training mode with the same x and
// parameters, and sets DAdd and the layers' DW, DScale and DBias.
func (t *Tower) Backward(x []float32, params []LayerParams, dy []float32) {
	t.top.receive(dy)
	for i := len(t.Layers) - 1; i >= 0; i-- {
		t.Layers[i].differentiate(params[i].Scale)
		t.Layers[i].propagate(x)
	}
}
