package env

// MoveCount is a root move and the number of leaves below it.
type MoveCount struct {
	Move  Move
	Count uint64
}

// Perft counts the leaves of the tree of legal moves to the given depth; the last ply is counted in
// bulk. A move that makes a faceoff or a campmate counts 1 at its own ply and has no children;
// repetition and the ply count are ignored. Depth 0 counts 1.
func (r *Rules) Perft(p *Position, depth int) uint64 {
	switch {
	case depth <= 0:
		return 1
	case r.ended(p):
		return 0
	}
	t := perftTree{rules: r, plies: make([]perftPly, depth+1)}
	return t.count(p, depth)
}

// Divide returns Perft's count for each legal move of the position, in the order of Legal.
func (r *Rules) Divide(p *Position, depth int) []MoveCount {
	var counts []MoveCount
	for _, m := range r.Legal(p, nil) {
		var next Position
		r.Apply(p, m, &next)
		counts = append(counts, MoveCount{m, r.Perft(&next, depth-1)})
	}
	return counts
}

// perftTree is the scratch memory of one count.
type perftTree struct {
	rules  *Rules
	danger danger
	plies  []perftPly // [depth left]
}

// perftPly is what is needed at one depth: the moves, and the position after one of them.
type perftPly struct {
	moves []Move
	next  Position
}

func (t *perftTree) count(p *Position, depth int) (leaves uint64) {
	if depth == 1 {
		if p.side == Western {
			return uint64(t.rules.countWestern(p, &t.danger))
		}
		return uint64(t.rules.countEastern(p, &t.danger))
	}
	ply := &t.plies[depth]
	ply.moves = t.rules.generate(p, &t.danger, ply.moves[:0])
	for _, m := range ply.moves {
		t.rules.Apply(p, m, &ply.next)
		if !t.rules.ended(&ply.next) {
			leaves += t.count(&ply.next, depth-1)
		}
	}
	return leaves
}

// CountLegal returns the number of legal moves, without listing them.
func (r *Rules) CountLegal(p *Position) int {
	if r.ended(p) {
		return 0
	}
	var d danger
	if p.side == Western {
		return r.countWestern(p, &d)
	}
	return r.countEastern(p, &d)
}

// HasLegal reports whether there is a legal move. It looks at the royal's own moves first, which nearly
// always tell.
func (r *Rules) HasLegal(p *Position) bool {
	if r.ended(p) {
		return false
	}
	occupied := p.western | p.eastern
	if p.side == Western {
		king := p.king & 63
		return r.safeKingSquares(p, adjacent[king]&^p.western, occupied&^(1<<king)) != 0 || r.CountLegal(p) > 0
	}
	s := p.chancellor & 63
	return r.safeChancellorSquares(p, adjacent[s]&^p.eastern, occupied&^(1<<s)) != 0 || r.CountLegal(p) > 0
}

func (r *Rules) countWestern(p *Position, d *danger) int {
	r.westernDanger(p, d)
	occupied := p.western | p.eastern
	free := ^d.restricted
	land := d.land &^ p.western
	n := r.countPawns(p, p.pawns&free, occupied, d.land)
	for b := p.knights & free; b != 0; b &= b - 1 {
		n += count(knightJumps[first(b)] & land)
	}
	for b := p.diagonal & free; b != 0; b &= b - 1 {
		n += count(bishopAttacks(first(b), occupied) & land)
	}
	for b := p.orthogonal & free; b != 0; b &= b - 1 {
		n += count(rookAttacks(first(b), occupied) & land)
	}
	for b := d.restricted; b != 0; b &= b - 1 {
		piece := b & -b
		land := d.landing(piece)
		if p.pawns&piece != 0 {
			n += r.countPawns(p, piece, occupied, land)
		} else {
			_, targets := r.westernTargets(p, first(b), occupied)
			n += count(targets & land &^ p.western)
		}
	}
	king := p.king & 63
	if around := adjacent[king] &^ p.western; around != 0 {
		n += count(r.safeKingSquares(p, around, occupied&^(1<<king)))
	}
	if p.castling != 0 && !d.check {
		if r.canCastle(p, castleKingside) {
			n++
		}
		if r.canCastle(p, castleQueenside) {
			n++
		}
	}
	return n
}

// countPawns counts the moves of Pawns that land where they may; a step onto rank 8 counts once for
// each promotion.
func (r *Rules) countPawns(p *Position, pawns, occupied, land uint64) int {
	step := pawns << 8 &^ occupied
	double := step & rank3 << 8 &^ occupied & land
	step &= land
	land &= p.eastern
	left, right := pawns&^fileA<<7&land, pawns&^fileH<<9&land
	n := count(step) + count(double) + count(left) + count(right)
	if pawns&rank7 != 0 {
		n += r.extraPawn * (count(step&rank8) + count(left&rank8) + count(right&rank8))
	}
	return n
}

func (r *Rules) countEastern(p *Position, d *danger) int {
	r.easternDanger(p, d)
	occupied := p.western | p.eastern
	free := ^d.restricted
	land := d.land &^ p.eastern
	n := r.countSoldiers(p.soldiers&free, land)
	if p.hand != 0 {
		n += count(r.DropRegion & d.land &^ occupied)
	}
	for b := p.chariots & free; b != 0; b &= b - 1 {
		n += count(rookAttacks(first(b), occupied) & land)
	}
	for b := p.horses & free; b != 0; b &= b - 1 {
		n += count(r.horse(first(b), occupied) & land)
	}
	for b := p.cannons & free; b != 0; b &= b - 1 {
		n += count(r.cannon(p, first(b), occupied) & land)
	}
	for b := p.elephants & free; b != 0; b &= b - 1 {
		n += count(r.elephant(first(b), occupied) & land)
	}
	for b := p.advisors & free; b != 0; b &= b - 1 {
		n += count(r.advisorAttacks[first(b)] & land)
	}
	for b := d.restricted; b != 0; b &= b - 1 {
		piece := b & -b
		land := d.landing(piece) &^ p.eastern
		if p.soldiers&piece != 0 {
			n += r.countSoldiers(piece, land)
		} else {
			_, targets := r.easternTargets(p, first(b), occupied)
			n += count(targets & land)
		}
	}
	s := p.chancellor & 63
	if around := adjacent[s] &^ p.eastern; around != 0 {
		n += count(r.safeChancellorSquares(p, around, occupied&^(1<<s)))
	}
	return n
}

// countSoldiers counts the moves of Soldiers that land where they may; a step onto rank 1 counts once
// for each thing the Soldier may be afterwards.
func (r *Rules) countSoldiers(soldiers, land uint64) int {
	forward, left, right := soldiers>>8&land, soldiers&^fileA>>1&land, soldiers&^fileH<<1&land
	n := count(forward) + count(left) + count(right)
	if (forward|left|right)&rank1 != 0 {
		n += r.extraSoldier * (count(forward&rank1) + count(left&rank1) + count(right&rank1))
	}
	return n
}
