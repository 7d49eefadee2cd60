package env

import "slices"

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
func (r *Rules) generate(p *Position, d *danger, dst []Move) []Move {
	if p.side == Western {
		return r.generateWestern(p, d, dst)
	}
	return r.generateEastern(p, d, dst)
}

// IsLegal reports whether m is a legal move.
func (r *Rules) IsLegal(p *Position, m Move) bool {
	var buffer [256]Move
	return slices.Contains(r.Legal(p, buffer[:0]), m)
}

// appendMoves appends the plain moves from a square to each of the targets.
func appendMoves(dst []Move, from Square, targets uint64) []Move {
	for ; targets != 0; targets &= targets - 1 {
		dst = append(dst, NewMove(from, first(targets), Plain))
	}
	return dst
}

// appendPromotions appends the promotions on each of the targets.
func appendPromotions(dst []Move, from Square, targets uint64, kinds []MoveKind) []Move {
	for ; targets != 0; targets &= targets - 1 {
		for _, kind := range kinds {
			dst = append(dst, NewMove(from, first(targets), kind))
		}
	}
	return dst
}

func (r *Rules) generateWestern(p *Position, d *danger, dst []Move) []Move {
	r.westernDanger(p, d)
	occupied := p.western | p.eastern
	king := p.king & 63
	for b := p.western &^ (1 << king); b != 0; b &= b - 1 {
		from, piece, land := first(b), b&-b, d.land
		if d.restricted&piece != 0 {
			land = d.landing(piece)
		}
		if p.pawns&piece == 0 {
			dst = appendMoves(dst, from, r.westernTargets(p, from, occupied)&land&^p.western)
			continue
		}
		step := piece << 8 &^ occupied
		targets := (step | step&rank3<<8&^occupied | pawnAttacks(piece)&p.eastern) & land
		if piece&rank7 != 0 {
			dst = appendPromotions(dst, from, targets, r.promotions[Western])
		} else {
			dst = appendMoves(dst, from, targets)
		}
	}
	dst = appendMoves(dst, king, r.safeKingSquares(p, adjacent[king]&^p.western, occupied&^(1<<king)))
	if p.castling != 0 && !d.check {
		for i, right := range [2]uint8{castleKingside, castleQueenside} {
			if r.canCastle(p, right) {
				dst = append(dst, NewMove(king, castlings[i].kingTo, Castling))
			}
		}
	}
	return dst
}

func (r *Rules) generateEastern(p *Position, d *danger, dst []Move) []Move {
	r.easternDanger(p, d)
	occupied := p.western | p.eastern
	chancellor := p.chancellor & 63
	if p.hand != 0 {
		for b := r.DropRegion & d.land &^ occupied; b != 0; b &= b - 1 {
			dst = append(dst, NewMove(first(b), first(b), Drop))
		}
	}
	for b := p.eastern &^ (1 << chancellor); b != 0; b &= b - 1 {
		from, piece, land := first(b), b&-b, d.land
		if d.restricted&piece != 0 {
			land = d.landing(piece)
		}
		land &^= p.eastern
		if p.soldiers&piece == 0 {
			dst = appendMoves(dst, from, r.easternTargets(p, from, occupied)&land)
			continue
		}
		targets := soldierSteps(piece) & land
		dst = appendPromotions(dst, from, targets&rank1, r.promotions[Eastern])
		if !r.soldierStays {
			targets &^= rank1
		}
		dst = appendMoves(dst, from, targets)
	}
	return appendMoves(dst, chancellor, r.safeChancellorSquares(p, adjacent[chancellor]&^p.eastern, occupied&^(1<<chancellor)))
}
