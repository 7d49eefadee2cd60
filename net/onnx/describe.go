package onnx

import (
	"encoding/json"
	"fmt"
	"strconv"

	"synochess/env/encode"
	"synochess/net"
	"synochess/net/onnx/onnxpb"

	"google.golang.org/protobuf/proto"
)

// The names of the model's inputs and outputs.
const (
	InputPlanes  = "planes"
	InputVector  = "vector"
	OutputPolicy = "policy"
	OutputValue  = "value"
)

// PlaneNames names the planes of a network's first input, in order: the binary planes it reads, and two that are
// filled with one number.
func PlaneNames(a net.Arch) (names []string) {
	for _, p := range encode.Planes(a.EncodingVersion) {
		names = append(names, p.Name)
	}
	for _, s := range encode.Scalars(a.EncodingVersion)[:net.ScalarPlanes] {
		names = append(names, s.Name)
	}
	return names
}

// VectorEntry says what an entry of the second input is: a number divided by a scale.
type VectorEntry struct {
	Name  string `json:"name"`
	Scale int    `json:"scale"` // 1 for what is 0 or 1 itself
}

// VectorEntries describes a network's second input, in order: the scalars that are no planes.
func VectorEntries(a net.Arch) (entries []VectorEntry) {
	for _, s := range encode.Scalars(a.EncodingVersion)[net.ScalarPlanes:] {
		entries = append(entries, VectorEntry{s.Name, int(s.Scale)})
	}
	return entries
}

// policyMeaning is told in the metadata.
const policyMeaning = "logit of each policy index, illegal moves included: mask them before a softmax. index = plane*64 + from-square " +
	"(drops and castling: target), squares a1=0 b1=1 ... h8=63. planes 0-55: direction*7 + distance-1, directions N NE E SE S SW W NW; " +
	"56-63: knight steps NNE ENE ESE SSE SSW WSW WNW NNW; 64: a Soldier's drop; 65-79: promotions, 65 + 5*step + piece, step 0 towards " +
	"file a, 1 straight on, 2 towards file h, pieces Queen Rook Bishop Knight of Pawns and Chariot Horse Cannon Elephant Advisor of " +
	"Soldiers; 80: castling"

// metadata returns the model's key-value pairs, in a fixed order.
func metadata(w *net.Weights) ([]*onnxpb.StringStringEntryProto, error) {
	var list []*onnxpb.StringStringEntryProto
	var failed error
	add := func(key string, value any) {
		text, ok := value.(string)
		if !ok {
			data, err := json.Marshal(value)
			if err != nil {
				failed = fmt.Errorf("onnx: metadata %s: %w", key, err)
			}
			text = string(data)
		}
		list = append(list, &onnxpb.StringStringEntryProto{Key: proto.String("synochess." + key), Value: proto.String(text)})
	}
	add("encoding_version", strconv.Itoa(w.Arch.EncodingVersion))
	add("evaluation_id", w.EvalID())
	add("rules", append([]string{}, w.Record.Rules...))
	add("planes", PlaneNames(w.Arch))
	add("vector", VectorEntries(w.Arch))
	add("policy", policyMeaning)
	add("value", "probabilities that the side to move wins, draws, loses")
	return list, failed
}
