package env

// AppendSharp appends the legal moves of p that s has, in the order of Legal, and returns the number of all
// legal moves beside them. s must have been prepared for p.
func (r *Rules) AppendSharp(p *Position, s *Sharp, dst []SharpMove) (moves []SharpMove, legal int) {
	switch {
	case r.ended(p):
		return dst, 0
	case p.side == Western:
		return r.sharpWestern(p, s, dst)
	}
	return r.sharpEastern(p, s, dst)
}

// appendSharp appends those of a square's plain moves that land on marks; n moves were listed before.
func appendSharp(dst []SharpMove, from Square, targets, marks uint64, n int) []SharpMove {
	for b := targets & marks; b != 0; b &= b - 1 {
		index := n + count(targets&(b&-b-1))
		dst = append(dst, SharpMove{NewMove(from, first(b), Plain), uint16(index)})
	}
	return dst
}

// appendSharpPromotions appends all promotions from a square.
func appendSharpPromotions(dst []SharpMove, from Square, targets uint64, kinds []MoveKind, n int) []SharpMove {
	for ; targets != 0; targets &= targets - 1 {
		for _, kind := range kinds {
			dst = append(dst, SharpMove{NewMove(from, first(targets), kind), uint16(n)})
			n++
		}
	}
	return dst
}

// sharpWestern goes the way of generateWestern and counts what it leaves out.
func (r *Rules) sharpWestern(p *Position, s *Sharp, dst []SharpMove) (moves []SharpMove, n int) {
	d := &s.danger
	r.westernDanger(p, d)
	occupied := p.western | p.eastern
	king := p.king & 63
	for b := p.western &^ (1 << king); b != 0; b &= b - 1 {
		from, bit, land := first(b), b&-b, d.land
		if d.restricted&bit != 0 {
			land = d.landing(bit)
		}
		if p.pawns&bit == 0 {
			targets := r.westernTargets(p, from, occupied) & land &^ p.western
			dst = appendSharp(dst, from, targets, s.landing(bit, p.westernAt(from)), n)
			n += count(targets)
			continue
		}
		step := bit << 8 &^ occupied
		targets := (step | step&rank3<<8&^occupied | pawnAttacks(bit)&p.eastern) & land
		if bit&rank7 != 0 {
			dst = appendSharpPromotions(dst, from, targets, r.promotions[Western], n)
			n += count(targets) * len(r.promotions[Western])
		} else {
			dst = appendSharp(dst, from, targets, s.landing(bit, Pawn), n)
			n += count(targets)
		}
	}
	targets := r.safeKingSquares(p, adjacent[king]&^p.western, occupied&^(1<<king))
	dst = appendSharp(dst, king, targets, s.landing(1<<king, King), n)
	n += count(targets)
	if p.castling != 0 && !d.check {
		for i, right := range [2]uint8{castleKingside, castleQueenside} {
			if r.canCastle(p, right) {
				dst = append(dst, SharpMove{NewMove(king, castlings[i].kingTo, Castling), uint16(n)})
				n++
			}
		}
	}
	return dst, n
}

// sharpEastern goes the way of generateEastern and counts what it leaves out.
func (r *Rules) sharpEastern(p *Position, s *Sharp, dst []SharpMove) (moves []SharpMove, n int) {
	d := &s.danger
	r.easternDanger(p, d)
	occupied := p.western | p.eastern
	chancellor := p.chancellor & 63
	if p.hand != 0 {
		drops := r.DropRegion & d.land &^ occupied
		for b := drops & s.landing(0, Soldier); b != 0; b &= b - 1 {
			dst = append(dst, SharpMove{NewMove(first(b), first(b), Drop), uint16(count(drops & (b&-b - 1)))})
		}
		n = count(drops)
	}
	for b := p.eastern &^ (1 << chancellor); b != 0; b &= b - 1 {
		from, bit, land := first(b), b&-b, d.land
		if d.restricted&bit != 0 {
			land = d.landing(bit)
		}
		land &^= p.eastern
		if p.soldiers&bit == 0 {
			targets := r.easternTargets(p, from, occupied) & land
			dst = appendSharp(dst, from, targets, s.landing(bit, p.easternAt(from)), n)
			n += count(targets)
			continue
		}
		targets := soldierSteps(bit) & land
		if last := targets & rank1; last != 0 {
			dst = appendSharpPromotions(dst, from, last, r.promotions[Eastern], n)
			n += count(last) * len(r.promotions[Eastern])
			if !r.soldierStays {
				targets &^= rank1
			}
		}
		dst = appendSharp(dst, from, targets, s.landing(bit, Soldier), n)
		n += count(targets)
	}
	targets := r.safeChancellorSquares(p, adjacent[chancellor]&^p.eastern, occupied&^(1<<chancellor))
	dst = appendSharp(dst, chancellor, targets, s.landing(1<<chancellor, Chancellor), n)
	return dst, n + count(targets)
}
