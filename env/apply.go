package env

// lostRights holds, for each square, the castling rights that end when a piece leaves or reaches it.
var lostRights = [64]uint8{0: castleQueenside, e1: castleKingside | castleQueenside, 7: castleKingside}

// Apply makes the legal move m in p and writes the position after it to next, which must be another
// variable than p. It keeps everything incrementally: boards, hash, castling rights and counters. A
// move that is not legal gives a position without meaning.
func (r *Rules) Apply(p *Position, m Move, next *Position) {
	from, to := m.From(), m.To()
	*next = *p
	next.plyCount++
	var change uint64 // of the hash
	if p.side == Western {
		change = next.moveWestern(m)
		if p.eastern>>to&1 != 0 {
			change ^= next.captureEastern(to)
		}
		next.side = Eastern
	} else {
		change = next.moveEastern(m, r.SoldierStepResets)
		if p.western>>to&1 != 0 {
			change ^= next.captureWestern(to)
		}
		next.side = Western
		next.moveNumber++
	}
	if lost := p.castling & (lostRights[from] | lostRights[to]); lost != 0 {
		next.castling ^= lost
		change ^= castlingKeys[p.castling&3] ^ castlingKeys[next.castling&3]
	}
	next.hash = p.hash ^ easternKey ^ change
	slowCheckApplied(r, p, m, next)
}

// moveKey returns what a piece's way from one square to another changes in the hash.
func moveKey(piece Piece, from, to Square) uint64 {
	keys := &pieceKeys[piece&15]
	return keys[from&63] ^ keys[to&63]
}

// moveWestern moves the Western piece and returns the change of the hash. What stood on the target
// still stands there.
func (p *Position) moveWestern(m Move) uint64 {
	from, to := m.From(), m.To()
	both := uint64(1)<<from | 1<<to
	p.western ^= both
	piece := p.westernAt(from)
	switch piece {
	case Pawn:
		p.pawns ^= both
		p.plyCount = 0
		if promoted := m.Promotion(); promoted != NoPiece {
			return moveKey(Pawn, from, to) ^ p.promotePawn(to, promoted)
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
			return moveKey(King, from, to) ^ p.castleRook(to)
		}
	}
	return moveKey(piece, from, to)
}

// promotePawn replaces the Pawn on s and returns the change of the hash.
func (p *Position) promotePawn(s Square, promoted Piece) uint64 {
	bit := uint64(1) << s
	p.pawns &^= bit
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
	return pieceKeys[Pawn][s&63] ^ pieceKeys[promoted&15][s&63]
}

// castleRook moves the Rook of a castling whose King went to kingTo and returns the change of the hash.
func (p *Position) castleRook(kingTo Square) uint64 {
	c := &castlings[0]
	if kingTo == castlings[1].kingTo {
		c = &castlings[1]
	}
	both := uint64(1)<<c.rookFrom | 1<<c.rookTo
	p.western ^= both
	p.orthogonal ^= both
	return moveKey(Rook, c.rookFrom, c.rookTo)
}

// captureEastern removes the Eastern piece on s and returns the change of the hash.
func (p *Position) captureEastern(s Square) uint64 {
	piece, bit := p.easternAt(s), uint64(1)<<s
	p.plyCount = 0
	p.eastern &^= bit
	p.chariots &^= bit
	p.horses &^= bit
	p.cannons &^= bit
	p.elephants &^= bit
	p.advisors &^= bit
	p.soldiers &^= bit
	return pieceKeys[piece&15][s&63]
}

// moveEastern moves or drops the Eastern piece and returns the change of the hash. What stood on the
// target still stands there.
func (p *Position) moveEastern(m Move, stepResets bool) uint64 {
	from, to := m.From(), m.To()
	if m.Kind() == Drop {
		return p.drop(to)
	}
	both := uint64(1)<<from | 1<<to
	p.eastern ^= both
	piece := p.easternAt(from)
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
			return moveKey(Soldier, from, to) ^ p.promoteSoldier(to, promoted)
		}
	case Chancellor:
		p.chancellor = to
	}
	return moveKey(piece, from, to)
}

// drop puts a Soldier from the hand on s and returns the change of the hash.
func (p *Position) drop(s Square) uint64 {
	bit := uint64(1) << s
	p.eastern |= bit
	p.soldiers |= bit
	p.hand--
	p.plyCount = 0
	return pieceKeys[Soldier][s&63] ^ handKeys[(p.hand+1)&31] ^ handKeys[p.hand&31]
}

// promoteSoldier replaces the Soldier on s and returns the change of the hash.
func (p *Position) promoteSoldier(s Square, promoted Piece) uint64 {
	bit := uint64(1) << s
	p.soldiers &^= bit
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
	return pieceKeys[Soldier][s&63] ^ pieceKeys[promoted&15][s&63]
}

// captureWestern removes the Western piece on s and returns the change of the hash.
func (p *Position) captureWestern(s Square) uint64 {
	piece, bit := p.westernAt(s), uint64(1)<<s
	p.plyCount = 0
	p.western &^= bit
	p.pawns &^= bit
	p.knights &^= bit
	p.diagonal &^= bit
	p.orthogonal &^= bit
	return pieceKeys[piece&15][s&63]
}
