package env

// lostRights holds, for each square, the castling rights that end when a piece leaves or reaches it.
var lostRights = [64]uint8{0: castleQueenside, e1: castleKingside | castleQueenside, 7: castleKingside}

// Apply makes the legal move m in p and writes the position after it to next, which must be another
// variable than p. It keeps everything incrementally: boards, hash, castling rights and counters. A
// move that is not legal gives a position without meaning.
func (r *Rules) Apply(p *Position, m Move, next *Position) {
	*next = *p
	next.plyCount++
	next.side = p.side.Other()
	next.castling &^= lostRights[m.From()] | lostRights[m.To()]
	next.hash ^= easternKey ^ castlingKeys[p.castling&3] ^ castlingKeys[next.castling&3]
	if p.side == Western {
		next.moveWestern(m)
		next.captureEastern(m.To())
	} else {
		next.moveEastern(m, r.SoldierStepResets)
		next.captureWestern(m.To())
		next.moveNumber++
	}
	slowCheckApplied(r, p, m, next)
}

// moveWestern moves the Western piece; what stood on the target still stands there.
func (p *Position) moveWestern(m Move) {
	from, to := m.From(), m.To()
	both := uint64(1)<<from | 1<<to
	piece := p.westernAt(from)
	p.western ^= both
	p.hash ^= pieceKeys[piece][from] ^ pieceKeys[piece][to]
	switch piece {
	case Pawn:
		p.pawns ^= both
		p.plyCount = 0
		if promoted := m.Promotion(); promoted != NoPiece {
			p.promotePawn(to, promoted)
		}
	case Knight:
		p.knights ^= both
	case Bishop:
		p.diagonal ^= both
	case Rook:
		p.orthogonal ^= both
	case Queen:
		p.diagonal ^= both
		p.orthogonal ^= both
	case King:
		p.king = to
		if m.Kind() == Castling {
			p.castleRook(to)
		}
	}
}

// promotePawn replaces the Pawn on s.
func (p *Position) promotePawn(s Square, promoted Piece) {
	bit := uint64(1) << s
	p.pawns &^= bit
	p.hash ^= pieceKeys[Pawn][s] ^ pieceKeys[promoted][s]
	switch promoted {
	case Knight:
		p.knights |= bit
	case Bishop:
		p.diagonal |= bit
	case Rook:
		p.orthogonal |= bit
	case Queen:
		p.diagonal |= bit
		p.orthogonal |= bit
	}
}

// castleRook moves the Rook of a castling whose King went to kingTo.
func (p *Position) castleRook(kingTo Square) {
	c := &castlings[0]
	if kingTo == castlings[1].kingTo {
		c = &castlings[1]
	}
	both := uint64(1)<<c.rookFrom | 1<<c.rookTo
	p.western ^= both
	p.orthogonal ^= both
	p.hash ^= pieceKeys[Rook][c.rookFrom] ^ pieceKeys[Rook][c.rookTo]
}

// captureEastern removes the Eastern piece on s, if there is one.
func (p *Position) captureEastern(s Square) {
	bit := uint64(1) << s
	if p.eastern&bit == 0 {
		return
	}
	p.hash ^= pieceKeys[p.easternAt(s)][s]
	p.plyCount = 0
	p.eastern &^= bit
	p.chariots &^= bit
	p.horses &^= bit
	p.cannons &^= bit
	p.elephants &^= bit
	p.advisors &^= bit
	p.soldiers &^= bit
}

// moveEastern moves or drops the Eastern piece; what stood on the target still stands there.
func (p *Position) moveEastern(m Move, stepResets bool) {
	from, to := m.From(), m.To()
	if m.Kind() == Drop {
		p.drop(to)
		return
	}
	both := uint64(1)<<from | 1<<to
	piece := p.easternAt(from)
	p.eastern ^= both
	p.hash ^= pieceKeys[piece][from] ^ pieceKeys[piece][to]
	switch piece {
	case Chariot:
		p.chariots ^= both
	case Horse:
		p.horses ^= both
	case Cannon:
		p.cannons ^= both
	case Elephant:
		p.elephants ^= both
	case Advisor:
		p.advisors ^= both
	case Soldier:
		p.soldiers ^= both
		if stepResets && from == to+8 {
			p.plyCount = 0
		}
		if promoted := m.Promotion(); promoted != NoPiece {
			p.promoteSoldier(to, promoted)
		}
	case Chancellor:
		p.chancellor = to
	}
}

// drop puts a Soldier from the hand on s.
func (p *Position) drop(s Square) {
	bit := uint64(1) << s
	p.eastern |= bit
	p.soldiers |= bit
	p.hash ^= pieceKeys[Soldier][s] ^ handKeys[p.hand&31] ^ handKeys[(p.hand-1)&31]
	p.hand--
	p.plyCount = 0
}

// promoteSoldier replaces the Soldier on s.
func (p *Position) promoteSoldier(s Square, promoted Piece) {
	bit := uint64(1) << s
	p.soldiers &^= bit
	p.hash ^= pieceKeys[Soldier][s] ^ pieceKeys[promoted][s]
	switch promoted {
	case Chariot:
		p.chariots |= bit
	case Horse:
		p.horses |= bit
	case Cannon:
		p.cannons |= bit
	case Elephant:
		p.elephants |= bit
	case Advisor:
		p.advisors |= bit
	}
}

// captureWestern removes the Western piece on s, if there is one.
func (p *Position) captureWestern(s Square) {
	bit := uint64(1) << s
	if p.western&bit == 0 {
		return
	}
	p.hash ^= pieceKeys[p.westernAt(s)][s]
	p.plyCount = 0
	p.western &^= bit
	p.pawns &^= bit
	p.knights &^= bit
	p.diagonal &^= bit
	p.orthogonal &^= bit
}
