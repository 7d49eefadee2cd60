package onnx

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"google.golang.org/protobuf/proto"

	"synochess/env/encode"
	"synochess/net"
	"synochess/net/onnx/onnxpb"
)

// headRoom is how far beyond the range seen in calibration an activation may go before it is cut.
const headRoom = 1.1

// MarshalInt8 returns the network as a statically quantised model in ONNX's QDQ form: convolutions and
// sums in 8 bits, weights by output channel, the small matrices of the heads in float32. Ranges of
// activations are those seen on the batch. Its outputs are approximate; it is what a user of ONNX Runtime
// would make for speed, and the benchmark's yardstick. Export never writes it.
func MarshalInt8(w *net.Weights, program string, b *encode.Batch) ([]byte, error) {
	data, err := Marshal(w, program)
	if err != nil {
		return nil, err
	}
	in, err := Interpret(data)
	if err != nil {
		return nil, err
	}
	planes, vector := Inputs(w.Arch, b, 0, b.Len())
	seen, err := in.values(b.Len(), planes, vector)
	if err != nil {
		return nil, err
	}
	var m onnxpb.ModelProto
	if err := proto.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	q := quantiser{graph: graph{m.Graph}, constants: in.constants, seen: seen, scales: map[string]float64{}, replaced: map[string]bool{}}
	nodes := m.Graph.Node
	m.Graph.Node = nil
	q.activation(InputPlanes)
	for i, node := range nodes {
		switch node.GetOpType() {
		case "Conv":
			q.conv(node)
		case "Add", "Flatten", "Reshape", "Transpose", "MatMul":
			for k, name := range node.Input {
				node.Input[k] = q.wide(name)
			}
		}
		m.Graph.Node = append(m.Graph.Node, node)
		// What a rectifier takes at once is never seen from outside, and the small matrices of the heads stay wide.
		last := i+1 == len(nodes) || nodes[i+1].GetOpType() != "Relu" || !slices.Contains(nodes[i+1].Input, node.Output[0])
		dense := node.GetOpType() == "Relu" && nodes[i-1].GetOpType() == "Gemm"
		switch node.GetOpType() {
		case "Conv", "Relu", "Reshape":
			if last && !dense {
				q.activation(node.Output[0])
			}
		}
	}
	m.Graph.Initializer = slices.DeleteFunc(m.Graph.Initializer, func(t *onnxpb.TensorProto) bool { return q.replaced[t.GetName()] })
	data, err = proto.MarshalOptions{Deterministic: true}.Marshal(&m)
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	return data, nil
}

// quantiser rewrites a graph.
type quantiser struct {
	graph
	constants, seen map[string]*tensor
	scales          map[string]float64 // of the activations that were quantised
	replaced        map[string]bool    // initialisers that are no longer used
}

// wide returns the name under which the quantised form of an activation is read.
func (q *quantiser) wide(name string) string {
	if _, ok := q.scales[name]; ok {
		return name + ".wide"
	}
	return name
}

// activation quantises a tensor to unsigned 8 bits and back.
func (q *quantiser) activation(name string) {
	low, high := 0.0, 0.0
	for _, v := range q.seen[name].floats {
		low, high = min(low, float64(v)), max(high, float64(v))
	}
	scale := max(high-low, 1e-6) * headRoom / 255
	zero := math.Round(-low * headRoom / scale)
	q.scales[name] = float64(float32(scale))
	parameters := []string{
		q.floats(name+".scale", []float32{float32(scale)}),
		q.initialiser(name+".zero", onnxpb.TensorProto_UINT8, []byte{uint8(zero)}, nil),
	}
	narrow := q.node("QuantizeLinear", name+".narrow", append([]string{name}, parameters...))
	q.node("DequantizeLinear", name+".wide", append([]string{narrow}, parameters...))
}

// conv quantises weights and bias of a convolution and makes it read its quantised input.
func (q *quantiser) conv(node *onnxpb.NodeProto) {
	x, weight, bias := node.Input[0], node.Input[1], node.Input[2]
	t, b := q.constants[weight], q.constants[bias]
	out := t.dims[0]
	per := len(t.floats) / out
	scales, biasScales := make([]float32, out), make([]float32, out)
	narrow, narrowBias := make([]byte, len(t.floats)), []byte(nil)
	for c := range out {
		top := 1e-9
		row := t.floats[c*per : (c+1)*per]
		for _, v := range row {
			top = max(top, math.Abs(float64(v)))
		}
		scales[c] = float32(top / 127)
		biasScales[c] = float32(float64(scales[c]) * q.scales[x])
		for i, v := range row {
			narrow[c*per+i] = byte(int8(math.Round(float64(v) / float64(scales[c]))))
		}
		wide := math.Round(float64(b.floats[c]) / float64(biasScales[c]))
		narrowBias = binary.LittleEndian.AppendUint32(narrowBias, uint32(int32(max(-1<<30, min(1<<30, wide)))))
	}
	var dims []int64
	for _, d := range t.dims {
		dims = append(dims, int64(d))
	}
	channels := []int64{int64(out)}
	byChannel := intAttribute("axis", 0)
	node.Input = []string{
		q.wide(x),
		q.node("DequantizeLinear", weight+".wide", []string{
			q.initialiser(weight+".narrow", onnxpb.TensorProto_INT8, narrow, dims),
			q.floats(weight+".scale", scales, channels...),
			q.initialiser(weight+".zero", onnxpb.TensorProto_INT8, make([]byte, out), channels),
		}, byChannel),
		q.node("DequantizeLinear", bias+".wide", []string{
			q.initialiser(bias+".narrow", onnxpb.TensorProto_INT32, narrowBias, channels),
			q.floats(bias+".scale", biasScales, channels...),
			q.initialiser(bias+".zero", onnxpb.TensorProto_INT32, make([]byte, 4*out), channels),
		}, byChannel),
	}
	q.replaced[weight], q.replaced[bias] = true, true
}
