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
