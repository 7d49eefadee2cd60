package onnx

import (
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"synochess/env/encode"
	"synochess/net/onnx/onnxpb"
)

// Models that are no models of ours are errors that say why.
func TestInterpreterRefusals(t *testing.T) {
	good := marshal(t, trained(1, 4))
	for name, c := range map[string]struct {
		change func(m *onnxpb.ModelProto)
		want   string
	}{
		"opset":        {func(m *onnxpb.ModelProto) { m.OpsetImport[0].Version = proto.Int64(21) }, "version 21"},
		"no graph":     {func(m *onnxpb.ModelProto) { m.Graph = nil }, "no graph"},
		"operator":     {func(m *onnxpb.ModelProto) { m.Graph.Node[1].OpType = proto.String("LSTM") }, "LSTM"},
		"input":        {func(m *onnxpb.ModelProto) { m.Graph.Node[1].Input[0] = "nowhere" }, "nowhere"},
		"attribute":    {func(m *onnxpb.ModelProto) { m.Graph.Node[0].Attribute[0].Name = proto.String("group") }, "group"},
		"padding":      {func(m *onnxpb.ModelProto) { m.Graph.Node[0].Attribute[1].Ints[0] = 0 }, "pads"},
		"cut tensor":   {func(m *onnxpb.ModelProto) { m.Graph.Initializer[0].RawData = []byte{1} }, "stem.conv.weight"},
		"huge tensor":  {func(m *onnxpb.ModelProto) { m.Graph.Initializer[0].Dims[0] = math.MaxInt64 }, "out of range"},
		"other dims":   {func(m *onnxpb.ModelProto) { d := m.Graph.Initializer[0].Dims; d[0], d[1] = d[1], d[0] }, "stem.conv"},
		"no output":    {func(m *onnxpb.ModelProto) { m.Graph.Node = m.Graph.Node[:len(m.Graph.Node)-1] }, "value"},
		"third input":  {func(m *onnxpb.ModelProto) { m.Graph.Input[0].Name = proto.String("board") }, "board"},
		"perm":         {func(m *onnxpb.ModelProto) { named(m, "policy.from.rows").Attribute[0].Ints[0] = 1 }, "perm"},
		"axis":         {func(m *onnxpb.ModelProto) { named(m, "policy.from-to").Attribute[0].I = proto.Int64(0) }, "axis"},
		"pair":         {func(m *onnxpb.ModelProto) { pairs(m)[1] = 0x10 }, "4096 columns"}, // 16 * 256
		"products":     {func(m *onnxpb.ModelProto) { named(m, "policy.products").Input[0] = "policy.to.squares" }, "shapes"},
		"scalar input": {func(m *onnxpb.ModelProto) { m.Graph.Input[0].Type = nil }, "planes"},
	} {
		var m onnxpb.ModelProto
		if err := proto.Unmarshal(good, &m); err != nil {
			t.Fatal(err)
		}
		c.change(&m)
		model, err := proto.Marshal(&m)
		if err != nil {
			t.Fatal(err)
		}
		if err := runOnce(model); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", name, err, c.want)
		}
	}
	if err := runOnce(good); err != nil {
		t.Error(err)
	}
	if err := runOnce([]byte("hello, world")); err == nil {
		t.Error("text was taken for a model")
	}
}

// named returns a node of a model.
func named(m *onnxpb.ModelProto, name string) *onnxpb.NodeProto {
	for _, n := range m.Graph.Node {
		if n.GetName() == name {
			return n
		}
	}
	return nil
}

// pairs returns the bytes of the indices of pairs of squares.
func pairs(m *onnxpb.ModelProto) []byte {
	for _, t := range m.Graph.Initializer {
		if t.GetName() == "policy.pair" {
			return t.RawData
		}
	}
	return nil
}

// runOnce interprets a model on two empty boards.
func runOnce(model []byte) error {
	in, err := Interpret(model)
	if err != nil {
		return err
	}
	_, _, err = in.Run(2, make([]float32, 2*64*(encode.NumPlanes+encode.PlaneScalars)), make([]float32, 2*(encode.NumScalars-encode.PlaneScalars)))
	return err
}

func FuzzInterpret(f *testing.F) {
	f.Add(marshal(f, trained(1, 2)))
	f.Add(marshal(f, trained(0, 1)))
	f.Fuzz(func(t *testing.T, model []byte) {
		_ = runOnce(model) // an error or an answer, never a panic
	})
}
