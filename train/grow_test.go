package train

import (
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
	samples := captureSamples(t, 1, 400)
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
		was := grown.Tensors[i]
		if len(now.Shape) == 1 {
			for c := range now.Data {
				if now.Data[c] == was.Data[c] {
					t.Errorf("%s: channel %d is still %v", now.Name, c, now.Data[c])
				}
			}
			continue
		}
		ins, outs := now.Shape[0], now.Shape[1]
		moved := make([]bool, outs)
		heard := make([]bool, ins)
		for j := range now.Data {
			if now.Data[j] != was.Data[j] {
				heard[j/outs], moved[j%outs] = true, true
			}
		}
		for c, yes := range moved {
			if !yes {
				t.Errorf("%s: no weight into channel %d has moved", now.Name, c)
			}
		}
		// Inputs of the stem may be zero in all samples; what lies above is to be heard.
		for in, yes := range heard {
			if !yes && now.Name != "stem.conv.weight" && now.Name != "stem.vector.weight" {
				t.Errorf("%s: no weight from input %d has moved", now.Name, in)
			}
		}
	}
}
