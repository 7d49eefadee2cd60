package encode

import (
	"testing"

	"synochess/env"
)

// Every policy index that stands for a move is that move's index, whether or not play meets it.
func TestIndicesAreInverse(t *testing.T) {
	used := 0
	for i := range uint16(PolicySize) {
		if m, ok := IndexMove(i); ok {
			used++
			if back := MoveIndex(m); back != i {
				t.Errorf("index %d is move %#x, whose index is %d", i, m, back)
			}
		}
	}
	// 1,792 moves of queens and knights (1,456 + 336), 64 drops, 2 castlings, 4*22 of Pawns, 5*(8+14) of
	// Soldiers.
	if want := 1792 + 64 + 2 + 88 + 110; used != want {
		t.Errorf("%d indices stand for moves, want %d", used, want)
	}
	for _, i := range []uint16{PolicySize, 0xffff} {
		if _, ok := IndexMove(i); ok {
			t.Errorf("index %d stands for a move", i)
		}
	}
	if got := MoveIndex(env.NewMove(0, 0, env.Plain)); got != NoIndex {
		t.Errorf("a1a1 has index %d", got)
	}
}

// The squares of an index are those of its move, and some by hand.
func TestIndexSquares(t *testing.T) {
	for i := range uint16(PolicySize) {
		wantFrom, wantTo := env.Square(i%64), env.Square(i%64)
		if m, ok := IndexMove(i); ok {
			wantFrom, wantTo = m.From(), m.To()
		}
		if from, to := IndexSquares(i); from != wantFrom || to != wantTo {
			t.Fatalf("index %d leads from %d to %d, want %d and %d", i, from, to, wantFrom, wantTo)
		}
	}
	const a1, e1, g1, a2, d5, e4, e7, f6, d8, h8 = 0, 4, 6, 8, 35, 28, 52, 45, 59, 63
	for _, c := range []struct {
		index    uint16
		from, to env.Square
	}{
		{1*64 + e4, e4, e4 + 16},                 // north, two squares
		{(1*7+6)*64 + a1, a1, h8},                // north-east, seven squares
		{knightPlane*64 + e4, e4, f6},            // north-north-east
		{dropPlane*64 + d5, d5, d5},              // a drop
		{castlingPlane*64 + g1, e1, g1},          // the King castles
		{promotionPlane*64 + e7, e7, d8},         // a Pawn takes towards file a and becomes a Queen
		{(promotionPlane+5*1+2)*64 + a2, a2, a1}, // a Soldier goes from a2 to a1 and becomes a Cannon
		{(0*7+6)*64 + e4, e4, e4},                // nothing goes seven squares north from e4
	} {
		if from, to := IndexSquares(c.index); from != c.from || to != c.to {
			t.Errorf("index %d leads from %d to %d, want %d and %d", c.index, from, to, c.from, c.to)
		}
	}
}
