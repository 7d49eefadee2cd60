package training

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"synochess/net/kernels"
)

func TestMaskedCEByHand(t *testing.T) {
	// Two rows of three. Row 0: the second entry is masked, the others equal: p = 1/2 each, target
	// (3/4, -, 1/4), loss ln 2. Row 1 has weight 1/2: p = (1/4, 1/4, 1/2), target the last, loss ln 2.
	l := NewMaskedCE(NewPool(kernels.Portable, 1), 2, 3)
	ln2 := float32(math.Log(2))
	loss, err := l.Forward([]float32{5, 99, 5, 0, 0, ln2}, []float32{0.75, -1, 0.25, 0, 0, 1}, []float32{1, 0.5})
	if err != nil {
		t.Fatal(err)
	}
	if want := (math.Log(2) + 0.5*math.Log(2)) / 2; math.Abs(float64(loss)-want) > 1e-6 {
		t.Errorf("loss %g, want %g", loss, want)
	}
	checkClose(t, "Grad", l.Grad, f64{-0.125, 0, 0.125, 0.0625, 0.0625, -0.125}, 1e-6)
	checkClose(t, "Loss", l.Loss, f64{math.Log(2), math.Log(2)}, 1e-6)
	checkClose(t, "Entropy", l.Entropy, f64{math.Log(2), 1.5 * math.Log(2)}, 1e-6)
	if !l.Hit[0] || !l.Hit[1] {
		t.Errorf("hits %v, want both", l.Hit)
	}
}

// Logits as far apart as float32 goes: the loss is large or 0, the gradient that of certainty.
func TestMaskedCEOfExtremeLogits(t *testing.T) {
	l := NewMaskedCE(NewPool(kernels.Portable, 1), 1, 3)
	for _, c := range []struct {
		targets, grad []float32
		loss          float64
	}{
		{[]float32{1, 0, -1}, []float32{0, 0, 0}, 0},
		{[]float32{0, 1, -1}, []float32{1, -1, 0}, math.MaxFloat32},
	} {
		loss, err := l.Forward([]float32{math.MaxFloat32, -math.MaxFloat32, 0}, c.targets, []float32{1})
		if err != nil || float64(loss) != c.loss || !slices.Equal(l.Grad, c.grad) || l.Entropy[0] != 0 || !l.Hit[0] != (c.loss > 0) {
			t.Errorf("targets %v: loss %v, gradient %v, entropy %v, error %v", c.targets, loss, l.Grad, l.Entropy[0], err)
		}
	}
}

func TestMaskedCENoLegalMove(t *testing.T) {
	l := NewMaskedCE(NewPool(kernels.Portable, 1), 2, 2)
	logits, targets := []float32{1, 2, 3, 4}, []float32{0.5, 0.5, -1, -1}
	if _, err := l.Forward(logits, targets, []float32{1, 1}); err == nil {
		t.Error("a weighted row without legal moves was accepted")
	}
	loss, err := l.Forward(logits, targets, []float32{1, 0})
	if err != nil || math.IsNaN(float64(loss)) || l.Grad[2] != 0 || l.Grad[3] != 0 {
		t.Errorf("a row of weight 0 gave loss %g, gradient %v, error %v", loss, l.Grad[2:], err)
	}
}

func TestMaskedCEAgainstReference(t *testing.T) {
	const batch, size = 19, 12
	r := rand.New(rand.NewPCG(3, 3))
	x, weights := randomData(r, batch*size, 2, 0), randomData(r, batch, 0.3, 1)
	targets := make([]float32, batch*size)
	for row := range batch {
		var sum float32
		for i := range size {
			v := float32(-1)
			if i == 0 || r.IntN(2) == 0 {
				v = r.Float32()
				sum += v
			}
			targets[row*size+i] = v
		}
		for i, v := range targets[row*size : (row+1)*size] {
			if v >= 0 {
				targets[row*size+i] = v / sum
			}
		}
	}
	weights[4] = 0
	l := NewMaskedCE(NewPool(kernels.Portable, 2), batch, size)
	loss, err := l.Forward(x, targets, weights)
	if err != nil {
		t.Fatal(err)
	}
	xR, tR, wR := double(x), double(targets), double(weights)
	want := func() float64 { return referenceCE(batch, size, xR, tR, wR) }
	checkClose(t, "loss", []float32{loss}, f64{want()}, 1e-6)
	checkGradient(t, r, "Grad", l.Grad, xR, want)
}

// TestOpen: every number that is not below 0 is open, wherever it stands among masks of any kind.
func TestOpen(t *testing.T) {
	negativeZero, nan := float32(math.Copysign(0, -1)), float32(math.NaN())
	for size := range 27 {
		for at := range size {
			for _, v := range []float32{0, 0.5, 1, negativeZero, nan, -1, -0.5, float32(math.Inf(-1))} {
				targets := slices.Repeat([]float32{-1}, size)
				targets[at] = v
				targets[(at+3)%size] = -2
				var want []int32
				for i, v := range targets {
					if !(v < 0) {
						want = append(want, int32(i))
					}
				}
				if got := appendOpen(nil, targets); !slices.Equal(got, want) {
					t.Fatalf("open in %v: %v, want %v", targets, got, want)
				}
			}
		}
	}
}
