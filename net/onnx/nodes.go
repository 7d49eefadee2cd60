package onnx

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/proto"

	"synochess/net/onnx/onnxpb"
)

// graph collects nodes and initialisers.
type graph struct{ proto *onnxpb.GraphProto }

// node appends an operator that makes one tensor, named like the node, and returns that name.
func (g graph) node(op, name string, inputs []string, attributes ...*onnxpb.AttributeProto) string {
	g.proto.Node = append(g.proto.Node, &onnxpb.NodeProto{
		OpType: proto.String(op), Name: proto.String(name), Input: inputs, Output: []string{name}, Attribute: attributes,
	})
	return name
}

// floats appends an initialiser and returns its name.
func (g graph) floats(name string, data []float32, dims ...int64) string {
	raw := make([]byte, 0, 4*len(data))
	for _, v := range data {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return g.initialiser(name, onnxpb.TensorProto_FLOAT, raw, dims)
}

// ints appends an initialiser of integers, a shape or indices, and returns its name.
func (g graph) ints(name string, values ...int64) string {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	return g.initialiser(name, onnxpb.TensorProto_INT64, raw, []int64{int64(len(values))})
}

func (g graph) initialiser(name string, kind onnxpb.TensorProto_DataType, raw []byte, dims []int64) string {
	g.proto.Initializer = append(g.proto.Initializer, &onnxpb.TensorProto{
		Name: proto.String(name), DataType: proto.Int32(int32(kind)), Dims: dims, RawData: raw,
	})
	return name
}

func intAttribute(name string, value int64) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: proto.String(name), Type: onnxpb.AttributeProto_INT.Enum(), I: proto.Int64(value)}
}

func intsAttribute(name string, values ...int64) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: proto.String(name), Type: onnxpb.AttributeProto_INTS.Enum(), Ints: values}
}

// batchDim is the name of the free dimension.
const batchDim = "N"

// valueInfo declares a float32 tensor whose first dimension is free.
func valueInfo(name, doc string, dims ...int64) *onnxpb.ValueInfoProto {
	shape := &onnxpb.TensorShapeProto{Dim: []*onnxpb.TensorShapeProto_Dimension{
		{Value: &onnxpb.TensorShapeProto_Dimension_DimParam{DimParam: batchDim}},
	}}
	for _, d := range dims {
		shape.Dim = append(shape.Dim, &onnxpb.TensorShapeProto_Dimension{
			Value: &onnxpb.TensorShapeProto_Dimension_DimValue{DimValue: d},
		})
	}
	return &onnxpb.ValueInfoProto{Name: proto.String(name), DocString: proto.String(doc), Type: &onnxpb.TypeProto{
		Value: &onnxpb.TypeProto_TensorType{TensorType: &onnxpb.TypeProto_Tensor{
			ElemType: proto.Int32(int32(onnxpb.TensorProto_FLOAT)), Shape: shape,
		}},
	}}
}
