package fast

import (
	"testing"

	"synochess/net"
	"synochess/net/kernels"
)

// A grown network is calibrated anew, and plays in 16-bit integers what the smaller one plays in float32: its new
// channels, which nothing hears yet, are not so loud that the old ones lose precision.
func TestAGrownNetworkIsCalibratedAnew(t *testing.T) {
	positions := gamePositions(t, 1, 256)
	w := calibrated(t, 2, 32, 4, positions)
	arch := w.Arch
	arch.Blocks, arch.Width = 4, 48
	g, err := net.Grow(w, arch, 9)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewQuantised(kernels.Best(), g); err == nil {
		t.Error("it has a quantisation that nobody measured")
	}
	if err := Calibrate(kernels.Best(), g, positions); err != nil {
		t.Fatal(err)
	}
	if q := g.Quantisation(); q == nil || q.Check(arch) != nil || q.Positions != 256 {
		t.Fatalf("the quantisation is %+v", q)
	}
	unseen := gamePositions(t, 2, 256)
	before, err := Compare(mustNew(t, kernels.Best(), w), mustQuantise(t, kernels.Best(), w), unseen)
	if err != nil {
		t.Fatal(err)
	}
	after, err := Compare(mustNew(t, kernels.Best(), w), mustQuantise(t, kernels.Best(), g), unseen)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("in int16 %v, grown %v", before, after)
	if err := after.Check(); err != nil || after.KL > 4*before.KL+1e-6 {
		t.Errorf("in int16 %v, grown %v, %v", before, after, err)
	}
}
