package env

import (
	"slices"
)

// Legal appends every legal move to dst and returns it. A position that a faceoff or a campmate has
// ended has none. With room in dst it does not allocate. The order is fixed but has no meaning.
func (r *Rules) Legal(p *Position, dst []Move) []Move {
	if r.ended(p) {
		return dst
	}
	var d danger
	return r.generate(p, &d, dst)
}

// generate does the work of Legal for a position that has not ended; d is scratch memory.
//
//go:noinline
func (r *Rules) generate(p *Position, d *danger, dst []Move) []Move {
	r.walk(p, d, func(from Square, _ Piece, targets uint64) {
		for ; targets != 0; targets &= targets - 1 {
			dst = append(dst, NewMove(from, first(targets), Plain))
		}
	}, func(from Square, targets uint64, kinds []MoveKind) {
		dst = appendKinds(dst, from, targets, kinds)
	})
	return dst
}

// IsLegal reports whether m is a legal move.
func (r *Rules) IsLegal(p *Position, m Move) bool {
	var buffer [256]Move
	return slices.Contains(r.Legal(p, buffer[:0]), m)
}

// appendPlain appends the plain moves from one square onto each of the targets.
func appendPlain(dst []Move, from Square, targets uint64) []Move {
	for ; targets != 0; targets &= targets - 1 {
		dst = append(dst, NewMove(from, first(targets), Plain))
	}
	return dst
}

// sortAsListed brings moves of pieces other than the royal into the order of Legal: by the square they start
// from, the promotions before the plain moves.
func sortAsListed(moves []Move) {
	place := func(m Move) uint32 {
		key := uint32(m.From())<<11 | uint32(m.To())<<4 | uint32(m.Kind())
		if m.Kind() == Plain {
			key |= 1 << 10
		}
		return key
	}
	for i := 1; i < len(moves); i++ {
		for j := i; j > 0 && place(moves[j]) < place(moves[j-1]); j-- {
			moves[j], moves[j-1] = moves[j-1], moves[j]
		}
	}
}

// appendKinds appends the moves that an otherVisitor is shown.
func appendKinds(dst []Move, from Square, targets uint64, kinds []MoveKind) []Move {
	for ; targets != 0; targets &= targets - 1 {
		to := first(targets)
		for _, kind := range kinds {
			if kind == Drop {
				from = to
			}
			dst = append(dst, NewMove(from, to, kind))
		}
	}
	return dst
}

// A plainVisitor is shown the plain moves of the piece on from, one onto each of the targets; an otherVisitor moves of
// other kinds, one of each onto each of the targets. Drops have no from.
type (
	plainVisitor func(from Square, piece Piece, targets uint64)
	otherVisitor func(from Square, targets uint64, kinds []MoveKind)
)

// walk shows the legal moves of a position that has not ended, in the order of Legal; d is scratch memory. Counting goes
// another way (perft.go), which takes half the time. Functions that call walk are marked noinline: were one inlined into
// its caller, the compiler would inline nothing within the copies of its closures.
func (r *Rules) walk(p *Position, d *danger, plain plainVisitor, other otherVisitor) {
	if p.side == Western {
		r.walkWestern(p, d, plain, other)
	} else {
		r.walkEastern(p, d, plain, other)
	}
}

var castles, drops = []MoveKind{Castling}, []MoveKind{Drop}

func (r *Rules) walkWestern(p *Position, d *danger, plain plainVisitor, other otherVisitor) {
	r.westernDanger(p, d)
	occupied := p.western | p.eastern
	king := p.king & 63
	pieces := p.western &^ (1 << king)
	if d.check {
		pieces &= d.restricted | p.westernWithin(d.land)
	}
	for b := pieces; b != 0; b &= b - 1 {
		from, bit, land := first(b), b&-b, d.land
		if d.restricted&bit != 0 {
			land = d.landing(bit)
		}
		if p.pawns&bit == 0 {
			piece, targets := r.westernTargets(p, from, occupied)
			if targets &= land &^ p.western; targets != 0 {
				plain(from, piece, targets)
			}
			continue
		}
		targets := pawnTargets(bit, occupied, p.eastern) & land
		if bit&rank7 != 0 {
			other(from, targets, r.promotions[Western])
		} else {
			plain(from, Pawn, targets)
		}
	}
	plain(king, King, r.safeKingSquares(p, adjacent[king]&^p.western, occupied&^(1<<king)))
	if p.castling != 0 && !d.check {
		for i, right := range [2]uint8{castleKingside, castleQueenside} {
			if r.canCastle(p, right) {
				other(king, 1<<castlings[i].kingTo, castles)
			}
		}
	}
}

func (r *Rules) walkEastern(p *Position, d *danger, plain plainVisitor, other otherVisitor) {
	r.easternDanger(p, d)
	occupied := p.western | p.eastern
	chancellor := p.chancellor & 63
	if p.hand != 0 {
		other(0, r.DropRegion&d.land&^occupied, drops)
	}
	pieces := p.eastern &^ (1 << chancellor)
	if d.check {
		pieces &= d.restricted | r.easternWithin(p, d.land)
	}
	for b := pieces; b != 0; b &= b - 1 {
		from, bit, land := first(b), b&-b, d.land
		if d.restricted&bit != 0 {
			land = d.landing(bit)
		}
		land &^= p.eastern
		if p.soldiers&bit == 0 {
			piece, targets := r.easternTargets(p, from, occupied)
			if targets &= land; targets != 0 {
				plain(from, piece, targets)
			}
			continue
		}
		targets := soldierSteps(bit) & land
		if last := targets & rank1; last != 0 {
			other(from, last, r.promotions[Eastern])
			if !r.soldierStays {
				targets &^= rank1
			}
		}
		plain(from, Soldier, targets)
	}
	plain(chancellor, Chancellor, r.safeChancellorSquares(p, adjacent[chancellor]&^p.eastern, occupied&^(1<<chancellor)))
}

// pawnAttacks returns the squares Western Pawns attack.
func pawnAttacks(pawns uint64) uint64 { return pawns&^fileA<<7 | pawns&^fileH<<9 }

// pawnTargets returns where Pawns may land.
func pawnTargets(pawns, occupied, eastern uint64) uint64 {
	step := pawns << 8 &^ occupied
	return step | step&rank3<<8&^occupied | pawnAttacks(pawns)&eastern
}

// soldierSteps returns the squares Soldiers step to and attack.
func soldierSteps(soldiers uint64) uint64 {
	return soldiers>>8 | soldiers&^fileA>>1 | soldiers&^fileH<<1
}

// horse returns the squares a Horse on s attacks.
func (r *Rules) horse(s Square, occupied uint64) uint64 {
	return r.horseAttacks[s&63][orthogonalIndex(s, occupied)]
}

// elephant returns the squares an Elephant on s attacks.
func (r *Rules) elephant(s Square, occupied uint64) uint64 {
	return r.elephantAttacks[s&63][diagonalIndex(s, occupied)]
}

// cannonHops returns the squares a Cannon on s reaches before any platform and those it reaches over
// exactly one, the first piece beyond included.
func (r *Rules) cannonHops(p *Position, s Square, occupied uint64) (direct, hop uint64) {
	direct, hop = cannonReach(s, occupied)
	if r.Cannon == Janggi {
		for b := direct & p.cannons; b != 0; b &= b - 1 {
			hop &^= beyond[s&63][first(b)]
		}
	}
	return direct, hop
}

// cannon returns the squares a Cannon on s may land on, own pieces not yet left out.
func (r *Rules) cannon(p *Position, s Square, occupied uint64) uint64 {
	direct, hop := r.cannonHops(p, s, occupied)
	if r.Cannon == Janggi {
		return hop &^ p.cannons
	}
	return direct&^occupied | hop&occupied
}

// easternTargets returns which Eastern piece other than Soldier and Chancellor stands on s and the squares it may land
// on, own pieces not yet left out.
func (r *Rules) easternTargets(p *Position, s Square, occupied uint64) (Piece, uint64) {
	switch bit := uint64(1) << s; {
	case p.chariots&bit != 0:
		return Chariot, rookAttacks(s, occupied)
	case p.horses&bit != 0:
		return Horse, r.horse(s, occupied)
	case p.cannons&bit != 0:
		return Cannon, r.cannon(p, s, occupied)
	case p.elephants&bit != 0:
		return Elephant, r.elephant(s, occupied)
	}
	return Advisor, r.advisorAttacks[s&63]
}

// westernTargets returns which Western piece other than Pawn and King stands on s and the squares it may land on, own
// pieces not yet left out.
func (r *Rules) westernTargets(p *Position, s Square, occupied uint64) (Piece, uint64) {
	switch bit := uint64(1) << s; {
	case p.knights&bit != 0:
		return Knight, knightJumps[s&63]
	case p.orthogonal&bit == 0:
		return Bishop, bishopAttacks(s, occupied)
	case p.diagonal&bit == 0:
		return Rook, rookAttacks(s, occupied)
	}
	return Queen, bishopAttacks(s, occupied) | rookAttacks(s, occupied)
}

// westernWithin returns the Western pieces, the King left out, that may reach one of the squares on an empty board.
func (p *Position) westernWithin(squares uint64) (pieces uint64) {
	for b := squares; b != 0; b &= b - 1 {
		s := first(b)
		pieces |= p.knights&knightJumps[s] | p.orthogonal&orthogonals[s] | p.diagonal&diagonals[s]
	}
	return pieces | p.pawns&(squares>>8|squares>>16|squares&^fileA>>9|squares&^fileH>>7)
}

// easternWithin returns the Eastern pieces, the Chancellor left out, that may reach one of the squares on an empty
// board.
func (r *Rules) easternWithin(p *Position, squares uint64) (pieces uint64) {
	lines := p.chariots | p.cannons
	for b := squares; b != 0; b &= b - 1 {
		s := first(b)
		pieces |= lines&orthogonals[s] | p.horses&r.horseAttackers[s] | p.elephants&r.elephantAttackers[s] |
			p.advisors&r.advisorAttackers[s] | p.soldiers&r.soldierAttackers[s]
	}
	return pieces
}
