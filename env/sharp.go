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

// AppendSharp appends those legal moves of p that s has, in the order of Legal, and returns the number of all legal
// moves beside them. s must have been prepared for p. It goes through the pieces kind by kind, as counting does, which
// takes half the time of LegalSharp.
func (r *Rules) AppendSharp(p *Position, s *Sharp, dst []Move) (moves []Move, legal int) {
	switch {
	case r.ended(p):
		return dst, 0
	case p.side == Western:
		return r.appendSharpWestern(p, s, dst)
	}
	return r.appendSharpEastern(p, s, dst)
}

func (r *Rules) appendSharpWestern(p *Position, s *Sharp, dst []Move) (moves []Move, legal int) {
	d, begin := &s.danger, len(dst)
	r.westernDanger(p, d)
	occupied := p.western | p.eastern
	king := p.king & 63
	special := (s.from | d.restricted) & p.western &^ (1 << king)
	land := d.land &^ p.western
	legal = r.countPawns(p, p.pawns&^special, occupied, d.land)
	if pawnTargets(p.pawns&^special, occupied, p.eastern)&land&(s.to|s.marks[Pawn]|rank8) != 0 {
		for b := p.pawns &^ special; b != 0; b &= b - 1 {
			dst = r.appendSharpPawn(p, s, dst, b&-b, land)
		}
	}
	for b := p.knights &^ special; b != 0; b &= b - 1 {
		targets := knightJumps[first(b)] & land
		legal += count(targets)
		dst = appendPlain(dst, first(b), targets&(s.to|s.marks[Knight]))
	}
	for b := (p.diagonal | p.orthogonal) &^ special; b != 0; b &= b - 1 {
		piece, targets := r.westernTargets(p, first(b), occupied)
		targets &= land
		legal += count(targets)
		dst = appendPlain(dst, first(b), targets&(s.to|s.marks[piece&15]))
	}
	for b := special; b != 0; b &= b - 1 {
		bit, land := b&-b, d.landing(b&-b)
		if p.pawns&bit != 0 {
			legal += r.countPawns(p, bit, occupied, land)
			dst = r.appendSharpPawn(p, s, dst, bit, land)
			continue
		}
		piece, targets := r.westernTargets(p, first(b), occupied)
		targets &= land &^ p.western
		legal += count(targets)
		dst = appendPlain(dst, first(b), targets&s.landing(first(b), piece))
	}
	sortAsListed(dst[begin:])
	targets := r.safeKingSquares(p, adjacent[king]&^p.western, occupied&^(1<<king))
	legal += count(targets)
	dst = appendPlain(dst, king, targets&s.landing(king, King))
	if p.castling != 0 && !d.check {
		for i, right := range [2]uint8{castleKingside, castleQueenside} {
			if r.canCastle(p, right) {
				legal++
				dst = append(dst, NewMove(king, castlings[i].kingTo, Castling))
			}
		}
	}
	return dst, legal
}

// appendSharpPawn appends the sharp moves of a Pawn, given as a bit; every promotion is one.
func (r *Rules) appendSharpPawn(p *Position, s *Sharp, dst []Move, pawn, land uint64) []Move {
	targets := pawnTargets(pawn, p.western|p.eastern, p.eastern) & land
	if pawn&rank7 != 0 {
		return appendKinds(dst, first(pawn), targets, r.promotions[Western])
	}
	return appendPlain(dst, first(pawn), targets&s.landing(first(pawn), Pawn))
}

func (r *Rules) appendSharpEastern(p *Position, s *Sharp, dst []Move) (moves []Move, legal int) {
	d := &s.danger
	r.easternDanger(p, d)
	occupied := p.western | p.eastern
	chancellor := p.chancellor & 63
	special := (s.from | d.restricted) & p.eastern &^ (1 << chancellor)
	land := d.land &^ p.eastern
	if p.hand != 0 {
		targets := r.DropRegion & d.land &^ occupied
		legal = count(targets)
		dst = appendKinds(dst, 0, targets&(s.to|s.marks[Soldier]), drops)
	}
	begin := len(dst)
	legal += r.countSoldiers(p.soldiers&^special, land)
	if soldierSteps(p.soldiers&^special)&land&(s.to|s.marks[Soldier]|rank1) != 0 {
		for b := p.soldiers &^ special; b != 0; b &= b - 1 {
			dst = r.appendSharpSoldier(s, dst, b&-b, land)
		}
	}
	for b := p.eastern &^ (p.soldiers | 1<<chancellor | special); b != 0; b &= b - 1 {
		piece, targets := r.easternTargets(p, first(b), occupied)
		targets &= land
		legal += count(targets)
		dst = appendPlain(dst, first(b), targets&(s.to|s.marks[piece&15]))
	}
	for b := special; b != 0; b &= b - 1 {
		bit, land := b&-b, d.landing(b&-b)&^p.eastern
		if p.soldiers&bit != 0 {
			legal += r.countSoldiers(bit, land)
			dst = r.appendSharpSoldier(s, dst, bit, land)
			continue
		}
		piece, targets := r.easternTargets(p, first(b), occupied)
		targets &= land
		legal += count(targets)
		dst = appendPlain(dst, first(b), targets&s.landing(first(b), piece))
	}
	sortAsListed(dst[begin:])
	targets := r.safeChancellorSquares(p, adjacent[chancellor]&^p.eastern, occupied&^(1<<chancellor))
	legal += count(targets)
	return appendPlain(dst, chancellor, targets&s.landing(chancellor, Chancellor)), legal
}

// appendSharpSoldier appends the sharp moves of a Soldier, given as a bit; every promotion is one.
func (r *Rules) appendSharpSoldier(s *Sharp, dst []Move, soldier, land uint64) []Move {
	targets := soldierSteps(soldier) & land
	if last := targets & rank1; last != 0 {
		dst = appendKinds(dst, first(soldier), last, r.promotions[Eastern])
		if !r.soldierStays {
			targets &^= rank1
		}
	}
	return appendPlain(dst, first(soldier), targets&s.landing(first(soldier), Soldier))
}

// LegalSharp appends every legal move to moves, as Legal does, and to sharp those of them that s has. s
// must have been prepared for p.
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
