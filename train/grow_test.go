package train

import (
	"strings"
	"testing"

	"synochess/net"
	"synochess/net/kernels"
)

// All that is new in a grown network learns: after a few steps every new channel, unit and block gives otherwise than it
// did, and is heard. Nothing decays here, so that weights move by their gradients alone.
func TestAGrownNetworkLearnsInItsNewParts(t *testing.T) {
	small := net.Arch{Blocks: 1, Width: 8, ValueChannels: 2, ValueHidden: 8, EncodingVersion: 1}
	large := net.Arch{Blocks: 2, Width: 16, ValueChannels: 4, ValueHidden: 16, FromTo: 4, EncodingVersion: 2}.Complete()
	c := testConfig()
	c.WeightDecay, c.WarmupSteps, c.Batch = 0, 0, 64
	samples := knownSamples(t, 1, 400)
	first, err := New(c, net.New(small, 1), kernels.Best(), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	steps(t, first, samples, 10)
	w, err := first.Averaged(samples)
	if err != nil {
		t.Fatal(err)
	}
	grown, err := net.Grow(w, large, 2)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := New(c, grown, kernels.Best(), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	steps(t, tr, samples, 4)
	after, err := tr.Weights()
	if err != nil {
		t.Fatal(err)
	}
	for i, now := range after.Tensors {
		outs := now.Shape[len(now.Shape)-1]
		ins := len(now.Data) / outs
		moved, heard := make([]bool, outs), make([]bool, ins)
		for j := range now.Data {
			if now.Data[j] != grown.Tensors[i].Data[j] {
				heard[j/outs], moved[j%outs] = true, true
			}
		}
		// Some moves and inputs are in no sample, and some of the hidden units of any network are dead from the start.
		unmoved, unheard := 0, 0
		switch name := now.Name; {
		case strings.HasPrefix(name, "value.fc1."):
			unmoved, unheard = large.ValueHidden/4, ins/4
		case name == "value.fc2.weight":
			unheard = large.ValueHidden / 4
		case name == "policy.weight" || name == "policy.bias":
			unmoved = outs / 4
		case strings.HasPrefix(name, "stem."):
			unheard = ins / 2
		}
		if n := idle(moved); n > unmoved {
			t.Errorf("%s: nothing has moved that makes %d of %d channels: %v", now.Name, n, outs, moved)
		}
		if n := idle(heard); n > unheard {
			t.Errorf("%s: nothing has moved that reads %d of %d inputs: %v", now.Name, n, ins, heard)
		}
	}
}

// idle counts what has not been busy.
func idle(busy []bool) (n int) {
	for _, b := range busy {
		if !b {
			n++
		}
	}
	return n
}
