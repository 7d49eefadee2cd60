package net

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"synochess/env/encode"
)

// withTerm is a network whose policy has a from-to term.
func withTerm() *Weights {
	return New(Arch{Blocks: 1, Width: 3, ValueChannels: 1, ValueHidden: 2, FromTo: 5}, 7)
}

func TestFromToTensors(t *testing.T) {
	with, without := withTerm(), New(Arch{Blocks: 1, Width: 3, ValueChannels: 1, ValueHidden: 2}, 7)
	if err := with.Check(); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tensor := range with.Tensors {
		if without.Tensor(tensor.Name) == nil {
			names = append(names, tensor.Name)
			if !reflect.DeepEqual(tensor.Shape, []int{3, 5}) {
				t.Errorf("%s has shape %v", tensor.Name, tensor.Shape)
			}
		}
	}
	if want := []string{"policy.from.weight", "policy.to.weight"}; !reflect.DeepEqual(names, want) || len(with.Tensors) != len(without.Tensors)+2 {
		t.Errorf("the term adds %v", names)
	}
	if with.EvalID() == without.EvalID() {
		t.Error("the term does not enter the evaluation id")
	}
}

// One layer of the term starts at zero, so that an untrained network has no opinion, and one does not, so that
// the first one learns.
func TestFromToStart(t *testing.T) {
	w := New(Arch{Blocks: 0, Width: 64, ValueChannels: 1, ValueHidden: 1, FromTo: 32}, 3)
	for name, want := range map[string]float64{"policy.from.weight": math.Sqrt(2. / 64), "policy.to.weight": 0} {
		sum := 0.
		for _, v := range w.Tensor(name).Data {
			sum += float64(v) * float64(v)
		}
		if got := math.Sqrt(sum / 64 / 32); math.Abs(got-want) > 0.05*want {
			t.Errorf("%s: standard deviation %v, want %v", name, got, want)
		}
	}
	if got := w.Arch.FromToScale() * w.Arch.FromToScale() * 32; math.Abs(float64(got)-1) > 1e-6 {
		t.Errorf("the square of the scale times the channels is %v", got)
	}
}

func TestFromToRange(t *testing.T) {
	for _, c := range []struct {
		channels, planes int
		want             string
	}{{-1, 81, "from_to is -1"}, {257, 81, "from_to is 257"}, {256, 81, ""}, {1, encode.PolicyPlanes + 1, "policy_planes is 82"}, {0, 82, ""}} {
		a := withTerm().Arch
		a.FromTo, a.PolicyPlanes = c.channels, c.planes
		if err := a.Check(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d channels, %d planes: error %v", c.channels, c.planes, err)
		}
	}
}

// The term is told in a section of its own, marked as required: a program that does not know it says so. A
// network without it is the file it always was.
func TestFromToInFile(t *testing.T) {
	w := withTerm()
	got, err := Read(bytes.NewReader(encoded(t, w)))
	if err != nil {
		t.Fatal(err)
	}
	if got.Arch != w.Arch || got.EvalID() != w.EvalID() {
		t.Errorf("read %+v, wrote %+v", got.Arch, w.Arch)
	}
	list, err := decodeFile(bytes.NewReader(encoded(t, w)))
	if err != nil {
		t.Fatal(err)
	}
	at := -1
	for i, s := range list {
		if s.name == sectionPolicy {
			at = i
		}
		if s.name == sectionArch && strings.Contains(string(s.payload), "from_to") {
			t.Error("section architecture tells of the term")
		}
	}
	if at < 0 || list[at].flags&flagRequired == 0 {
		t.Fatalf("section %q is missing or not required", sectionPolicy)
	}
	for payload, want := range map[string]string{
		`{"from_to":4}`:          "policy.from.weight",
		`{"from_to":0}`:          "value.conv.weight",
		`{"from_to":-4}`:         "from_to is -4",
		`{"from_to":5,"more":1}`: "more",
	} {
		list[at].payload = []byte(payload)
		if _, err := Read(bytes.NewReader(encodeFile(1, list))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v does not say %q", payload, err, want)
		}
	}
	for _, s := range sections(t) {
		if s.name == sectionPolicy {
			t.Error("a network without the term has a section about it")
		}
	}
	// Checkpoints keep an architecture as JSON.
	var back Arch
	text, err := json.Marshal(w.Arch)
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err != nil || back.FromTo != 5 {
		t.Errorf("%s gives back %+v, error %v", text, back, err)
	}
}
