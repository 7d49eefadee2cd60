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
// another way (perft.go), which takes half the time. Functions that walk are marked noinline, because the compiler
// inlines nothing in a copy of their closures.
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
	for b := p.western &^ (1 << king); b != 0; b &= b - 1 {
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
	for b := p.eastern &^ (1 << chancellor); b != 0; b &= b - 1 {
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
