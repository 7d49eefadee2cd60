package onnx

import (
	"fmt"

	"google.golang.org/protobuf/proto"

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
	b := builder{graph{&onnxpb.GraphProto{
		Name: proto.String("synochess"),
		Input: []*onnxpb.ValueInfoProto{
			valueInfo(InputPlanes, "boards, [plane][rank][file]", int64(a.InputPlanes()), 8, 8),
			valueInfo(InputVector, "hand, rules, material, check", int64(a.VectorLen())),
		},
		Output: []*onnxpb.ValueInfoProto{
			valueInfo(OutputPolicy, "logits by policy index", int64(64*a.PolicyPlanes)),
			valueInfo(OutputValue, "win, draw, loss of the side to move", 3),
		},
	}}, w}
	x := b.tower(a.Tower())
	b.policy(a.Policy(), x)
	b.head(OutputValue, a.Value(), x)
	return b.proto
}
