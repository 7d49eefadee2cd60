package net

import "strconv"

// Kind is what a layer does.
type Kind uint8

// The kinds of layers.
const (
	// Stem is the first layer: a 3x3 convolution of the planes, plus a linear map of the vector at every square,
	// batch norm, relu.
	Stem Kind = iota
	// Conv is a 3x3 convolution of a block, with batch norm; relu follows, after a block's second one on the sum with what
	// the block read.
	Conv
	// Square is a linear map of each square's channels, the same for all squares (a 1x1 convolution).
	Square
	// Dense is a linear map of all that the layer before gives, [square][channel] after a Square layer.
	Dense
)

// Layer is one linear map of the network and what follows it.
type Layer struct {
	Name    string // its tensors' names begin with it
	Kind    Kind
	In, Out int  // channels, or values where the kind is Dense
	Vector  int  // of the stem: entries of the vector
	Bias    bool // of Square and Dense layers
	ReLU    bool // of Square and Dense layers

	start start // of its weights
}

// Weight returns the name of the tensor of the layer's weights, but for those of the stem's vector.
func (l Layer) Weight() string {
	if l.Kind == Stem {
		return l.Name + ".conv.weight"
	}
	return l.Name + ".weight"
}

// VectorWeight returns the name of the tensor that projects the vector into the stem.
func (l Layer) VectorWeight() string { return l.Name + ".vector.weight" }

// Layers lists the network's layers in the order of its tensors. All else that knows its topology (shapes, initial
// values, packages graph, fast and onnx) goes by this list or its parts.
func (a Arch) Layers() []Layer {
	layers := append(a.Tower(), a.Policy()...)
	return append(layers, a.Value()...)
}

// Tower lists what all heads share: the stem and two convolutions for each block.
func (a Arch) Tower() []Layer {
	w := a.Width
	layers := []Layer{{Name: "stem", Kind: Stem, In: a.InputPlanes(), Vector: a.VectorLen(), Out: w}}
	for i := range a.Blocks {
		for _, conv := range []string{".conv1", ".conv2"} {
			layers = append(layers, Layer{Name: "block" + strconv.Itoa(i) + conv, Kind: Conv, In: w, Out: w})
		}
	}
	return layers
}

// Policy lists the layers of the policy, which all read the tower: the planes' logits and, with a from-to term, q and k.
func (a Arch) Policy() []Layer {
	layers := []Layer{{Name: "policy", Kind: Square, In: a.Width, Out: a.PolicyPlanes, Bias: true, start: startSmall}}
	if a.FromTo > 0 {
		layers = append(layers, Layer{Name: "policy.from", Kind: Square, In: a.Width, Out: a.FromTo},
			Layer{Name: "policy.to", Kind: Square, In: a.Width, Out: a.FromTo, start: startZero})
	}
	return layers
}

// Value lists the layers of the value head, a chain: each reads the one before, the first the tower. The last gives
// one number for each class, of which the softmax is the answer.
func (a Arch) Value() []Layer {
	return []Layer{
		{Name: "value.conv", Kind: Square, In: a.Width, Out: a.ValueChannels, Bias: true, ReLU: true},
		{Name: "value.fc1", Kind: Dense, In: 64 * a.ValueChannels, Out: a.ValueHidden, Bias: true, ReLU: true},
		{Name: "value.fc2", Kind: Dense, In: a.ValueHidden, Out: 3, Bias: true, start: startSmall},
	}
}

// shape is the name and shape of one tensor, and how it begins.
type shape struct {
	name  string
	dims  []int
	start start
}

func (s shape) len() int {
	n := 1
	for _, d := range s.dims {
		n *= d
	}
	return n
}

// shapes lists the architecture's tensors in their fixed order (doc.go).
func (a Arch) shapes() []shape {
	var list []shape
	add := func(name string, start start, dims ...int) { list = append(list, shape{name, dims, start}) }
	for _, l := range a.Layers() {
		switch l.Kind {
		case Stem, Conv:
			add(l.Weight(), l.start, 9*l.In, l.Out)
			if l.Kind == Stem {
				add(l.VectorWeight(), l.start, l.Vector, l.Out)
			}
			add(l.Name+".bn.scale", startOne, l.Out)
			add(l.Name+".bn.bias", startZero, l.Out)
			add(l.Name+".bn.mean", startZero, l.Out)
			add(l.Name+".bn.var", startOne, l.Out)
		default:
			add(l.Weight(), l.start, l.In, l.Out)
			if l.Bias {
				add(l.Name+".bias", startZero, l.Out)
			}
		}
	}
	return list
}
