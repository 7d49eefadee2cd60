package env

import (
	"errors"
	"fmt"
	"math/bits"
)

// derived holds what a rule set's fields mean for the move generator, computed once. The generator
// itself asks the fields about nothing but the Cannon and the faceoff.
type derived struct {
	start Position

	hash, groupHash uint64 // see Hash and GroupHash

	// Horse and Elephant: attacks by the occupancy of the four squares next to the piece, see
	// orthogonalIndex and diagonalIndex. A leaper has sixteen equal entries.
	horseAttacks, elephantAttacks [64][16]uint64
	// The squares next to a Horse or Elephant that can block it; empty for a leaper.
	horseLegs, elephantLegs [64]uint64
	advisorAttacks          [64]uint64

	// From where a piece may attack a square on an empty board.
	horseAttackers, elephantAttackers, advisorAttackers, soldierAttackers [64]uint64
	nearHorses, nearElephants, nearAdvisors, nearSoldiers                 [64]uint64

	facing [64]uint64 // on which squares the other royal shares a faceoff line; empty without faceoff

	promotions      [2][]MoveKind // by army, in the order of MoveKind
	soldierStays    bool          // a Soldier may stay a Soldier on rank 1
	extraPawn       int           // moves a Pawn step onto rank 8 offers beyond the first
	extraSoldier    int           // the same of a Soldier step onto rank 1
	campmateSquares [2]uint64     // by army: where its royal wins
}

const (
	orthogonalNeighbours uint64 = 1 | 1<<7 | 1<<9 | 1<<16  // of square 8, from south to north
	diagonalNeighbours   uint64 = 1 | 1<<2 | 1<<16 | 1<<18 // of square 9
	gatherOrthogonal     uint64 = 1<<44 | 1<<54 | 1<<62
	gatherDiagonal       uint64 = 1<<44 | 1<<61
)

// orthogonalIndex gathers the occupancy of the four squares beside s into an index. At the edge of the
// board it sees squares of the other edge, so tables are filled for all sixteen values.
func orthogonalIndex(s Square, occupied uint64) uint64 {
	return bits.RotateLeft64(occupied, 8-int(s)) & orthogonalNeighbours * gatherOrthogonal >> 60
}

// diagonalIndex does the same for the four squares diagonally next to s.
func diagonalIndex(s Square, occupied uint64) uint64 {
	return bits.RotateLeft64(occupied, 9-int(s)) & diagonalNeighbours * gatherDiagonal >> 60
}

// finish derives everything from the fields and reads the start position; Start is written anew in the
// output dialect. It refuses combinations that cannot be played, and names the field at fault.
func (r *Rules) finish() (key string, err error) {
	switch {
	case r.PawnPromotesTo == 0:
		return "pawn_promotes_to", errors.New("a Pawn on rank 8 must become something: name at least one of q r b n")
	case r.SoldierPromotion != NeverPromote && r.SoldierPromotesTo == 0:
		return "soldier_promotes_to", errors.New("names nothing that Soldiers could become: name at least one of r h c e a, or set soldier_promotion: never")
	case r.SoldierPromotion == MustPromote && r.DropRegion&rank1 != 0:
		return "drop_region", errors.New("holds squares of rank 1, where Soldiers must promote: leave them out, or set soldier_promotion: may or never")
	}
	r.derived = derived{}
	r.derive()
	start, err := r.readFEN(r.Start)
	if err == nil {
		err = r.checkStart(&start)
	}
	if err != nil {
		return "start", fmt.Errorf("FEN %s: %w", quoteShort(r.Start), err)
	}
	r.start = start
	r.Start = r.FEN(&start)
	r.deriveHashes()
	return "", nil
}

// derive fills the tables from the fields; the start position is not looked at.
func (r *Rules) derive() {
	for s := Square(0); s < 64; s++ {
		r.deriveLegged(s)
		r.advisorAttacks[s] = diagonal1[s] & r.AdvisorRegion
		if r.Advisor == KingAdvisor {
			r.advisorAttacks[s] = adjacent[s] & r.AdvisorRegion
		}
		r.soldierAttackers[s] = s.offset(direction{0, 1}, 1) | s.offset(direction{1, 0}, 1) | s.offset(direction{-1, 0}, 1)
		switch {
		case r.FaceoffMoves == NoFaceoff:
		case r.FaceoffLines == FileOnly:
			r.facing[s] = files[s]
		default:
			r.facing[s] = orthogonals[s]
		}
	}
	for s := Square(0); s < 64; s++ {
		r.horseAttackers[s] = knightJumps[s]
		for b := r.elephantAttacks[s][diagonalIndex(s, 0)]; b != 0; b &= b - 1 {
			r.elephantAttackers[first(b)] |= 1 << s
		}
		for b := r.advisorAttacks[s]; b != 0; b &= b - 1 {
			r.advisorAttackers[first(b)] |= 1 << s
		}
	}
	r.nearHorses = aroundEach(&r.horseAttackers)
	r.nearElephants = aroundEach(&r.elephantAttackers)
	r.nearAdvisors = aroundEach(&r.advisorAttackers)
	r.nearSoldiers = aroundEach(&r.soldierAttackers)
	r.derivePromotions()
	if r.Campmate {
		below := 8 * (r.CampmateRank - 1) // squares that do not win yet
		r.campmateSquares = [2]uint64{Western: allSquares << below, Eastern: allSquares >> below}
	}
}

// deriveLegged fills the attacks of Horse and Elephant, which a piece beside them may block, from s for every
// occupancy around it.
func (r *Rules) deriveLegged(s Square) {
	if r.Horse == Blockable {
		r.horseLegs[s] = orthogonal1[s]
	}
	if r.Elephant == Blockable {
		r.elephantLegs[s] = diagonal1[s]
	}
	for pattern := range uint64(16) {
		occupied := spread(pattern, orthogonalNeighbours, int(s)-8)
		horse := uint64(0)
		for _, d := range orthogonalDirections {
			if r.horseLegs[s]&s.offset(d, 1)&occupied == 0 {
				for b := s.offset(d, 1); b != 0; b &= b - 1 {
					horse |= diagonal1[first(b)] & knightJumps[s]
				}
			}
		}
		r.horseAttacks[s][orthogonalIndex(s, occupied)] = horse

		occupied = spread(pattern, diagonalNeighbours, int(s)-9)
		elephant := uint64(0)
		for _, d := range diagonalDirections {
			if r.Elephant == Leaper {
				elephant |= s.offset(d, 1)
			}
			if r.elephantLegs[s]&s.offset(d, 1)&occupied == 0 {
				elephant |= s.offset(d, 2)
			}
		}
		r.elephantAttacks[s][diagonalIndex(s, occupied)] = elephant & r.ElephantRegion
	}
}

// spread deals the bits of pattern to the squares of mask and rotates the board by shift squares.
func spread(pattern, mask uint64, shift int) (b uint64) {
	for ; mask != 0; mask &= mask - 1 {
		b |= pattern & 1 << first(mask)
		pattern >>= 1
	}
	return bits.RotateLeft64(b, shift)
}

func (r *Rules) derivePromotions() {
	for kind := ToQueen; kind < NumMoveKinds; kind++ {
		piece := NewMove(0, 0, kind).Promotion()
		switch {
		case kind <= ToKnight && r.PawnPromotesTo.Has(piece):
			r.promotions[Western] = append(r.promotions[Western], kind)
		case kind > ToKnight && r.SoldierPromotion != NeverPromote && r.SoldierPromotesTo.Has(piece):
			r.promotions[Eastern] = append(r.promotions[Eastern], kind)
		}
	}
	r.soldierStays = r.SoldierPromotion != MustPromote
	r.extraPawn = len(r.promotions[Western]) - 1
	r.extraSoldier = len(r.promotions[Eastern])
	if !r.soldierStays {
		r.extraSoldier--
	}
}
