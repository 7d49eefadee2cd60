package encode

import (
	"fmt"
	"testing"

	"synochess/env"
)

// One row written out by hand.
func TestRowByHand(t *testing.T) {
	r := builtin(t, "moddable")
	p, err := r.ParseFEN("rheakahr/2c2c2/8/8/3s4/8/PPPPPPPP/R3KBNR[sssss] b K - 25 9")
	if err != nil {
		t.Fatal(err)
	}
	b := NewBatch()
	AppendRow(b, r, &p, 5, []env.Move{env.NewMove(27, 19, env.Plain), env.NewMove(32, 32, env.Drop)})
	all := ^uint64(0)
	planes := []uint64{0xff00, 0x40, 0x20, 0x81, 0, 0x10, 0x81 << 56, 0x42 << 56, 0x24 << 48, 0x04 << 56, 0x28 << 56, 1 << 27, 0x10 << 56,
		all, 0, all, 0xff << 32, 0xffffffff << 32, 0x3838 << 48,
		0, 0, 0, 1 << 52, 1<<5 | 1<<8 | 1<<15} // the Cannon to e7; the other takes f1, the Chariots a2 and h2
	scalars := []uint16{25, 2, 5, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 100,
		8, 1, 1, 2, 0, 2, 2, 2, 1, 2, 1, 0}
	if fmt.Sprint(b.Planes) != fmt.Sprint(planes) {
		t.Errorf("planes\n%x, want\n%x", b.Planes, planes)
	}
	scalars = append(scalars, make([]uint16, NumScalars-len(scalars))...) // of rule fields that are absent in moddable
	if fmt.Sprint(b.Scalars) != fmt.Sprint(scalars) {
		t.Errorf("scalars\n%d, want\n%d", b.Scalars, scalars)
	}
	if got := fmt.Sprint(b.Scales[0], b.Scales[1], b.Scales[2], b.Scales[27]); got != "100 2 16 1000" {
		t.Errorf("scales %s", got)
	}
	// South is direction 4: plane 28, distance 1; drops are plane 64.
	if got, want := fmt.Sprint(b.Moves(0)), fmt.Sprint([]int{28*64 + 27, 64*64 + 32}); got != want {
		t.Errorf("indices %s, want %s", got, want)
	}
}

// The planes of threats, by hand: the Knight on b5 and the Horse on d4 attack each other and nobody stands by
// them, the Rook on e2 is pinned and takes the Chariot on e8 with check.
func TestThreatsByHand(t *testing.T) {
	r := builtin(t, "moddable")
	const b5, d4, e2, e8 = 1 << 33, 1 << 27, 1 << 12, 1 << 60
	for fen, want := range map[string][6]uint64{
		"3kr3/8/8/1N6/3h4/8/4R3/4K2B[] w - - 0 1": {b5, d4, e2, e8, e8 | d4, 0},
		// The Horse takes the Knight or, as the Chariot does, the Rook; from f3 it gives check.
		"3kr3/8/8/1N6/3h4/8/4R3/4K2B[] b - - 0 1": {d4, b5, 0, e2 | 1<<21 | 1<<10, b5 | e2, 0},
		// The Chancellor does not cover the Chariot, and yet the King may not take it: they would face each other.
		"3k4/8/8/8/8/8/8/3rK3[] w - - 0 1": {0, 1 << 3, 0, 0, 0, 1},
	} {
		p, err := r.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		b := NewBatch()
		AppendRow(b, r, &p, 0, r.Legal(&p, nil))
		got := [6]uint64(append(b.Planes[planeOwnHanging:planeCaptures+1:planeCaptures+1], uint64(b.Scalars[scalarCheck])))
		if got != want {
			t.Errorf("%s: %x, want %x", fen, got, want)
		}
	}
}

// Counts beyond their caps, as a FEN may have them, are capped.
func TestCaps(t *testing.T) {
	r := builtin(t, "moddable")
	p, err := r.ParseFEN("rheakahr/2c2c2/8/8/8/8/PPPPPPPP/RNBQKBNR[ssssss] w KQ - 730 900")
	if err != nil {
		t.Fatal(err)
	}
	b := NewBatch()
	AppendRow(b, r, &p, 17, r.Legal(&p, nil))
	checkRow(t, r, b, &p, 17, r.Legal(&p, nil))
	p, err = r.ParseFEN("rheakahr/2c2c2/8/8/8/QQQQ4/4P3/RNBQKBNR[ssssss] w KQ - 730 900")
	if err != nil {
		t.Fatal(err)
	}
	b.Reset()
	AppendRow(b, r, &p, 0, r.Legal(&p, nil))
	if got := fmt.Sprint(b.Scalars[scalarMaterial:scalarCheck]); got != "[1 2 2 2 4 2 2 2 1 2 0]" {
		t.Errorf("material %s", got)
	}
}
