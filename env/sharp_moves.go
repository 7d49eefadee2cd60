package env

// SharpMove is a legal move that is sharp, with its place in the list that Legal makes.
type SharpMove struct {
	Move  Move
	Index uint16
}

// AppendSharp appends the legal moves of p that s has, in the order of Legal, and returns the number of all
// legal moves beside them. s must have been prepared for p.
//
//go:noinline
func (r *Rules) AppendSharp(p *Position, s *Sharp, dst []SharpMove) (moves []SharpMove, legal int) {
	if r.ended(p) {
		return dst, 0
	}
	r.walk(p, &s.danger, func(from Square, piece Piece, targets uint64) {
		for b := targets & s.landing(from, piece); b != 0; b &= b - 1 {
			dst = append(dst, SharpMove{NewMove(from, first(b), Plain), uint16(legal + count(targets&(b&-b-1)))})
		}
		legal += count(targets)
	}, func(from Square, targets uint64, kinds []MoveKind) {
		dst, legal = s.appendKinds(dst, legal, from, targets, kinds)
	})
	return dst, legal
}

// LegalSharp appends every legal move to moves, as Legal does, and to sharp those of them that s has.
//
//go:noinline
func (r *Rules) LegalSharp(p *Position, s *Sharp, moves []Move, sharp []SharpMove) ([]Move, []SharpMove) {
	if r.ended(p) {
		return moves, sharp
	}
	before := len(moves)
	r.walk(p, &s.danger, func(from Square, piece Piece, targets uint64) {
		marks := s.landing(from, piece)
		for b := targets; b != 0; b &= b - 1 {
			m := NewMove(from, first(b), Plain)
			if marks&b&-b != 0 {
				sharp = append(sharp, SharpMove{m, uint16(len(moves) - before)})
			}
			moves = append(moves, m)
		}
	}, func(from Square, targets uint64, kinds []MoveKind) {
		sharp, _ = s.appendKinds(sharp, len(moves)-before, from, targets, kinds)
		moves = appendKinds(moves, from, targets, kinds)
	})
	return moves, sharp
}

// appendKinds appends those of the moves that are not plain which s has, and adds all to n. Only drops may be quiet.
func (s *Sharp) appendKinds(dst []SharpMove, n int, from Square, targets uint64, kinds []MoveKind) ([]SharpMove, int) {
	for b := targets; b != 0; b &= b - 1 {
		to := first(b)
		for _, kind := range kinds {
			switch {
			case kind != Drop:
				dst = append(dst, SharpMove{NewMove(from, to, kind), uint16(n)})
			case (s.to|s.marks[Soldier])>>to&1 != 0:
				dst = append(dst, SharpMove{NewMove(to, to, kind), uint16(n)})
			}
			n++
		}
	}
	return dst, n
}
