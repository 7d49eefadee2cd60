package env

import (
	"math/bits"
)

// Sharp tells the moves of a position that may give check, make a faceoff or bring a royal to its campmate
// from those that surely do none of this, without making them. It errs on the careful side only: a move that
// it does not have is quiet, one that it has must be made to know. A Sharp is some 400 bytes of scratch
// memory, to be kept and used again.
type Sharp struct {
	from   uint64     // pieces all of whose moves are sharp: those that stand in somebody's way to the royal
	to     uint64     // squares on which every move is sharp
	marks  [16]uint64 // by Piece, of the mover's pieces: squares on which each is sharp
	danger danger     // scratch of the lists
}

// Sharpen prepares s for the legal moves of p. The position must not have ended by a faceoff, and the army
// that waits must not be in check: no legal move leads to such a position, and no FEN is one.
func (r *Rules) Sharpen(p *Position, s *Sharp) {
	s.from, s.to = 0, 0
	occupied := p.western | p.eastern
	if r.facing[p.king&63]>>(p.chancellor&63)&1 != 0 {
		s.from |= single(between[p.king&63][p.chancellor&63] & occupied)
	}
	if p.side == Western {
		r.sharpenWestern(p, s, occupied)
	} else {
		r.sharpenEastern(p, s, occupied)
	}
}

// SharpenAll makes every move of p sharp.
func (s *Sharp) SharpenAll() { s.from, s.to = allSquares, allSquares }

// SharpenCaptures makes every move onto a square of an enemy piece sharp as well.
func (s *Sharp) SharpenCaptures(p *Position) { s.to |= p.ArmyPieces(p.side.Other()) }

// landing returns the squares on which moves of the piece on a square are sharp.
func (s *Sharp) landing(from Square, piece Piece) uint64 {
	if s.from>>from&1 != 0 {
		return allSquares
	}
	return s.to | s.marks[piece&15]
}

// sharpenWestern looks from the Chancellor. Only sliders attack over a distance, and only from behind a
// single piece can one be freed.
func (r *Rules) sharpenWestern(p *Position, s *Sharp, occupied uint64) {
	c := p.chancellor & 63
	diagonal, orthogonal := bishopAttacks(c, occupied), rookAttacks(c, occupied)
	s.marks[Pawn] = pawnAttackers[c]
	s.marks[Knight] = knightJumps[c]
	s.marks[Bishop] = diagonal
	s.marks[Rook] = orthogonal
	s.marks[Queen] = diagonal | orthogonal
	s.marks[King] = r.facing[c]&orthogonal | r.campmateSquares[Western]
	for b := p.orthogonal&orthogonals[c] | p.diagonal&diagonals[c]; b != 0; b &= b - 1 {
		s.from |= single(between[c][first(b)] & occupied)
	}
}

// sharpenEastern looks from the King. A Cannon checks over exactly one piece, so landing before one and
// leaving one of two both matter; Horses and Elephants are freed by a piece beside them.
func (r *Rules) sharpenEastern(p *Position, s *Sharp, occupied uint64) {
	k := p.king & 63
	direct, hop := cannonReach(k, occupied)
	s.marks[Soldier] = r.soldierAttackers[k]
	s.marks[Chariot] = direct
	s.marks[Horse] = r.horseAttackers[k]
	s.marks[Elephant] = r.elephantAttackers[k]
	s.marks[Advisor] = r.advisorAttackers[k]
	s.marks[Cannon] = hop
	s.marks[Chancellor] = r.facing[k]&direct | r.campmateSquares[Eastern]
	for b := p.chariots & orthogonals[k]; b != 0; b &= b - 1 {
		s.from |= single(between[k][first(b)] & occupied)
	}
	for b := p.cannons & orthogonals[k]; b != 0; b &= b - 1 {
		s.marks[Cannon] |= orthogonals[k] // one that stands on the line hides what is behind it
		way := between[k][first(b)]
		switch n := bits.OnesCount64(way & occupied); {
		case n == 0:
			s.to |= way
		case n <= 2:
			s.from |= way & occupied
		}
	}
	for b := p.horses & r.horseAttackers[k]; b != 0; b &= b - 1 {
		s.from |= r.horseLegs[first(b)] & diagonal1[k]
	}
	for b := p.elephants & r.elephantAttackers[k]; b != 0; b &= b - 1 {
		s.from |= r.elephantLegs[first(b)] & diagonal1[k]
	}
}

// single returns b if it is a single square, else nothing.
func single(b uint64) uint64 {
	if b&(b-1) != 0 {
		return 0
	}
	return b
}

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
