package net

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"synochess/env/encode"
)

func TestNewIsDeterministicAndSane(t *testing.T) {
	arch := Arch{Blocks: 2, Width: 32, ValueChannels: 8, ValueHidden: 32}
	a, b := New(arch, 5), New(arch, 5)
	if err := a.Check(); err != nil {
		t.Fatal(err)
	}
	if a.EvalID() != b.EvalID() {
		t.Error("the same seed gives other weights")
	}
	if a.EvalID() == New(arch, 6).EvalID() {
		t.Error("another seed gives the same weights")
	}
	for _, c := range []struct {
		name string
		std  float64 // He: sqrt(2 / inputs)
	}{
		{"stem.conv.weight", math.Sqrt(2. / 234)},
		{"block1.conv2.weight", math.Sqrt(2. / 288)},
		{"policy.weight", 0.02 * math.Sqrt(2./32)},
	} {
		sum := 0.0
		data := a.Tensor(c.name).Data
		for _, v := range data {
			sum += float64(v) * float64(v)
		}
		if got := math.Sqrt(sum / float64(len(data))); math.Abs(got/c.std-1) > 0.05 {
			t.Errorf("%s: standard deviation %v, want %v", c.name, got, c.std)
		}
	}
	if a.Tensor("stem.bn.var").Data[0] != 1 || a.Tensor("stem.bn.mean").Data[0] != 0 || a.Tensor("policy.bias").Data[9] != 0 {
		t.Error("batch norm or bias do not start neutral")
	}
	if a.Tensor("nothing") != nil {
		t.Error("a tensor that does not exist was found")
	}
}

// The id of one known network of each encoding version: a change here makes every stored evaluation id stale.
func TestEvalIDIsStable(t *testing.T) {
	for version, want := range map[int]string{1: "a1fe41ce1d5f8584", 2: "1f4ec790f982f933"} {
		arch := Arch{Blocks: 1, Width: 2, ValueChannels: 1, ValueHidden: 2, EncodingVersion: version}
		if got := New(arch, 7).EvalID(); got != want {
			t.Errorf("encoding version %d: evaluation id %s, want %s", version, got, want)
		}
	}
}

// An architecture that names no encoding version gets the default; one that there is not is refused.
func TestEncodingIsChosen(t *testing.T) {
	for version := 0; version <= encode.Version; version++ {
		a := Arch{Width: 2, ValueChannels: 1, ValueHidden: 2, EncodingVersion: version}
		if err := a.CheckChoice(); err != nil {
			t.Error(err)
		}
		want := version
		if version == 0 {
			want = 2
		}
		planes, scalars, _ := encode.Inputs(want)
		if a = a.Complete(); a.EncodingVersion != want || a.Planes != planes || a.Scalars != scalars {
			t.Errorf("encoding %d is completed to %+v", version, a)
		}
	}
	for _, version := range []int{-1, encode.Version + 1} {
		a := Arch{Width: 2, ValueChannels: 1, ValueHidden: 2, EncodingVersion: version}
		if err := a.CheckChoice(); err == nil || !strings.Contains(err.Error(), fmt.Sprint("use 0 to ", encode.Version)) {
			t.Errorf("encoding %d: error %v", version, err)
		}
	}
}

func TestParameters(t *testing.T) {
	w := New(Arch{Blocks: 0, Width: 1, ValueChannels: 1, ValueHidden: 1}, 1)
	in, v, p := w.Arch.InputPlanes(), w.Arch.VectorLen(), w.Arch.PolicyPlanes
	want := 9*in + v + 4 + 2*p + 2 + 64 + 1 + 3 + 3
	if got := w.Parameters(); got != want {
		t.Errorf("%d parameters, want %d", got, want)
	}
}
