package onnx

import (
	"fmt"
	"math"
	"strconv"

	"google.golang.org/protobuf/proto"

	"synochess/env/encode"
	"synochess/net"
	"synochess/net/onnx/onnxpb"
)

// The versions of the file format and of the operator set. They are old on purpose: every runtime of the
// last years reads them.
const (
	irVersion    = 7
	opsetVersion = 13
)

// Marshal returns the network as an ONNX model. program is the version of this program, which the model
// names as its producer. Weights that do not pass Check or are of another encoding are errors.
func Marshal(w *net.Weights, program string) ([]byte, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	if err := w.Arch.CheckEncoding(); err != nil {
		return nil, err
	}
	meta, err := metadata(w)
	if err != nil {
		return nil, err
	}
	model := &onnxpb.ModelProto{
		IrVersion:       proto.Int64(irVersion),
		ProducerName:    proto.String("synochess"),
		ProducerVersion: proto.String(program),
		DocString:       proto.String("A Synochess network. The metadata says what its inputs and outputs mean."),
		OpsetImport:     []*onnxpb.OperatorSetIdProto{{Domain: proto.String(""), Version: proto.Int64(opsetVersion)}},
		Graph:           network(w),
		MetadataProps:   meta,
	}
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(model)
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	return data, nil
}

// network returns the graph.
func network(w *net.Weights) *onnxpb.GraphProto {
	a := w.Arch
	policySize := int64(64 * a.PolicyPlanes)
	g := graph{&onnxpb.GraphProto{
		Name: proto.String("synochess"),
		Input: []*onnxpb.ValueInfoProto{
			valueInfo(InputPlanes, "boards, [plane][rank][file]", int64(a.InputPlanes()), 8, 8),
			valueInfo(InputVector, "hand, rules, material, check", int64(a.VectorLen())),
		},
		Output: []*onnxpb.ValueInfoProto{
			valueInfo(OutputPolicy, "logits by policy index", policySize),
			valueInfo(OutputValue, "win, draw, loss of the side to move", 3),
		},
	}}
	data := func(name string) []float32 { return w.Tensor(name).Data }
	width := int64(a.Width)

	norm := foldNorm(w, "stem")
	x := g.node("Conv", "stem.conv", []string{InputPlanes,
		g.floats("stem.conv.weight", filters(norm.apply(data("stem.conv.weight")), 3, a.InputPlanes(), a.Width), width, int64(a.InputPlanes()), 3, 3),
		g.floats("stem.conv.bias", norm.shift, width),
	}, conv3x3()...)
	v := g.node("Gemm", "stem.vector", []string{InputVector,
		g.floats("stem.vector.weight", norm.apply(data("stem.vector.weight")), int64(a.VectorLen()), width)})
	v = g.node("Reshape", "stem.vector.planes", []string{v, g.ints("stem.vector.shape", 0, width, 1, 1)})
	x = g.node("Relu", "stem", []string{g.node("Add", "stem.sum", []string{x, v})})

	for i := range a.Blocks {
		block := "block" + strconv.Itoa(i)
		y := x
		for _, layer := range []string{block + ".conv1", block + ".conv2"} {
			norm := foldNorm(w, layer)
			y = g.node("Conv", layer, []string{y,
				g.floats(layer+".weight", filters(norm.apply(data(layer+".weight")), 3, a.Width, a.Width), width, width, 3, 3),
				g.floats(layer+".bias", norm.shift, width),
			}, conv3x3()...)
			if layer == block+".conv1" {
				y = g.node("Relu", layer+".relu", []string{y})
			}
		}
		x = g.node("Relu", block, []string{g.node("Add", block+".sum", []string{y, x})})
	}

	p := g.node("Conv", "policy.conv", []string{x,
		g.floats("policy.weight", filters(data("policy.weight"), 1, a.Width, a.PolicyPlanes), int64(a.PolicyPlanes), width, 1, 1),
		g.floats("policy.bias", data("policy.bias"), int64(a.PolicyPlanes)),
	}, intsAttribute("kernel_shape", 1, 1))
	if a.FromTo == 0 {
		g.node("Flatten", OutputPolicy, []string{p}, intAttribute("axis", 1))
	} else {
		p = g.node("Flatten", "policy.planes", []string{p}, intAttribute("axis", 1))
		g.node("Add", OutputPolicy, []string{p, fromTo(g, w, x)})
	}

	channels, hidden := int64(a.ValueChannels), int64(a.ValueHidden)
	h := g.node("Conv", "value.conv", []string{x,
		g.floats("value.conv.weight", filters(data("value.conv.weight"), 1, a.Width, a.ValueChannels), channels, width, 1, 1),
		g.floats("value.conv.bias", data("value.conv.bias"), channels),
	}, intsAttribute("kernel_shape", 1, 1))
	h = g.node("Flatten", "value.flat", []string{g.node("Relu", "value.conv.relu", []string{h})}, intAttribute("axis", 1))
	h = g.node("Gemm", "value.fc1", []string{h,
		g.floats("value.fc1.weight", channelsFirst(data("value.fc1.weight"), a.ValueChannels, a.ValueHidden), 64*channels, hidden),
		g.floats("value.fc1.bias", data("value.fc1.bias"), hidden)})
	h = g.node("Gemm", "value.fc2", []string{g.node("Relu", "value.fc1.relu", []string{h}),
		g.floats("value.fc2.weight", data("value.fc2.weight"), hidden, 3),
		g.floats("value.fc2.bias", data("value.fc2.bias"), 3)})
	g.node("Softmax", OutputValue, []string{h}, intAttribute("axis", 1))
	return g.proto
}

// fromTo appends the policy's from-to term of x and returns its name: the products of all pairs of squares, of
// which each policy index takes its own.
func fromTo(g graph, w *net.Weights, x string) string {
	channels, width := int64(w.Arch.FromTo), int64(w.Arch.Width)
	ends := func(name string, scale float32) string {
		weight := filters(w.Tensor(name+".weight").Data, 1, w.Arch.Width, w.Arch.FromTo)
		for i := range weight {
			weight[i] *= scale
		}
		y := g.node("Conv", name, []string{x, g.floats(name+".weight", weight, channels, width, 1, 1),
			g.floats(name+".bias", make([]float32, channels), channels)}, intsAttribute("kernel_shape", 1, 1))
		return g.node("Reshape", name+".squares", []string{y, g.ints(name+".shape", 0, channels, 64)})
	}
	q := g.node("Transpose", "policy.from.rows", []string{ends("policy.from", w.Arch.FromToScale())}, intsAttribute("perm", 0, 2, 1))
	pairs := g.node("MatMul", "policy.products", []string{q, ends("policy.to", 1)})
	pairs = g.node("Flatten", "policy.pairs", []string{pairs}, intAttribute("axis", 1))
	index := make([]int64, 64*w.Arch.PolicyPlanes)
	for i := range index {
		from, to := encode.IndexSquares(uint16(i))
		index[i] = int64(from)*64 + int64(to)
	}
	return g.node("Gather", "policy.from-to", []string{pairs, g.ints("policy.pair", index...)}, intAttribute("axis", 1))
}

func conv3x3() []*onnxpb.AttributeProto {
	return []*onnxpb.AttributeProto{intsAttribute("kernel_shape", 3, 3), intsAttribute("pads", 1, 1, 1, 1)}
}

// norm is a batch norm at inference: y*scale[c] + shift[c].
type norm struct{ scale, shift []float32 }

// foldNorm reads the batch norm that follows a layer.
func foldNorm(w *net.Weights, layer string) norm {
	data := func(part string) []float32 { return w.Tensor(layer + ".bn." + part).Data }
	scale, bias, mean, variance := data("scale"), data("bias"), data("mean"), data("var")
	n := norm{make([]float32, len(scale)), make([]float32, len(scale))}
	for c := range scale {
		f := float64(scale[c]) / math.Sqrt(float64(variance[c])+net.Epsilon)
		n.scale[c] = float32(f)
		n.shift[c] = float32(float64(bias[c]) - float64(f*float64(mean[c])))
	}
	return n
}

// apply returns weights [row][channel] with each channel scaled.
func (n norm) apply(weight []float32) []float32 {
	out := make([]float32, len(weight))
	for i, v := range weight {
		out[i] = v * n.scale[i%len(n.scale)]
	}
	return out
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
