package encode

import (
	"math/bits"

	"synochess/env"
)

// Numbers of planes and scalars in the tables of inputs. A piece p has plane p-1.
const (
	planeKingside     = 13
	planeQueenside    = 14
	PlaneEastern      = 15 // full where the East is to move, else empty
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
	ScalarHand        = 2  // Soldiers in hand
	scalarRules       = 3  // the first that the rule set alone decides
	scalarMaterial    = 28 // the first of materialKinds
	scalarCheck       = 39
)

const (
	maxRepetitions = 2  // earlier occurrences that are told apart
	handScale      = 16 // the most Soldiers that a hand can hold
)

// The inputs of version 1 that the rule set alone decides: planes and scalars from the first up to the end, that one
// left out. Those of later versions stand among the others, which depend on the position.
const (
	FirstRulePlane  = planeDrop
	EndRulePlanes   = planeAdvisor + 1
	FirstRuleScalar = scalarRules
	EndRuleScalars  = scalarMaterial
)

// materialKinds are the pieces that are counted, and materialScales their scales; what is beyond is not counted.
var (
	materialKinds  = [...]env.Piece{env.Pawn, env.Knight, env.Bishop, env.Rook, env.Queen, env.Chariot, env.Horse, env.Cannon, env.Elephant, env.Advisor, env.Soldier}
	materialScales = scalesOfMaterial()
)

func scalesOfMaterial() (scales [len(materialKinds)]uint16) {
	for i := range scales {
		scales[i] = scalarInputs[scalarMaterial+i].Scale
	}
	return scales
}

// NewBatch returns an empty batch for rows of this encoding.
func NewBatch() *Batch { return NewBatchOf(NumPlanes, NumScalars) }

// AppendRow appends a position of rule set r and its legal moves to a batch made by NewBatch.
// repetitions is the number of earlier occurrences of the position in its game; more than 2 count as 2.
// moves are the legal moves, in the order in which the answer will list their logits.
func AppendRow(b *Batch, r *env.Rules, p *env.Position, repetitions int, moves []env.Move) {
	hash := r.GroupHash()
	part := &b.rules[hash%ruleSlots]
	if !part.filled || part.hash != hash {
		part.fill(r)
	}
	planes, scalars, scales := b.AddRow(hash)
	*(*[NumPlanes]uint64)(planes) = part.planes
	*(*[NumScalars]uint16)(scalars) = part.scalars
	*(*[NumScalars]uint16)(scales) = part.scales
	boards := p.Boards()
	copy(planes, boards[env.Pawn:])
	planes[planeKingside] = fullIf(p.CanCastleKingside())
	planes[planeQueenside] = fullIf(p.CanCastleQueenside())
	planes[PlaneEastern] = fullIf(p.SideToMove() == env.Eastern)
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

// ruleSlots is how many rule sets' parts a batch keeps.
const ruleSlots = 8

// rulePart holds the inputs that a rule set alone decides, and the scales of all scalars; what depends on the position
// is 0.
type rulePart struct {
	filled  bool
	hash    uint64 // GroupHash of the rule set
	planes  [NumPlanes]uint64
	scalars [NumScalars]uint16
	scales  [NumScalars]uint16
}

// fill computes the part of a rule set.
func (part *rulePart) fill(r *env.Rules) {
	*part = rulePart{filled: true, hash: r.GroupHash()}
	for i := range planeInputs {
		if squares := planeInputs[i].rule; squares != nil {
			part.planes[i] = squares(r)
		}
	}
	for i := range scalarInputs {
		in := &scalarInputs[i]
		if part.scales[i] = in.Scale; in.Scale == 0 {
			part.scales[i] = uint16(r.NoProgressPlies)
		}
		if in.rule != nil {
			part.scalars[i] = in.rule(r)
		}
	}
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
