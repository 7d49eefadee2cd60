package encode

import (
	"math/bits"

	"synochess/env"
)

// Version is the version of inputs and policy indices together. A row is always of this version. A newer version
// only appends planes and scalars to those of the older ones, so that a network of an older version reads the
// first of them (Inputs) and answers as it always did.
const Version = 2

// The shape of a row, see the package documentation.
const (
	NumPlanes    = 24 // binary planes
	NumScalars   = 40 // scalar inputs
	PlaneScalars = 2  // the first scalars, which networks take as constant planes
	VectorLen    = NumScalars - PlaneScalars
)

// Inputs returns how many planes and scalars of a row a network of an encoding version reads. ok is false for a
// version that there is not.
func Inputs(version int) (planes, scalars int, ok bool) {
	switch version {
	case 1:
		return planeOwnHanging, scalarMaterial, true
	case 2:
		return NumPlanes, NumScalars, true
	}
	return 0, 0, false
}

// The planes and scalars that are not pieces or rule fields. A piece p has plane p-1.
const (
	planeKingside     = 13
	planeQueenside    = 14
	PlaneEastern      = 15
	planeDrop         = 16
	planeElephant     = 17
	planeAdvisor      = 18
	planeOwnHanging   = 19
	planeEnemyHanging = 20
	planePinned       = 21
	planeChecks       = 22
	planeCaptures     = 23
	scalarPlies       = 0
	scalarRepeated    = 1
	ScalarHand        = 2
	scalarRules       = 3
	scalarNoProgress  = 27
	scalarMaterial    = 28
	scalarCheck       = 39
	maxRepetitions    = 2
	handScale         = 16
	noProgressScale   = 1000
)

// The inputs that the rule set alone decides: planes and scalars from the first up to the end, that one left out.
// All others depend on the position.
const (
	FirstRulePlane  = planeDrop
	EndRulePlanes   = planeOwnHanging
	FirstRuleScalar = scalarRules
	EndRuleScalars  = scalarMaterial
)

// materialKinds are the pieces that are counted, and materialScales their scales; what is beyond is not counted.
var (
	materialKinds  = [...]env.Piece{env.Pawn, env.Knight, env.Bishop, env.Rook, env.Queen, env.Chariot, env.Horse, env.Cannon, env.Elephant, env.Advisor, env.Soldier}
	materialScales = [...]uint16{8, 4, 4, 4, 4, 4, 4, 4, 4, 4, 8}
)

// NewBatch returns an empty batch for rows of this encoding.
func NewBatch() *Batch { return NewBatchOf(NumPlanes, NumScalars) }

// AppendRow appends a position of rule set r and its legal moves to a batch made by NewBatch.
// repetitions is the number of earlier occurrences of the position in its game; more than 2 count as 2.
// moves are the legal moves, in the order in which the answer will list their logits.
func AppendRow(b *Batch, r *env.Rules, p *env.Position, repetitions int, moves []env.Move) {
	hash := r.GroupHash()
	planes, scalars, scales := b.AddRow(hash)
	boards := p.Boards()
	copy(planes, boards[env.Pawn:])
	planes[planeKingside] = fullIf(p.CanCastleKingside())
	planes[planeQueenside] = fullIf(p.CanCastleQueenside())
	planes[PlaneEastern] = fullIf(p.SideToMove() == env.Eastern)
	planes[planeDrop] = r.DropRegion
	planes[planeElephant] = r.ElephantRegion
	planes[planeAdvisor] = r.AdvisorRegion

	if row := b.Len() - 1; row > 0 && b.RulesHash[row-1] == hash { // the rules' part is the same as there
		before := len(b.Scalars) - 2*NumScalars
		copy(scalars[scalarRules:scalarMaterial], b.Scalars[before+scalarRules:])
		copy(scales, b.Scales[before:])
	} else {
		ruleVector(r, scalars[scalarRules:])
		ruleScales(r, scales)
	}
	scalars[scalarPlies] = uint16(min(p.PlyCount(), r.NoProgressPlies))
	scalars[scalarRepeated] = uint16(min(repetitions, maxRepetitions))
	scalars[ScalarHand] = uint16(p.Hand())
	material(&boards, scalars[scalarMaterial:scalarCheck])
	threats(r, p, planes, scalars)

	indices := b.AddMoves(len(moves))
	for i, m := range moves {
		indices[i] = MoveIndex(m)
	}
}

// ruleScales writes the scales of all scalars.
func ruleScales(r *env.Rules, scales []uint16) {
	for i := range scales {
		scales[i] = 1
	}
	scales[scalarPlies] = uint16(r.NoProgressPlies)
	scales[scalarRepeated] = maxRepetitions
	scales[ScalarHand] = handScale
	scales[scalarNoProgress] = noProgressScale
	copy(scales[scalarMaterial:], materialScales[:])
}

// material counts the pieces of each kind.
func material(boards *[env.NumPieces]uint64, dst []uint16) {
	for i, piece := range materialKinds {
		dst[i] = min(uint16(bits.OnesCount64(boards[piece])), materialScales[i])
	}
}

// threats writes what attacks what.
func threats(r *env.Rules, p *env.Position, planes []uint64, scalars []uint16) {
	t, mover := r.Threats(p), p.SideToMove()
	planes[planeOwnHanging] = t.Hanging[mover]
	planes[planeEnemyHanging] = t.Hanging[mover.Other()]
	planes[planePinned] = t.Pinned
	planes[planeChecks] = t.Checks
	planes[planeCaptures] = t.Captures
	scalars[scalarCheck] = oneIf(t.Check)
}

// ruleVector writes the rule fields that are not regions into dst, as numbers over a scale of 1 but for
// the last.
func ruleVector(r *env.Rules, dst []uint16) {
	dst[0] = oneIf(r.Horse == env.Leaper)
	dst[1] = oneIf(r.Cannon == env.Janggi)
	dst[2] = oneIf(r.Elephant == env.Leaper)
	dst[3] = oneIf(r.Advisor == env.KingAdvisor)
	dst[4+r.SoldierPromotion] = 1
	if r.SoldierPromotion != env.NeverPromote {
		for i := range 5 {
			dst[7+i] = oneIf(r.SoldierPromotesTo.Has(env.Chariot + env.Piece(i)))
		}
	}
	for i := range 4 {
		dst[12+i] = oneIf(r.PawnPromotesTo.Has(env.Queen - env.Piece(i)))
	}
	dst[16+r.FaceoffMoves] = 1
	dst[19] = oneIf(r.FaceoffMoves != env.NoFaceoff && r.FaceoffLines == env.FileOrRank)
	dst[20] = oneIf(r.Campmate)
	dst[21] = oneIf(r.Stalemate == env.VerdictLoss)
	dst[22] = oneIf(r.PerpetualCheck == env.VerdictLoss)
	dst[23] = oneIf(r.SoldierStepResets)
	dst[24] = uint16(r.NoProgressPlies)
}

func fullIf(on bool) uint64 {
	if on {
		return ^uint64(0)
	}
	return 0
}

func oneIf(on bool) uint16 {
	if on {
		return 1
	}
	return 0
}
