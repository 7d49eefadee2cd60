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
