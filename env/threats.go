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
	Pinned   uint64    // pieces of the side to move that shield its royal, see Threats
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
