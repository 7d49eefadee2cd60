//go:build slowcheck

package env

// find returns where a royal stands.
func (b *slowBoard) find(royal Piece) Square {
	for s, pc := range b.squares {
		if pc == royal {
			return Square(s)
		}
	}
	panic("env: slow check: a royal is missing")
}

// attacked reports whether army a's royal could be captured.
func (b *slowBoard) attacked(r *Rules, a Army) bool {
	royal := b.find([2]Piece{King, Chancellor}[a])
	for s, pc := range b.squares {
		if pc == NoPiece || pc.Army() == a {
			continue
		}
		for _, to := range b.reaches(r, Square(s)) {
			if to == royal {
				return true
			}
		}
	}
	return false
}

// faceoff reports whether the royals face each other under the rule set.
func (b *slowBoard) faceoff(r *Rules) bool {
	king, chancellor := b.find(King), b.find(Chancellor)
	for _, d := range orthogonalDirections {
		if d.rank == 0 && r.FaceoffLines == FileOnly || r.FaceoffMoves == NoFaceoff {
			continue
		}
		for n := 1; ; n++ {
			to, held, ok := b.at(king, d, n)
			if !ok || held != NoPiece && to != chancellor {
				break
			}
			if to == chancellor {
				return true
			}
		}
	}
	return false
}

// over reports whether the last move ended the game by faceoff or campmate.
func (b *slowBoard) over(r *Rules) bool {
	reached := int(b.find(King))/8 + 1
	if b.side == Western {
		reached = 8 - int(b.find(Chancellor))/8
	}
	return b.faceoff(r) || r.Campmate && reached >= r.CampmateRank
}

// moved returns the board after a move, as far as legality needs it.
func (b *slowBoard) moved(m Move) *slowBoard {
	next := *b
	piece := b.squares[m.From()]
	switch {
	case m.Kind() == Drop:
		piece = Soldier
	case m.Promotion() != NoPiece:
		piece = m.Promotion()
	case m.Kind() == Castling && m.To() == 6:
		next.squares[7], next.squares[5] = NoPiece, Rook
	case m.Kind() == Castling:
		next.squares[0], next.squares[3] = NoPiece, Rook
	}
	next.squares[m.From()] = NoPiece
	next.squares[m.To()] = piece
	next.side = b.side.Other()
	return &next
}

// allows makes the move and looks: the own royal safe, no faceoff that is illegal for the mover.
func (b *slowBoard) allows(r *Rules, m Move) bool {
	next := b.moved(m)
	if next.attacked(r, b.side) {
		return false
	}
	byKing := b.squares[m.From()] == King && m.Kind() != Drop
	return !next.faceoff(r) || r.FaceoffMoves == FaceoffLoses && !byKing
}

// moves returns every legal move.
func (b *slowBoard) moves(r *Rules) (legal []Move) {
	if b.over(r) {
		return nil
	}
	try := func(m Move) {
		if b.allows(r, m) {
			legal = append(legal, m)
		}
	}
	for s, pc := range b.squares {
		from := Square(s)
		if pc == NoPiece && b.side == Eastern && b.hand > 0 && r.DropRegion>>s&1 != 0 {
			try(NewMove(from, from, Drop))
		}
		if pc == NoPiece || pc.Army() != b.side {
			continue
		}
		for _, to := range b.reaches(r, from) {
			promotes := pc == Pawn && to >= 56 || pc == Soldier && to < 8
			if !promotes || pc == Soldier && r.SoldierPromotion != MustPromote {
				try(NewMove(from, to, Plain))
			}
			for kind := ToQueen; promotes && kind < NumMoveKinds; kind++ {
				to2 := NewMove(from, to, kind)
				if pc == Pawn && r.PawnPromotesTo.Has(to2.Promotion()) ||
					pc == Soldier && r.SoldierPromotion != NeverPromote && r.SoldierPromotesTo.Has(to2.Promotion()) {
					try(to2)
				}
			}
		}
	}
	if b.side == Western && !b.attacked(r, Western) {
		if b.kingside && b.squares[5] == NoPiece && b.squares[6] == NoPiece && b.allows(r, NewMove(4, 5, Plain)) {
			try(NewMove(4, 6, Castling))
		}
		if b.queenside && b.squares[1] == NoPiece && b.squares[2] == NoPiece && b.squares[3] == NoPiece && b.allows(r, NewMove(4, 3, Plain)) {
			try(NewMove(4, 2, Castling))
		}
	}
	return legal
}
