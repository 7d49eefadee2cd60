//go:build slowcheck

package env

// slowBoard is a position as sixty-four squares. It is the slow truth beside the bitboards: pieces walk
// square by square, a move is made on a copy and then tested. It shares no table with them.
type slowBoard struct {
	squares   [64]Piece
	hand      int
	side      Army
	kingside  bool
	queenside bool
}

func newSlowBoard(p *Position) *slowBoard {
	b := &slowBoard{hand: p.Hand(), side: p.SideToMove(), kingside: p.CanCastleKingside(), queenside: p.CanCastleQueenside()}
	for s := range b.squares {
		b.squares[s] = p.PieceAt(Square(s))
	}
	return b
}

// at returns the piece a step away, and false off the board.
func (b *slowBoard) at(s Square, d direction, n int) (to Square, pc Piece, ok bool) {
	bit := s.offset(d, n)
	if bit == 0 {
		return 0, NoPiece, false
	}
	to = first(bit)
	return to, b.squares[to], true
}

// reaches returns the squares the piece on s may move to as far as its own movement goes, empty or held by
// the enemy. It leaves castling and drops out.
func (b *slowBoard) reaches(r *Rules, s Square) (targets []Square) {
	piece := b.squares[s]
	add := func(to Square) {
		if held := b.squares[to]; held == NoPiece || held.Army() != piece.Army() {
			targets = append(targets, to)
		}
	}
	step := func(directions ...direction) {
		for _, d := range directions {
			if to, _, ok := b.at(s, d, 1); ok {
				add(to)
			}
		}
	}
	slide := func(directions ...direction) {
		for _, d := range directions {
			for n := 1; ; n++ {
				to, held, ok := b.at(s, d, n)
				if !ok {
					break
				}
				add(to)
				if held != NoPiece {
					break
				}
			}
		}
	}
	straight, slanting := orthogonalDirections[:], diagonalDirections[:]
	switch piece {
	case Pawn:
		return b.pawn(s)
	case Knight:
		step(direction{1, 2}, direction{2, 1}, direction{-1, 2}, direction{-2, 1},
			direction{1, -2}, direction{2, -1}, direction{-1, -2}, direction{-2, -1})
	case Bishop:
		slide(slanting...)
	case Rook, Chariot:
		slide(straight...)
	case Queen:
		slide(straight...)
		slide(slanting...)
	case King, Chancellor:
		step(straight...)
		step(slanting...)
	case Soldier:
		step(direction{0, -1}, direction{1, 0}, direction{-1, 0})
	case Horse:
		for _, d := range straight {
			if _, leg, ok := b.at(s, d, 1); !ok || leg != NoPiece && r.Horse == Blockable {
				continue
			}
			step(direction{2*d.file + d.rank, 2*d.rank + d.file}, direction{2*d.file - d.rank, 2*d.rank - d.file})
		}
	case Cannon:
		b.cannon(r, s, add)
	case Elephant:
		for _, d := range slanting {
			_, leg, _ := b.at(s, d, 1)
			if r.Elephant == Leaper {
				step(d)
			} else if leg != NoPiece {
				continue
			}
			step(direction{2 * d.file, 2 * d.rank})
		}
		return within(targets, r.ElephantRegion)
	case Advisor:
		step(slanting...)
		if r.Advisor == KingAdvisor {
			step(straight...)
		}
		return within(targets, r.AdvisorRegion)
	}
	return targets
}

func within(squares []Square, region uint64) (inside []Square) {
	for _, s := range squares {
		if region>>s&1 != 0 {
			inside = append(inside, s)
		}
	}
	return inside
}

func (b *slowBoard) pawn(s Square) (targets []Square) {
	up := direction{0, 1}
	if to, held, ok := b.at(s, up, 1); ok && held == NoPiece {
		targets = append(targets, to)
		if to2, held, ok := b.at(s, up, 2); ok && s < 16 && held == NoPiece {
			targets = append(targets, to2)
		}
	}
	for _, d := range [2]direction{{-1, 1}, {1, 1}} {
		if to, held, ok := b.at(s, d, 1); ok && held.Army() == Eastern {
			targets = append(targets, to)
		}
	}
	return targets
}

func (b *slowBoard) cannon(r *Rules, s Square, add func(Square)) {
	for _, d := range orthogonalDirections {
		platforms := 0
		for n := 1; platforms < 2; n++ {
			to, held, ok := b.at(s, d, n)
			if !ok || r.Cannon == Janggi && held == Cannon {
				break // neither platform nor target
			}
			switch {
			case held != NoPiece && platforms == 1:
				add(to)
			case held == NoPiece && (platforms == 1) == (r.Cannon == Janggi):
				add(to)
			}
			if held != NoPiece {
				platforms++
			}
		}
	}
}

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
