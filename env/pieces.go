package env

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
