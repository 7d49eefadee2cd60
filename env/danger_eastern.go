package env

// easternDanger finds where Eastern pieces other than the Chancellor, and drops, must land.
func (r *Rules) easternDanger(p *Position, d *danger) {
	d.reset()
	occupied := p.western | p.eastern
	s := p.chancellor & 63
	for b := p.orthogonal&orthogonals[s] | p.diagonal&diagonals[s]; b != 0; b &= b - 1 {
		way := between[s][first(b)]
		d.chariot(b&-b, way, way&occupied, p.eastern)
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
