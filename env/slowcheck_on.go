//go:build slowcheck

package env

import (
	"fmt"
	"slices"
)

// slowCheckApplied recomputes everything Apply keeps incrementally and compares the legal moves with
// those of a generator that makes each move and tests it. It panics at the first difference: the program
// is wrong.
func slowCheckApplied(r *Rules, before *Position, m Move, after *Position) {
	fail := func(what string, got, want any) {
		panic(fmt.Sprintf("env: slow check: %s: %s after %s: %s is %v, want %v",
			r.Name, r.FEN(before), r.MoveString(m), what, got, want))
	}
	board := newSlowBoard(before).moved(m)
	var pieces [NumPieces]uint64
	for s, pc := range board.squares {
		pieces[pc] |= 1 << s
	}
	hand := before.Hand()
	if m.Kind() == Drop {
		hand--
	}
	kingside := before.CanCastleKingside() && board.squares[4] == King && board.squares[7] == Rook
	queenside := before.CanCastleQueenside() && board.squares[4] == King && board.squares[0] == Rook
	moveNumber := before.MoveNumber() + int(before.SideToMove())
	want := Assemble(pieces, hand, board.side, kingside, queenside, plyCountAfter(r, before, m), moveNumber)
	if *after != want {
		fail("position", fmt.Sprintf("%+v", *after), fmt.Sprintf("%+v", want))
	}
	slow := newSlowBoard(after)
	moves, slowMoves := r.Legal(after, nil), slow.moves(r)
	slices.Sort(moves)
	slices.Sort(slowMoves)
	switch {
	case !slices.Equal(moves, slowMoves):
		fail("move list", moveStringsOf(r, moves), moveStringsOf(r, slowMoves))
	case r.CountLegal(after) != len(slowMoves):
		fail("CountLegal", r.CountLegal(after), len(slowMoves))
	case r.InCheck(after) != slow.attacked(r, after.SideToMove()):
		fail("InCheck", r.InCheck(after), !r.InCheck(after))
	case r.Faceoff(after) != slow.faceoff(r):
		fail("Faceoff", r.Faceoff(after), !r.Faceoff(after))
	}
}

// plyCountAfter counts the plies without progress by the words of the rules.
func plyCountAfter(r *Rules, before *Position, m Move) int {
	piece := before.PieceAt(m.From())
	progress := m.Kind() == Drop || before.PieceAt(m.To()) != NoPiece || piece == Pawn ||
		piece == Soldier && r.SoldierStepResets && m.To()>>3 < m.From()>>3
	if progress {
		return 0
	}
	return before.PlyCount() + 1
}

func moveStringsOf(r *Rules, moves []Move) (texts []string) {
	for _, m := range moves {
		texts = append(texts, r.MoveString(m))
	}
	return texts
}
