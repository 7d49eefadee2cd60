package training

import (
	"fmt"

	"synochess/net/kernels"
)

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
// The assembly fuses neighbours, because it is bound by memory: batch norm and ReLU of a layer are done
// where the next one reads its input, and the gradient goes through the ReLU where it is made.
type Tower struct {
	Layers []*ConvBN // the stem, then two of each block; they hold the weights' gradients
	Y      []float32 // output boards
	DAdd   []float32 // [Batch][Width]: gradient of the vectors added in the stem

	fused bool
}

// LayerParams are the parameters of a layer: weights [9*In][Out], batch norm's scale and bias [Out].
type LayerParams struct{ Weight, Scale, Bias []float32 }

// NewTower allocates a tower.
func NewTower(pool *Pool, s TowerShape) *Tower {
	t := &Tower{}
	stem := newConvBN(pool, ConvShape{Batch: s.Batch, In: s.In, Out: s.Width, Epsilon: s.Epsilon, NoInputGrad: true})
	t.Layers = append(t.Layers, stem)
	for range 2 * s.Blocks {
		t.Layers = append(t.Layers, newConvBN(pool, ConvShape{Batch: s.Batch, In: s.Width, Out: s.Width, Epsilon: s.Epsilon}))
	}
	t.fused = stem.fast != nil
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
	for i, l := range t.Layers {
		if i%2 == 0 || !t.fused {
			l.Y = newBoards(s.Batch, s.Width)
		}
		l.ResGrad = lot(i)
		if i == 0 {
			continue
		}
		l.DX = lot(i - 1)
		if t.fused {
			l.fast.below = t.Layers[i-1]
			if i%2 == 1 {
				l.fast.skip = lot(i + 1)
			}
		}
	}
	t.Y, t.DAdd = t.Layers[2*s.Blocks].Y, stem.DAdd
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
		var res []float32
		if i > 0 && i%2 == 0 {
			res = t.Layers[i-2].Y
		}
		l.res = res
		l.convolve(x, params[i].Weight, add)
		if err := l.normalise(params[i].Scale, params[i].Bias); err != nil {
			return fmt.Errorf("layer %d: %w", i, err)
		}
		if !t.fused || i == len(t.Layers)-1 {
			l.activate(res)
		}
		x, add = l.Y, nil
	}
	return nil
}

// Backward takes dy, the gradient of Y after a Forward in training mode with the same x and
// parameters, and sets DAdd and the layers' DW, DScale and DBias.
func (t *Tower) Backward(x []float32, params []LayerParams, dy []float32) {
	for i := len(t.Layers) - 1; i >= 0; i-- {
		l := t.Layers[i]
		in := x
		if i > 0 {
			in = t.Layers[i-1].Y
		}
		if !t.fused || i == len(t.Layers)-1 {
			l.maskGrad(dy)
		}
		l.differentiate(params[i].Scale)
		l.propagate(in)
		if !t.fused && i%2 == 1 {
			kernels.Add(l.DX, t.Layers[i+1].ResGrad)
		}
		dy = l.DX
	}
}
