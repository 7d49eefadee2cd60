package env

// westernDanger finds where Western pieces other than the King must land.
func (r *Rules) westernDanger(p *Position, d *danger) {
	d.reset()
	occupied := p.western | p.eastern
	king := p.king & 63
	for b := (p.chariots | p.cannons) & orthogonals[king]; b != 0; b &= b - 1 {
		attacker := b & -b
		way := between[king][first(b)]
		if p.chariots&attacker != 0 {
			d.slider(attacker, way, way&occupied, p.western)
		} else {
			r.cannonDanger(p, d, attacker, way, way&occupied)
		}
	}
	for b := p.horses & r.horseAttackers[king]; b != 0; b &= b - 1 {
		d.legged(b&-b, r.horseLegs[first(b)]&diagonal1[king], occupied, p.western)
	}
	for b := p.elephants & r.elephantAttackers[king]; b != 0; b &= b - 1 {
		d.legged(b&-b, r.elephantLegs[first(b)]&diagonal1[king], occupied, p.western)
	}
	for b := p.advisors&r.advisorAttackers[king] | p.soldiers&r.soldierAttackers[king]; b != 0; b &= b - 1 {
		d.base &= b & -b
		d.check = true
	}
	d.land &= d.base
	r.faceoffDanger(p, d, p.western)
}

// slider adds the condition of a slider: an empty way must be blocked or the slider taken, a single
// own piece on it must stay on the way.
func (d *danger) slider(attacker, way, blockers, own uint64) {
	switch {
	case blockers == 0:
		d.base &= way | attacker
		d.check = true
	case blockers&(blockers-1) == 0 && blockers&own != 0:
		d.restrict(blockers, way|attacker, allSquares)
	}
}

// cannonDanger adds the condition of a Cannon on the King's lines, by the number of pieces between.
func (r *Rules) cannonDanger(p *Position, d *danger, attacker, way, blockers uint64) {
	rest := blockers & (blockers - 1)
	switch {
	case blockers == 0: // a piece that lands between would be the platform
		d.base &^= way
	case rest == 0: // check, unless a Janggi Cannon is the platform: then it must not be taken
		if r.Cannon == Janggi && blockers&p.cannons != 0 {
			d.base &^= blockers
			return
		}
		d.check = true
		answers := way&^blockers | attacker
		if blockers&p.western == 0 {
			d.base &= answers
			return
		}
		d.land &= answers
		d.restrict(blockers, ^(way &^ blockers), answers) // the platform may go anywhere but along the way
	case rest&(rest-1) == 0: // each own one of the two, by leaving, would make the other a platform
		for b := blockers & p.western; b != 0; b &= b - 1 {
			piece := b & -b
			other := blockers ^ piece
			if r.Cannon == Janggi && other&p.cannons != 0 {
				d.restrict(piece, ^other, allSquares)
			} else {
				d.restrict(piece, way&^blockers|attacker, allSquares)
			}
		}
	}
}

// legged adds the condition of a Horse or Elephant whose way to the King leads over the square leg
// (empty for a leaper).
func (d *danger) legged(attacker, leg, occupied, own uint64) {
	switch {
	case leg&occupied == 0:
		d.base &= leg | attacker
		d.check = true
	case leg&own != 0:
		d.restrict(leg, attacker, allSquares)
	}
}

// faceoffDanger keeps a single own piece between the royals on their line, where it may not leave it.
func (r *Rules) faceoffDanger(p *Position, d *danger, own uint64) {
	if r.FaceoffMoves != FaceoffIllegal || r.facing[p.king&63]>>(p.chancellor&63)&1 == 0 {
		return
	}
	way := between[p.king&63][p.chancellor&63]
	blockers := way & (p.western | p.eastern)
	if blockers&(blockers-1) == 0 && blockers&own != 0 {
		d.restrict(blockers, way, allSquares)
	}
}

// safeKingSquares returns those of the squares around the King where no Eastern piece attacks him and
// no faceoff arises; occupied is the board without the King. One map for all squares is exact, because no
// Eastern piece's attack on a square depends on what stands there.
func (r *Rules) safeKingSquares(p *Position, squares, occupied uint64) uint64 {
	king, chancellor := p.king&63, p.chancellor&63
	squares &^= adjacent[chancellor]
	if line := r.facing[chancellor]; line&squares != 0 {
		squares &^= rookAttacks(chancellor, occupied) & line
	}
	if s := p.soldiers & r.nearSoldiers[king]; s != 0 {
		squares &^= soldierSteps(s)
	}
	for b := p.advisors & r.nearAdvisors[king]; b != 0; b &= b - 1 {
		squares &^= r.advisorAttacks[first(b)]
	}
	for b := p.horses & r.nearHorses[king]; b != 0; b &= b - 1 {
		squares &^= r.horse(first(b), occupied)
	}
	for b := p.elephants & r.nearElephants[king]; b != 0; b &= b - 1 {
		squares &^= r.elephant(first(b), occupied)
	}
	for b := p.chariots & nearOrthogonals[king]; b != 0; b &= b - 1 {
		squares &^= rookAttacks(first(b), occupied)
	}
	for b := p.cannons & nearOrthogonals[king]; b != 0; b &= b - 1 {
		_, hop := r.cannonHops(p, first(b), occupied)
		squares &^= hop
	}
	return squares
}

// kingAttackers returns the Eastern pieces that would attack a King on square s.
func (r *Rules) kingAttackers(p *Position, s Square, occupied uint64) uint64 {
	s &= 63
	attackers := p.soldiers&r.soldierAttackers[s] | p.advisors&r.advisorAttackers[s] | 1<<p.chancellor&adjacent[s]
	for b := p.horses & r.horseAttackers[s]; b != 0; b &= b - 1 {
		if r.horseLegs[first(b)]&diagonal1[s]&occupied == 0 {
			attackers |= b & -b
		}
	}
	for b := p.elephants & r.elephantAttackers[s]; b != 0; b &= b - 1 {
		if r.elephantLegs[first(b)]&diagonal1[s]&occupied == 0 {
			attackers |= b & -b
		}
	}
	for b := (p.chariots | p.cannons) & orthogonals[s]; b != 0; b &= b - 1 {
		blockers := between[s][first(b)] & occupied
		if p.chariots>>first(b)&1 != 0 {
			if blockers == 0 {
				attackers |= b & -b
			}
		} else if blockers != 0 && blockers&(blockers-1) == 0 && !(r.Cannon == Janggi && blockers&p.cannons != 0) {
			attackers |= b & -b
		}
	}
	return attackers
}

// kingFaces reports whether a King on square s would make a faceoff.
func (r *Rules) kingFaces(p *Position, s Square, occupied uint64) bool {
	return r.facing[s&63]>>(p.chancellor&63)&1 != 0 && between[s&63][p.chancellor&63]&occupied == 0
}

// canCastle reports whether castling is legal for a King that is not in check. The King's squares are
// looked at with the board as it will be when he stands there.
func (r *Rules) canCastle(p *Position, right uint8) bool {
	if p.castling&right == 0 {
		return false
	}
	c := &castlings[right>>1]
	occupied := p.western | p.eastern
	if occupied&c.empty != 0 {
		return false
	}
	passing, arrived := occupied^1<<e1|1<<c.rookTo, occupied^1<<e1^1<<c.rookFrom|1<<c.rookTo|1<<c.kingTo
	return r.kingAttackers(p, c.rookTo, passing) == 0 && !r.kingFaces(p, c.rookTo, passing) &&
		r.kingAttackers(p, c.kingTo, arrived) == 0 && !r.kingFaces(p, c.kingTo, arrived)
}

// castling is one wing's castling. The King passes over the square the Rook goes to.
type castling struct {
	kingTo, rookFrom, rookTo Square
	empty                    uint64 // the squares between King and Rook
}

const e1 Square = 4

// castlings are indexed by right>>1: kingside, queenside.
var castlings = [2]castling{
	{kingTo: 6, rookFrom: 7, rookTo: 5, empty: 1<<5 | 1<<6},
	{kingTo: 2, rookFrom: 0, rookTo: 3, empty: 1<<1 | 1<<2 | 1<<3},
}
