package onnx

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"synochess/env"
	"synochess/env/encode"
	"synochess/net"
)

// trained returns weights in which everything differs from its initial value, as training would leave
// them, with logits of some size.
func trained(blocks, width int) *net.Weights { return trainedOf(encode.Version, blocks, width, 6) }

// trainedOf is trained for an encoding version, with a choice of the from-to term's channels.
func trainedOf(encoding, blocks, width, fromTo int) *net.Weights {
	w := net.New(net.Arch{Blocks: blocks, Width: width, ValueChannels: 5, ValueHidden: 18, FromTo: fromTo, EncodingVersion: encoding}, 3)
	r := rand.New(rand.NewPCG(4, 3))
	for _, t := range w.Tensors {
		for i := range t.Data {
			switch {
			case t.Name == "policy.weight" || t.Name == "value.fc2.weight":
				t.Data[i] *= 50
			case t.Name == "policy.to.weight":
				t.Data[i] = float32(0.2 * (r.Float64() - 0.5))
			case len(t.Shape) == 1:
				t.Data[i] += float32(0.5 * (r.Float64() - 0.5))
			}
		}
	}
	return w
}

func marshal(t testing.TB, w *net.Weights) []byte {
	t.Helper()
	model, err := Marshal(w, "test")
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// The exported model is the network: every logit of real positions agrees, for shapes of all kinds.
func TestModelAgreesWithFast(t *testing.T) {
	for _, shape := range [][4]int{{2, 0, 3, 2}, {2, 1, 16, 0}, {2, 1, 16, 16}, {2, 3, 24, 5}, {1, 1, 8, 6}, {1, 1, 16, 0}} {
		w := trainedOf(shape[0], shape[1], shape[2], shape[3])
		b, err := Positions(w, 30)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Interpret(marshal(t, w))
		if err != nil {
			t.Fatal(err)
		}
		a, err := Check(w, b, r)
		if err != nil {
			t.Fatal(err)
		}
		if a.Positions != 30 || a.Logits != 30*5184 || a.Logit == 0 {
			t.Errorf("%v: %s", shape, a)
		}
	}
}

// A model whose weights were touched anywhere is refused: no tensor is idle in the comparison.
func TestCheckSeesEveryTensor(t *testing.T) {
	w := trained(1, 6)
	b, err := Positions(w, 20)
	if err != nil {
		t.Fatal(err)
	}
	for _, tensor := range w.Tensors {
		other := w.Clone()
		for i := range other.Tensor(tensor.Name).Data {
			other.Tensor(tensor.Name).Data[i] *= 1.05
		}
		r, err := Interpret(marshal(t, other))
		if err != nil {
			t.Fatal(err)
		}
		if a, err := Check(w, b, r); err == nil {
			t.Errorf("%s changed by 5%% and still: %s", tensor.Name, a)
		}
	}
}

// liar is a runtime whose answers are off by an amount.
type liar struct {
	Runner
	by     float32
	closed *bool
}

func (l liar) Name() string { return "liar" }
func (l liar) Close() error { *l.closed = true; return nil }

func (l liar) Run(rows int, planes, vector []float32) ([]float32, []float32, error) {
	policy, value, err := l.Runner.Run(rows, planes, vector)
	policy[len(policy)-1] += l.by
	return policy, value, err
}

func TestExportWritesNothingThatIsOff(t *testing.T) {
	w := trained(1, 8)
	for _, c := range []struct {
		name string
		by   float32
		want string
	}{{"exact", 0, ""}, {"off", 0.01, "does not agree"}, {"NaN", float32(math.NaN()), "does not agree"}} {
		path := filepath.Join(t.TempDir(), "out.onnx")
		closed := false
		found, err := Export(path, w, "test", func(model []byte) (Runner, error) {
			in, err := Interpret(model)
			return liar{in, c.by, &closed}, err
		})
		_, missing := os.Stat(path)
		if c.want == "" && (err != nil || missing != nil || len(found) != 2) {
			t.Errorf("%s: %v, file: %v, %v", c.name, err, missing, found)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(missing, os.ErrNotExist)) {
			t.Errorf("%s: error %v, file: %v", c.name, err, missing)
		}
		if !closed {
			t.Errorf("%s: the runtime was not closed", c.name)
		}
	}
}

func TestExportedFileIsDeterministicAndDescribed(t *testing.T) {
	w := trained(1, 8)
	pychess, err := env.Builtin("pychess")
	if err != nil {
		t.Fatal(err)
	}
	w.Record.Rules = []string{pychess.Canonical()}
	model := marshal(t, w)
	if !bytes.Equal(model, marshal(t, w.Clone())) {
		t.Error("two exports differ")
	}
	in, err := Interpret(model)
	if err != nil {
		t.Fatal(err)
	}
	var rules, planes []string
	var vector []VectorEntry
	for key, into := range map[string]any{"rules": &rules, "planes": &planes, "vector": &vector} {
		if err := json.Unmarshal([]byte(in.Metadata("synochess."+key)), into); err != nil {
			t.Errorf("metadata %s: %v", key, err)
		}
	}
	if len(rules) != 1 || rules[0] != pychess.Canonical() || len(planes) != w.Arch.InputPlanes() || len(vector) != w.Arch.VectorLen() {
		t.Errorf("metadata: %q, %q, %v", rules, planes, vector)
	}
	if in.Metadata("synochess.evaluation_id") != w.EvalID() || in.Metadata("synochess.encoding_version") != strconv.Itoa(encode.Version) {
		t.Error("metadata names another network or encoding")
	}
	if in, err = Interpret(marshal(t, trainedOf(1, 1, 8, 6))); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(in.Metadata("synochess.planes")), &planes); err != nil {
		t.Fatal(err)
	}
	if len(planes) != 21 || planes[18] != "Advisor region" || !strings.HasPrefix(planes[19], "plies without progress") || in.Metadata("synochess.encoding_version") != "1" {
		t.Errorf("version 1 is described as version %s with planes %q", in.Metadata("synochess.encoding_version"), planes)
	}
}

// The names of the inputs are right where a position can show it.
func TestInputsAreAsDescribed(t *testing.T) {
	w := trained(0, 3)
	b, err := Positions(w, 40)
	if err != nil {
		t.Fatal(err)
	}
	planes, vector := Inputs(w.Arch, b, 0, b.Len())
	at := func(name string) int {
		for i, n := range PlaneNames(w.Arch) {
			if n == name {
				return i
			}
		}
		t.Fatalf("no plane %q", name)
		return 0
	}
	// The first positions are the start of the first rule set's game.
	if planes[at("King")*64+4] != 1 || planes[at("Chancellor")*64+60] != 1 || planes[at("East to move")*64] != 0 {
		t.Error("the start position's King is not on e1, or its Chancellor not on e8, or the East is to move")
	}
	for row := range b.Len() {
		if got, want := planes[(row*w.Arch.InputPlanes()+at("pieces that can be taken"))*64:][:64], b.Planes[row*b.NumPlanes+23]; maskOf(got) != want {
			t.Fatalf("row %d: taken can be %x, want %x", row, maskOf(got), want)
		}
		for i, e := range VectorEntries(w.Arch) {
			if v, want := vector[row*w.Arch.VectorLen()+i]*float32(e.Scale), float32(b.Scalars[row*b.NumScalars+2+i]); math.Abs(float64(v-want)) > 1e-4 {
				t.Fatalf("row %d: %s is %v with scale %d, want %v", row, e.Name, v, e.Scale, want)
			}
		}
	}
}

// maskOf packs a plane of noughts and ones.
func maskOf(plane []float32) (mask uint64) {
	for square, v := range plane {
		mask |= uint64(v) << square
	}
	return mask
}

func TestRefusesOtherEncodings(t *testing.T) {
	w := trained(0, 3)
	w.Arch.EncodingVersion++
	if _, err := Marshal(w, "test"); err == nil || !strings.Contains(err.Error(), "encoding") {
		t.Errorf("error %v", err)
	}
}
