package env

// danger says where the pieces of the side to move must land so that its royal is not left attacked and
// no forbidden faceoff arises. It is exact: no move needs to be made to be tested. The royal's own moves
// are no part of it.
//
// Each enemy piece that could attack the royal lays down a condition on the squares a move lands on;
// all conditions are joined. Where a piece of the mover stands on the way of an attack its own moves
// have another condition than everybody else's, and it becomes a restriction.
type danger struct {
	base       uint64 // where a piece must land as far as no restriction has a say
	land       uint64 // where every unrestricted piece must land
	restricted uint64 // the pieces with a restriction
	check      bool   // is the royal attacked?
	n          int    // restrictions in use, those in more left out

	// A game has seldom three of them. There are up to 25: a line to the royal yields at most three (one attacker
	// with one piece between, one with two), each Horse or Elephant one, the faceoff one. Room for all of them
	// would have to be cleared for every list of moves, which took longer than the rest of danger.
	restrictions [8]restriction
	more         []restriction // beyond that
}

// restriction is one attacker's condition where a piece of the mover stands on its way.
type restriction struct {
	piece  uint64 // that piece, one bit
	own    uint64 // where it must land
	others uint64 // where every other piece must land
}

func (d *danger) reset() {
	d.base, d.land, d.restricted, d.check, d.n, d.more = allSquares, allSquares, 0, false, 0, d.more[:0]
}

func (d *danger) restrict(piece, own, others uint64) {
	d.restricted |= piece
	if d.n == len(d.restrictions) {
		d.more = append(d.more, restriction{piece, own, others})
		return
	}
	d.restrictions[d.n&7] = restriction{piece, own, others}
	d.n++
}

// landing returns where a restricted piece, given as a bit, must land.
func (d *danger) landing(piece uint64) uint64 {
	land := d.base
	for i := range d.n {
		land &= d.restrictions[i&7].on(piece)
	}
	for i := range d.more {
		land &= d.more[i].on(piece)
	}
	return land
}

// on returns where the restriction lets a piece land.
func (r *restriction) on(piece uint64) uint64 {
	if r.piece == piece {
		return r.own
	}
	return r.others
}

// easternDanger finds where Eastern pieces other than the Chancellor, and drops, must land.
func (r *Rules) easternDanger(p *Position, d *danger) {
	d.reset()
	occupied := p.western | p.eastern
	s := p.chancellor & 63
	for b := p.orthogonal&orthogonals[s] | p.diagonal&diagonals[s]; b != 0; b &= b - 1 {
		way := between[s][first(b)]
		d.slider(b&-b, way, way&occupied, p.eastern)
	}
	for b := p.knights&knightJumps[s] | p.pawns&pawnAttackers[s]; b != 0; b &= b - 1 {
		d.base &= b & -b
		d.check = true
	}
	d.land = d.base
	r.faceoffDanger(p, d, p.eastern)
}

// safeChancellorSquares returns those of the squares around the Chancellor where no Western piece
// attacks it and no forbidden faceoff arises; occupied is the board without the Chancellor.
func (r *Rules) safeChancellorSquares(p *Position, squares, occupied uint64) uint64 {
	s, king := p.chancellor&63, p.king&63
	squares &^= adjacent[king] | pawnAttacks(p.pawns&nearPawns[s])
	for b := p.knights & nearKnights[s]; b != 0; b &= b - 1 {
		squares &^= knightJumps[first(b)]
	}
	for b := p.diagonal & nearDiagonals[s]; b != 0; b &= b - 1 {
		squares &^= bishopAttacks(first(b), occupied)
	}
	for b := p.orthogonal & nearOrthogonals[s]; b != 0; b &= b - 1 {
		squares &^= rookAttacks(first(b), occupied)
	}
	if line := r.facing[king]; r.FaceoffMoves == FaceoffIllegal && line&squares != 0 {
		squares &^= rookAttacks(king, occupied) & line
	}
	return squares
}

// chancellorAttackers returns the Western pieces that would attack a Chancellor on square s.
func (r *Rules) chancellorAttackers(p *Position, s Square, occupied uint64) uint64 {
	s &= 63
	attackers := p.knights&knightJumps[s] | p.pawns&pawnAttackers[s] | 1<<p.king&adjacent[s]
	for b := p.orthogonal&orthogonals[s] | p.diagonal&diagonals[s]; b != 0; b &= b - 1 {
		if between[s][first(b)]&occupied == 0 {
			attackers |= b & -b
		}
	}
	return attackers
}
