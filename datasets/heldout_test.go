package datasets

import "testing"

func TestHeldOutSplit(t *testing.T) {
	n := 0
	for family := range uint64(20000) {
		held := HeldOut(family, 0.1)
		if held {
			n++
		}
		if held != HeldOut(family, 0.1) {
			t.Fatal("a game changed sides")
		}
		if HeldOut(family, 0) {
			t.Fatalf("game %d is held out of a split without a held-out part", family)
		}
	}
	if n < 1800 || n > 2200 {
		t.Errorf("%d of 20000 games held out, want about 2000", n)
	}
}
