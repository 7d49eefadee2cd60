package onnx

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

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

// planeNames names the binary planes of a row.
var planeNames = []string{
	"Pawns", "Knights", "Bishops", "Rooks", "Queens", "King",
	"Chariots", "Horses", "Cannons", "Elephants", "Advisors", "Soldiers", "Chancellor",
	"West may castle kingside", "West may castle queenside", "East to move",
	"Soldier drop region", "Elephant region", "Advisor region",
	"own pieces that hang", "enemy pieces that hang", "own pieces that are pinned", "squares of checking moves", "pieces that can be taken",
}

// scalarNames names the planes that are filled with one number.
var scalarNames = []string{"plies without progress / no_progress_plies", "earlier occurrences (at most 2) / 2"}

// PlaneNames names the planes of a network's first input, in order: the binary planes it reads, and two that are
// filled with one number.
func PlaneNames(a net.Arch) []string {
	return append(slices.Clone(planeNames[:a.Planes]), scalarNames...)
}

// VectorEntry says what an entry of the second input is: a number divided by a scale.
type VectorEntry struct {
	Name  string `json:"name"`
	Scale int    `json:"scale"` // 1 for what is 0 or 1 itself
}

// VectorEntries describes a network's second input, in order.
func VectorEntries(a net.Arch) []VectorEntry { return vectorEntries[:a.VectorLen()] }

// vectorEntries describes the scalars of a row but those that are planes.
var vectorEntries = []VectorEntry{
	{"Soldiers in hand", 16},
	{"horse: leaper", 1}, {"cannon: janggi", 1}, {"elephant: leaper", 1}, {"advisor: king", 1},
	{"soldier_promotion: must", 1}, {"soldier_promotion: may", 1}, {"soldier_promotion: never", 1},
	{"soldier_promotes_to: Chariot", 1}, {"soldier_promotes_to: Horse", 1}, {"soldier_promotes_to: Cannon", 1},
	{"soldier_promotes_to: Elephant", 1}, {"soldier_promotes_to: Advisor", 1},
	{"pawn_promotes_to: Queen", 1}, {"pawn_promotes_to: Rook", 1}, {"pawn_promotes_to: Bishop", 1}, {"pawn_promotes_to: Knight", 1},
	{"faceoff: loses", 1}, {"faceoff: illegal", 1}, {"faceoff: none", 1}, {"faceoff_lines: file-or-rank", 1},
	{"campmate", 1}, {"stalemate: loss", 1}, {"perpetual check: loss", 1}, {"a Soldier's step resets the ply count", 1},
	{"no_progress_plies", 1000},
	{"Pawns on the board", 8}, {"Knights on the board", 4}, {"Bishops on the board", 4}, {"Rooks on the board", 4}, {"Queens on the board", 4},
	{"Chariots on the board", 4}, {"Horses on the board", 4}, {"Cannons on the board", 4}, {"Elephants on the board", 4},
	{"Advisors on the board", 4}, {"Soldiers on the board", 8}, {"in check", 1},
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
