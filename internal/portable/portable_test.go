package portable

import (
	"math"
	"math/rand/v2"
	"testing"
)

// within reports whether got is within n units in the last place of want.
func within(got, want float64, n float64) bool {
	if got == want {
		return true
	}
	return math.Abs(got-want) <= n*(math.Nextafter(math.Abs(want), math.Inf(1))-math.Abs(want))
}

// Ours may be off by 2 units in the last place and the standard library's by 1.
func TestExpAndLogFollowTheStandardLibrary(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		x := rng.NormFloat64() * 50
		if got, want := Exp(x), math.Exp(x); !within(got, want, 3) {
			t.Fatalf("Exp(%v) = %v, want %v", x, got, want)
		}
		y := math.Exp(rng.NormFloat64() * 30)
		if got, want := Log(y), math.Log(y); !within(got, want, 3) {
			t.Fatalf("Log(%v) = %v, want %v", y, got, want)
		}
	}
}

func TestSpecialValues(t *testing.T) {
	inf := math.Inf(1)
	if Exp(-inf) != 0 || Exp(inf) != inf || Exp(0) != 1 || !math.IsNaN(Exp(math.NaN())) {
		t.Error("Exp of an infinity, zero or NaN")
	}
	if Log(0) != -inf || Log(1) != 0 || Log(inf) != inf || !math.IsNaN(Log(-1)) || !math.IsNaN(Log(math.NaN())) {
		t.Error("Log of zero, one, infinity, a negative number or NaN")
	}
}

// TestSameBitsEverywhere pins the bits of a walk through both functions: another processor, or a compiler
// that fuses products, would change them.
func TestSameBitsEverywhere(t *testing.T) {
	var sum uint64
	x := 0.1
	for range 1000 {
		sum = sum*31 + math.Float64bits(Exp(x)) + math.Float64bits(Log(x+30))
		x = math.Mod(float64(x*1.37)+0.71, 20)
	}
	const want = 0xa6c46c82697883c4
	if sum != want {
		t.Errorf("bits changed: %#x, want %#x", sum, uint64(want))
	}
}

func BenchmarkExp(b *testing.B) {
	s := 0.0
	for i := range b.N {
		s += Exp(float64(i&15) - 8)
	}
	sink = s
}

func BenchmarkStandardExp(b *testing.B) {
	s := 0.0
	for i := range b.N {
		s += math.Exp(float64(i&15) - 8)
	}
	sink = s
}

var sink float64
