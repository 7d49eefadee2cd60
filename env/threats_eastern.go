package env

// easternCover returns the squares that the Eastern army covers.
func (r *Rules) easternCover(p *Position, occupied uint64) uint64 {
	cover := soldierSteps(p.soldiers) | adjacent[p.chancellor&63]
	for b := p.chariots; b != 0; b &= b - 1 {
		cover |= rookAttacks(first(b), occupied)
	}
	for b := p.horses; b != 0; b &= b - 1 {
		cover |= r.horse(first(b), occupied)
	}
	for b := p.cannons; b != 0; b &= b - 1 {
		_, hop := r.cannonHops(p, first(b), occupied)
		cover |= hop
	}
	for b := p.elephants; b != 0; b &= b - 1 {
		cover |= r.elephant(first(b), occupied)
	}
	for b := p.advisors; b != 0; b &= b - 1 {
		cover |= r.advisorAttacks[first(b)]
	}
	return cover
}

// easternAim is from where the King is attacked, with the board as it is.
type easternAim struct {
	platforms uint64 // squares between the King and a Cannon with nothing between: a platform there gives check
	chariot   uint64
	occupied  uint64
}

// lookEastern goes through the Eastern pieces, which are to move, and returns what they cover. A piece gives
// check from where it lands, as a platform, or by having left its square.
func (r *Rules) lookEastern(p *Position, l *look, occupied uint64) (cover uint64) {
	k, chancellor := p.king&63, p.chancellor&63
	aim := easternAim{platforms: r.openWays(p, p.cannons, occupied), chariot: rookAttacks(k, occupied), occupied: occupied}
	special := l.special | l.danger.restricted
	if p.hand != 0 {
		l.add(r.DropRegion&l.danger.land&^occupied, r.soldierAttackers[k]|aim.platforms)
	}
	r.lookSoldiers(p, l, special, &aim)
	for b := p.eastern &^ (p.soldiers | 1<<chancellor); b != 0; b &= b - 1 {
		from, bit, land, unveiled := first(b), b&-b, l.danger.land, uint64(0)
		if special&bit != 0 {
			land, unveiled = l.landing(bit), r.easternUnveils(p, l, bit, occupied)
		}
		land &^= p.eastern
		var reach, marks uint64
		switch {
		case p.cannons&bit != 0:
			_, hop := r.cannonHops(p, from, occupied)
			cover |= hop
			land &= r.cannon(p, from, occupied)
			l.add(land, r.cannonMarks(p, bit, land, occupied)|unveiled)
			continue
		case p.chariots&bit != 0:
			reach, marks = rookAttacks(from, occupied), aim.chariot
		case p.horses&bit != 0:
			reach = r.horse(from, occupied)
			marks = unblocked(reach&land&r.horseAttackers[k], &r.horseLegs, k, occupied)
		case p.elephants&bit != 0:
			reach = r.elephant(from, occupied)
			marks = unblocked(reach&land&r.elephantAttackers[k], &r.elephantLegs, k, occupied)
		default:
			reach, marks = r.advisorAttacks[from], r.advisorAttackers[k]
		}
		cover |= reach
		l.add(reach&land, marks|aim.platforms|unveiled)
	}
	l.add(r.safeChancellorSquares(p, adjacent[chancellor]&^p.eastern, occupied&^(1<<chancellor)),
		aim.platforms|r.easternUnveils(p, l, 1<<chancellor, occupied))
	return cover | soldierSteps(p.soldiers) | adjacent[chancellor]
}

// lookSoldiers goes through the Soldiers, those that are not special all at once.
func (r *Rules) lookSoldiers(p *Position, l *look, special uint64, aim *easternAim) {
	marks := r.soldierAttackers[p.king&63] | aim.platforms
	special |= rank1 | rank1<<8 // these may promote
	l.add(soldierSteps(p.soldiers&^special)&l.danger.land&^p.eastern, marks)
	for b := p.soldiers & special; b != 0; b &= b - 1 {
		bit := b & -b
		legal := soldierSteps(bit) & l.landing(bit) &^ p.eastern
		for _, kind := range r.promotions[Eastern] {
			l.try(r, p, first(bit), legal&rank1, kind)
		}
		if !r.soldierStays {
			legal &^= rank1
		}
		l.add(legal, marks|r.easternUnveils(p, l, bit, aim.occupied))
	}
}

// openWays returns the squares between the King and each of the given Cannons that has nothing between.
func (r *Rules) openWays(p *Position, cannons, occupied uint64) (ways uint64) {
	k := p.king & 63
	for b := cannons & orthogonals[k]; b != 0; b &= b - 1 {
		if way := between[k][first(b)]; way&occupied == 0 {
			ways |= way
		}
	}
	return ways
}

// cannonMarks returns those of a Cannon's targets on which it attacks the King, or is the platform of another
// Cannon.
func (r *Rules) cannonMarks(p *Position, cannon, targets, occupied uint64) (marks uint64) {
	k := p.king & 63
	if r.Cannon == Xiangqi {
		marks = r.openWays(p, p.cannons&^cannon, occupied)
	}
	for b := targets & orthogonals[k]; b != 0; b &= b - 1 {
		platform := between[k][first(b)] & (occupied &^ cannon)
		if platform != 0 && platform&(platform-1) == 0 && (r.Cannon == Xiangqi || platform&p.cannons == 0) {
			marks |= b & -b
		}
	}
	return marks
}

// unblocked returns those of the squares from which the way of a Horse or Elephant to the King is free. The
// square that the piece has left is never on it.
func unblocked(squares uint64, legs *[64]uint64, king Square, occupied uint64) (free uint64) {
	for b := squares; b != 0; b &= b - 1 {
		if legs[first(b)]&diagonal1[king&63]&occupied == 0 {
			free |= b & -b
		}
	}
	return free
}

// easternVeils returns the Eastern pieces that may give check by leaving their square.
func (r *Rules) easternVeils(p *Position, occupied uint64) (veils uint64) {
	k := p.king & 63
	for b := p.chariots & orthogonals[k]; b != 0; b &= b - 1 {
		veils |= single(between[k][first(b)] & occupied)
	}
	for b := p.cannons & orthogonals[k]; b != 0; b &= b - 1 {
		if way := between[k][first(b)] & occupied; count(way) == 2 {
			veils |= way
		}
	}
	for b := p.horses & r.horseAttackers[k]; b != 0; b &= b - 1 {
		veils |= r.horseLegs[first(b)] & diagonal1[k]
	}
	for b := p.elephants & r.elephantAttackers[k]; b != 0; b &= b - 1 {
		veils |= r.elephantLegs[first(b)] & diagonal1[k]
	}
	return veils & p.eastern
}

// easternUnveils returns the squares on which a piece, given as a bit, gives check by having left its own.
func (r *Rules) easternUnveils(p *Position, l *look, piece, occupied uint64) (lands uint64) {
	if l.special&piece == 0 {
		return 0
	}
	k := p.king & 63
	for b := p.horses & r.horseAttackers[k]; b != 0; b &= b - 1 {
		if r.horseLegs[first(b)]&diagonal1[k] == piece {
			return allSquares
		}
	}
	for b := p.elephants & r.elephantAttackers[k]; b != 0; b &= b - 1 {
		if r.elephantLegs[first(b)]&diagonal1[k] == piece {
			return allSquares
		}
	}
	for b := (p.chariots | p.cannons) & orthogonals[k]; b != 0; b &= b - 1 {
		way := between[k][first(b)]
		blockers := way & occupied
		if blockers&piece == 0 {
			continue
		}
		other := blockers ^ piece
		switch slides := p.chariots&(b&-b) != 0; {
		case slides && other == 0:
			lands |= ^way
		case slides || other == 0 || other&(other-1) != 0:
		default: // a Cannon over two pieces, of which the other stays the platform, or is taken by this one
			lands |= other // no Cannon takes it, with nothing between
			if r.Cannon == Xiangqi || other&p.cannons == 0 {
				lands |= ^way
			}
		}
	}
	return lands
}

// easternPins returns the Eastern pieces that shield the Chancellor.
func (r *Rules) easternPins(p *Position, occupied uint64) (pins uint64) {
	return (p.screens(occupied) | r.faceoffPin(p, occupied)) & p.eastern
}
