package env

// Threats says which pieces and squares the attacks of a position bear on. Each field follows from the board,
// the hand, the side to move and the castling rights, never from the past.
//
// A piece covers a square where it could capture if an enemy piece stood there and nothing else changed, as far
// as its own movement goes: a Cannon the squares behind exactly one piece, a Horse none behind an occupied leg, an
// Elephant and an Advisor none outside their region. Pins and checks are no part of it, and a piece's own
// square is not covered by itself.
type Threats struct {
	Hanging  [2]uint64 // by army: its pieces, the royal left out, that the other army covers and it does not itself
	Pinned   uint64    // pieces of the side to move that shield its royal, see Rules.Threats
	Checks   uint64    // squares on which a legal move lands that gives check
	Captures uint64    // pieces that a legal move takes
	Check    bool      // the side to move is in check
}

// Threats finds the threats of a position in which the army that waits is not in check.
//
// A piece of the mover, not the royal, is pinned if without it an enemy piece that does not attack the royal now
// would do so, or the royals would face each other.
func (r *Rules) Threats(p *Position) (t Threats) {
	occupied := p.western | p.eastern
	var western, eastern uint64 // what the armies cover
	if p.side == Western {
		l := look{special: p.screens(occupied) & p.western}
		r.westernDanger(p, &l.danger)
		western, eastern = r.lookWestern(p, &l, occupied), r.easternCover(p, occupied)
		t.Pinned = r.westernPins(p, occupied)
		t.take(&l, p.western, p.eastern)
	} else {
		l := look{special: r.easternVeils(p, occupied)}
		r.easternDanger(p, &l.danger)
		western, eastern = r.westernCover(p, occupied), r.lookEastern(p, &l, occupied)
		t.Pinned = r.easternPins(p, occupied)
		t.take(&l, p.eastern, p.western)
	}
	if r.ended(p) {
		t.Checks, t.Captures = 0, 0
	}
	t.Hanging[Western] = p.western & eastern &^ western &^ (1 << p.king)
	t.Hanging[Eastern] = p.eastern & western &^ eastern &^ (1 << p.chancellor)
	return t
}

// look is what going through the mover's pieces gathers.
type look struct {
	danger  danger
	special uint64 // pieces that stand in the way of an attack on the enemy's royal
	legal   uint64 // targets of legal moves, own pieces not yet left out
	checks  uint64 // those of them on which a move gives check
}

// take turns what was gathered into threats.
func (t *Threats) take(l *look, own, enemy uint64) {
	t.Check, t.Checks, t.Captures = l.danger.check, l.checks&^own, l.legal&enemy
}

// landing returns where a piece of the mover, given as a bit, must land.
func (l *look) landing(piece uint64) uint64 {
	if l.danger.restricted&piece == 0 {
		return l.danger.land
	}
	return l.danger.landing(piece)
}

// add notes legal targets, of which those on marks give check.
func (l *look) add(legal, marks uint64) {
	l.legal |= legal
	l.checks |= legal & marks
}

// try adds legal targets of a piece whose check cannot be told from where it lands, by making the moves.
func (l *look) try(r *Rules, p *Position, from Square, legal uint64, kind MoveKind) {
	l.legal |= legal
	for b := legal &^ l.checks; b != 0; b &= b - 1 {
		var next Position
		if r.Apply(p, NewMove(from, first(b), kind), &next); r.InCheck(&next) {
			l.checks |= b & -b
		}
	}
}

// westernCover returns the squares that the Western army covers.
func (r *Rules) westernCover(p *Position, occupied uint64) uint64 {
	cover := pawnAttacks(p.pawns) | adjacent[p.king&63]
	for b := p.knights; b != 0; b &= b - 1 {
		cover |= knightJumps[first(b)]
	}
	for b := p.diagonal; b != 0; b &= b - 1 {
		cover |= bishopAttacks(first(b), occupied)
	}
	for b := p.orthogonal; b != 0; b &= b - 1 {
		cover |= rookAttacks(first(b), occupied)
	}
	return cover
}

// lookWestern goes through the Western pieces, which are to move, and returns what they cover.
//
// A piece that lands where it attacks the Chancellor with the board as it is attacks it there: had it stood in
// its own way, it would attack the Chancellor already.
func (r *Rules) lookWestern(p *Position, l *look, occupied uint64) (cover uint64) {
	c, king := p.chancellor&63, p.king&63
	diagonal, orthogonal := bishopAttacks(c, occupied), rookAttacks(c, occupied)
	special := l.special | l.danger.restricted
	r.lookPawns(p, l, special, occupied)
	for b := p.knights; b != 0; b &= b - 1 {
		reach, land, marks := knightJumps[first(b)], l.danger.land, knightJumps[c]
		cover |= reach
		if bit := b & -b; special&bit != 0 {
			land, marks = l.landing(bit), marks|p.westernUnveils(l, bit, occupied)
		}
		l.add(reach&land&^p.western, marks)
	}
	for b := p.diagonal | p.orthogonal; b != 0; b &= b - 1 {
		reach, land, marks := uint64(0), l.danger.land, uint64(0)
		bit := b & -b
		if p.diagonal&bit != 0 {
			reach, marks = bishopAttacks(first(b), occupied), diagonal
		}
		if p.orthogonal&bit != 0 {
			reach, marks = reach|rookAttacks(first(b), occupied), marks|orthogonal
		}
		cover |= reach
		if special&bit != 0 {
			land, marks = l.landing(bit), marks|p.westernUnveils(l, bit, occupied)
		}
		l.add(reach&land&^p.western, marks)
	}
	l.add(r.safeKingSquares(p, adjacent[king]&^p.western, occupied&^(1<<king)), p.westernUnveils(l, 1<<king, occupied))
	if p.castling != 0 && !l.danger.check {
		for i, right := range [2]uint8{castleKingside, castleQueenside} {
			if r.canCastle(p, right) {
				l.try(r, p, king, 1<<castlings[i].kingTo, Castling)
			}
		}
	}
	return cover | pawnAttacks(p.pawns) | adjacent[king]
}

// lookPawns goes through the Pawns, those that are not special all at once.
func (r *Rules) lookPawns(p *Position, l *look, special, occupied uint64) {
	marks := pawnAttackers[p.chancellor&63]
	special |= rank7
	l.add(pawnTargets(p.pawns&^special, occupied, p.eastern)&l.danger.land, marks)
	for b := p.pawns & special; b != 0; b &= b - 1 {
		bit := b & -b
		legal := pawnTargets(bit, occupied, p.eastern) & l.landing(bit)
		if bit&rank7 == 0 {
			l.add(legal, marks|p.westernUnveils(l, bit, occupied))
			continue
		}
		for _, kind := range r.promotions[Western] {
			l.try(r, p, first(bit), legal, kind)
		}
	}
}

// screens returns the pieces, of either army, that alone stand between a Western slider and the Chancellor: the
// Western ones may give check by leaving their square, the Eastern ones are pinned.
func (p *Position) screens(occupied uint64) (alone uint64) {
	c := p.chancellor & 63
	for b := p.orthogonal&orthogonals[c] | p.diagonal&diagonals[c]; b != 0; b &= b - 1 {
		alone |= single(between[c][first(b)] & occupied)
	}
	return alone
}

// westernUnveils returns the squares on which a piece, given as a bit, gives check by having left its own: all
// that are not on the way of the slider behind it.
func (p *Position) westernUnveils(l *look, piece, occupied uint64) (lands uint64) {
	if l.special&piece == 0 {
		return 0
	}
	c := p.chancellor & 63
	for b := p.orthogonal&orthogonals[c] | p.diagonal&diagonals[c]; b != 0; b &= b - 1 {
		if way := between[c][first(b)]; way&occupied == piece {
			lands |= ^way
		}
	}
	return lands
}

// westernPins returns the Western pieces that shield the King.
func (r *Rules) westernPins(p *Position, occupied uint64) (pins uint64) {
	king := p.king & 63
	for b := p.chariots & orthogonals[king]; b != 0; b &= b - 1 {
		pins |= single(between[king][first(b)] & occupied)
	}
	for b := p.cannons & orthogonals[king]; b != 0; b &= b - 1 {
		pins |= r.pinnedByCannon(p, between[king][first(b)]&occupied)
	}
	for b := p.horses & r.horseAttackers[king]; b != 0; b &= b - 1 {
		pins |= r.horseLegs[first(b)] & diagonal1[king] & occupied
	}
	for b := p.elephants & r.elephantAttackers[king]; b != 0; b &= b - 1 {
		pins |= r.elephantLegs[first(b)] & diagonal1[king] & occupied
	}
	return (pins | r.faceoffPin(p, occupied)) & p.western
}

// pinnedByCannon returns, of the pieces between a Cannon and the King, those that alone keep it from having
// exactly one platform.
func (r *Rules) pinnedByCannon(p *Position, blockers uint64) uint64 {
	second := blockers & (blockers - 1)
	if second == 0 || second&(second-1) != 0 {
		return 0
	}
	if r.Cannon == Janggi && blockers&p.cannons != 0 { // a Cannon is no platform
		return 0
	}
	return blockers
}

// faceoffPin returns the piece that alone stands between the royals on a line of the rule set.
func (r *Rules) faceoffPin(p *Position, occupied uint64) uint64 {
	if r.facing[p.king&63]>>(p.chancellor&63)&1 == 0 {
		return 0
	}
	return single(between[p.king&63][p.chancellor&63] & occupied)
}
