package env

import "testing"

// TestManyRestrictions wants pieces held by more attackers than danger has room for to stay: six Horses and
// four Elephants around the King are each blocked by one of four Knights. The last Elephant alone holds the
// Knight on f5. Built with the tag slowcheck, the move before compares the list with the slow generator's.
func TestManyRestrictions(t *testing.T) {
	r, err := builtin(t, "moddable").With(map[string]any{"name": "all over the board", "elephant_region": "all"})
	if err != nil {
		t.Fatal(err)
	}
	squares := func(names ...string) (b uint64) {
		for _, name := range names {
			s, ok := readSquare(name)
			if !ok {
				t.Fatal(name)
			}
			b |= 1 << s
		}
		return b
	}
	before := Assemble([NumPieces]uint64{
		King: squares("e4"), Knight: squares("d3", "f3", "d5", "f5"), Pawn: squares("a2"),
		Horse: squares("d2", "f2", "c3", "g3", "c5", "d6"), Elephant: squares("c2", "g2", "c6", "g6"), Soldier: squares("h7"),
		Chancellor: squares("h8"),
	}, 0, Eastern, false, false, 0, 1)
	m, err := r.ParseMove(&before, "h7h6")
	if err != nil {
		t.Fatal(err)
	}
	var p Position
	r.Apply(&before, m, &p)
	var d danger
	r.westernDanger(&p, &d)
	if len(d.more) != 2 {
		t.Errorf("%d restrictions are beyond the %d there is room for; this test wants 2", len(d.more), len(d.restrictions))
	}
	pawn := 0
	for _, m := range r.Legal(&p, nil) {
		switch {
		case p.knights>>m.From()&1 != 0:
			t.Errorf("%s gives the King away", r.MoveString(m))
		case p.pawns>>m.From()&1 != 0:
			pawn++
		}
	}
	if pawn != 2 {
		t.Errorf("the Pawn has %d moves, want 2", pawn)
	}
}
