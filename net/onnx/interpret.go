package onnx

import (
	"encoding/binary"
	"fmt"
	"math"

	"google.golang.org/protobuf/proto"

	"synochess/net/onnx/onnxpb"
)

// maxElements bounds a tensor of the interpreter, so that a damaged file cannot take all memory.
const maxElements = 1 << 28

// tensor is a value in the interpreter: floats, or integers where a shape is meant.
type tensor struct {
	dims   []int
	floats []float32
	ints   []int64
}

// size returns the number of elements of a shape, or an error if it is no sensible one.
func size(dims []int) (int, error) {
	n := 1
	for _, d := range dims {
		if d < 0 || d > maxElements || n*d > maxElements {
			return 0, fmt.Errorf("shape %v is out of range", dims)
		}
		n *= d
	}
	return n, nil
}

// Interpreter runs a serialised model in plain Go, in float64 sums. It knows the operators that Marshal
// writes and refuses all others. It is a Runner, meant for checking, not for speed.
type Interpreter struct {
	graph     *onnxpb.GraphProto
	constants map[string]*tensor
	metadata  map[string]string
}

// Interpret reads a serialised model. Files that are damaged, need another operator set or hold tensors
// of unknown kinds are errors.
func Interpret(model []byte) (*Interpreter, error) {
	var m onnxpb.ModelProto
	if err := proto.Unmarshal(model, &m); err != nil {
		return nil, fmt.Errorf("onnx: not a model: %w", err)
	}
	if m.Graph == nil || len(m.Graph.Node) == 0 {
		return nil, fmt.Errorf("onnx: the model holds no graph")
	}
	for _, set := range m.OpsetImport {
		if set.GetDomain() != "" || set.GetVersion() != opsetVersion {
			return nil, fmt.Errorf("onnx: the model needs operators %q version %d, the interpreter knows version %d of the standard ones",
				set.GetDomain(), set.GetVersion(), opsetVersion)
		}
	}
	in := &Interpreter{graph: m.Graph, constants: map[string]*tensor{}, metadata: map[string]string{}}
	for _, init := range m.Graph.Initializer {
		t, err := constant(init)
		if err != nil {
			return nil, fmt.Errorf("onnx: initialiser %q: %w", init.GetName(), err)
		}
		in.constants[init.GetName()] = t
	}
	for _, kv := range m.MetadataProps {
		in.metadata[kv.GetKey()] = kv.GetValue()
	}
	return in, nil
}

// constant decodes an initialiser.
func constant(init *onnxpb.TensorProto) (*tensor, error) {
	t := &tensor{}
	for _, d := range init.Dims {
		t.dims = append(t.dims, int(d))
	}
	n, err := size(t.dims)
	if err != nil {
		return nil, err
	}
	raw := init.RawData
	switch kind := onnxpb.TensorProto_DataType(init.GetDataType()); {
	case kind == onnxpb.TensorProto_FLOAT && len(raw) == 4*n:
		t.floats = make([]float32, n)
		for i := range t.floats {
			t.floats[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		}
	case kind == onnxpb.TensorProto_INT64 && len(raw) == 8*n:
		t.ints = make([]int64, n)
		for i := range t.ints {
			t.ints[i] = int64(binary.LittleEndian.Uint64(raw[8*i:]))
		}
	default:
		return nil, fmt.Errorf("%v with shape %v and %d bytes; only whole float32 and int64 data is read", kind, t.dims, len(raw))
	}
	return t, nil
}

// Name returns "interpreter".
func (in *Interpreter) Name() string { return "interpreter" }

// Close does nothing.
func (in *Interpreter) Close() error { return nil }

// Metadata returns the model's value of a metadata key, "" if there is none.
func (in *Interpreter) Metadata(key string) string { return in.metadata[key] }

// Run is part of Runner.
func (in *Interpreter) Run(rows int, planes, vector []float32) (policy, value []float32, err error) {
	values, err := in.values(rows, planes, vector)
	if err != nil {
		return nil, nil, err
	}
	for name, out := range map[string]*[]float32{OutputPolicy: &policy, OutputValue: &value} {
		if t := values[name]; t == nil || len(t.dims) != 2 || t.dims[0] != rows {
			return nil, nil, fmt.Errorf("onnx: the model gives no output %q with a row for each position", name)
		}
		*out = values[name].floats
	}
	return policy, value, nil
}

// values runs the model and returns all tensors that its nodes made, by name.
func (in *Interpreter) values(rows int, planes, vector []float32) (map[string]*tensor, error) {
	values := map[string]*tensor{}
	given := map[string][]float32{InputPlanes: planes, InputVector: vector}
	for _, input := range in.graph.Input {
		data, ok := given[input.GetName()]
		if !ok {
			return nil, fmt.Errorf("onnx: the model asks for an input %q", input.GetName())
		}
		t := &tensor{dims: []int{rows}, floats: data}
		for i, d := range input.GetType().GetTensorType().GetShape().GetDim() {
			if i > 0 {
				t.dims = append(t.dims, int(d.GetDimValue()))
			}
		}
		if n, err := size(t.dims); err != nil || n != len(data) {
			return nil, fmt.Errorf("onnx: input %q has %d values, the model asks for %v", input.GetName(), len(data), t.dims)
		}
		values[input.GetName()] = t
	}
	for _, node := range in.graph.Node {
		if err := in.step(node, values); err != nil {
			return nil, fmt.Errorf("onnx: node %q (%s): %w", node.GetName(), node.GetOpType(), err)
		}
	}
	return values, nil
}

// step runs one node.
func (in *Interpreter) step(node *onnxpb.NodeProto, values map[string]*tensor) error {
	op, ok := operators[node.GetOpType()]
	if !ok {
		return fmt.Errorf("the interpreter does not know this operator")
	}
	if len(node.Input) < op.min || len(node.Input) > op.max || len(node.Output) != 1 {
		return fmt.Errorf("%d inputs and %d outputs", len(node.Input), len(node.Output))
	}
	var args []*tensor
	for _, name := range node.Input {
		t := values[name]
		if t == nil {
			t = in.constants[name]
		}
		if t == nil {
			return fmt.Errorf("input %q is not known yet", name)
		}
		args = append(args, t)
	}
	attributes := attributes{}
	for _, a := range node.Attribute {
		switch a.GetType() {
		case onnxpb.AttributeProto_INT:
			attributes[a.GetName()] = []int64{a.GetI()}
		case onnxpb.AttributeProto_INTS:
			attributes[a.GetName()] = a.Ints
		default:
			return fmt.Errorf("attribute %q is %v", a.GetName(), a.GetType())
		}
	}
	out, err := op.run(args, attributes)
	if err != nil {
		return err
	}
	for name := range attributes {
		return fmt.Errorf("attribute %q is not known", name)
	}
	values[node.Output[0]] = out
	return nil
}

// attributes are a node's integers. Operators take what they know; what is left is an error.
type attributes map[string][]int64

// take removes an attribute and returns it, or the default if it is not there.
func (a attributes) take(name string, missing ...int64) []int64 {
	v, ok := a[name]
	delete(a, name)
	if !ok {
		return missing
	}
	return v
}
