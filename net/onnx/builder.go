package onnx

import (
	"strings"

	"synochess/env/encode"
	"synochess/net"
)

// builder appends the layers of a network to a graph. Its methods return the name of the tensor they make.
type builder struct {
	graph
	w *net.Weights
}

func (b builder) data(name string) []float32 { return b.w.Tensor(name).Data }

// tower appends the stem and the blocks, of two convolutions each.
func (b builder) tower(layers []net.Layer) string {
	stem := layers[0]
	x := b.conv(stem.Name+".conv", stem, InputPlanes)
	v := b.node("Gemm", stem.Name+".vector", []string{InputVector,
		b.floats(stem.VectorWeight(), b.w.Norm(stem).Fold(b.data(stem.VectorWeight())), int64(stem.Vector), int64(stem.Out))})
	v = b.node("Reshape", stem.Name+".vector.planes", []string{v, b.ints(stem.Name+".vector.shape", 0, int64(stem.Out), 1, 1)})
	x = b.node("Relu", stem.Name, []string{b.node("Add", stem.Name+".sum", []string{x, v})})
	for blocks := layers[1:]; len(blocks) > 0; blocks = blocks[2:] {
		first, second := blocks[0], blocks[1]
		block, _, _ := strings.Cut(first.Name, ".")
		y := b.node("Relu", first.Name+".relu", []string{b.conv(first.Name, first, x)})
		y = b.conv(second.Name, second, y)
		x = b.node("Relu", block, []string{b.node("Add", block+".sum", []string{y, x})})
	}
	return x
}

// conv appends a 3x3 convolution with its batch norm folded in.
func (b builder) conv(name string, l net.Layer, x string) string {
	norm := b.w.Norm(l)
	return b.node("Conv", name, []string{x,
		b.floats(name+".weight", filters(norm.Fold(b.data(l.Weight())), 3, l.In, l.Out), int64(l.Out), int64(l.In), 3, 3),
		b.floats(name+".bias", norm.Shift, int64(l.Out)),
	}, intsAttribute("kernel_shape", 3, 3), intsAttribute("pads", 1, 1, 1, 1))
}

// square appends a linear map of each square's channels, times a scale.
func (b builder) square(name string, l net.Layer, x string, scale float32) string {
	weight, bias := filters(b.data(l.Weight()), 1, l.In, l.Out), make([]float32, l.Out)
	for i := range weight {
		weight[i] *= scale
	}
	if l.Bias {
		bias = b.data(l.Name + ".bias")
	}
	return b.node("Conv", name, []string{x,
		b.floats(l.Weight(), weight, int64(l.Out), int64(l.In), 1, 1),
		b.floats(l.Name+".bias", bias, int64(l.Out)),
	}, intsAttribute("kernel_shape", 1, 1))
}

// head appends a chain of layers and the softmax of its last, as an output of the model.
func (b builder) head(output string, layers []net.Layer, x string) string {
	for i, l := range layers {
		if l.Kind == net.Square {
			x = b.square(l.Name, l, x, 1)
		} else {
			weight := b.data(l.Weight())
			if i > 0 && layers[i-1].Kind == net.Square {
				x = b.node("Flatten", output+".flat", []string{x}, intAttribute("axis", 1))
				weight = channelsFirst(weight, layers[i-1].Out, l.Out)
			}
			x = b.node("Gemm", l.Name, []string{x,
				b.floats(l.Weight(), weight, int64(l.In), int64(l.Out)), b.floats(l.Name+".bias", b.data(l.Name+".bias"), int64(l.Out))})
		}
		if l.ReLU {
			x = b.node("Relu", l.Name+".relu", []string{x})
		}
	}
	return b.node("Softmax", output, []string{x}, intAttribute("axis", 1))
}

// policy appends the policy's planes and, if there is one, the from-to term, as an output of the model.
func (b builder) policy(layers []net.Layer, x string) string {
	planes := b.square(OutputPolicy+".conv", layers[0], x, 1)
	if len(layers) == 1 {
		return b.node("Flatten", OutputPolicy, []string{planes}, intAttribute("axis", 1))
	}
	planes = b.node("Flatten", OutputPolicy+".planes", []string{planes}, intAttribute("axis", 1))
	return b.node("Add", OutputPolicy, []string{planes, b.fromTo(layers[1], layers[2], x)})
}

// fromTo appends the policy's from-to term: the products of all pairs of squares, of which each policy index takes its
// own.
func (b builder) fromTo(from, to net.Layer, x string) string {
	ends := func(l net.Layer, scale float32) string {
		y := b.square(l.Name, l, x, scale)
		return b.node("Reshape", l.Name+".squares", []string{y, b.ints(l.Name+".shape", 0, int64(l.Out), 64)})
	}
	q := b.node("Transpose", "policy.from.rows", []string{ends(from, b.w.Arch.FromToScale())}, intsAttribute("perm", 0, 2, 1))
	pairs := b.node("MatMul", "policy.products", []string{q, ends(to, 1)})
	pairs = b.node("Flatten", "policy.pairs", []string{pairs}, intAttribute("axis", 1))
	index := make([]int64, 64*b.w.Arch.PolicyPlanes)
	for i := range index {
		from, to := encode.IndexSquares(uint16(i))
		index[i] = int64(from)*64 + int64(to)
	}
	return b.node("Gather", "policy.from-to", []string{pairs, b.ints("policy.pair", index...)}, intAttribute("axis", 1))
}

// filters turns a convolution [(ky*size+kx)*in + i][out] into ONNX's order [out][in][ky][kx].
func filters(weight []float32, size, in, out int) []float32 {
	taps := size * size
	f := make([]float32, len(weight))
	for tap := range taps {
		for i := range in {
			for o := range out {
				f[(o*in+i)*taps+tap] = weight[(tap*in+i)*out+o]
			}
		}
	}
	return f
}

// channelsFirst turns the rows of a matrix [square*channels + channel][out] into the order that Flatten
// gives, channel*64 + square.
func channelsFirst(weight []float32, channels, out int) []float32 {
	m := make([]float32, len(weight))
	for square := range 64 {
		for c := range channels {
			copy(m[(c*64+square)*out:][:out], weight[(square*channels+c)*out:][:out])
		}
	}
	return m
}
