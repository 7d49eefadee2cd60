package encode

import (
	"slices"

	"synochess/env"
)

// Version is the newest version of inputs and policy indices together. A row is always of this version. A newer
// version only appends planes and scalars to those of the older ones, so that a network of an older version reads the
// first of them (Inputs) and answers as it always did.
const Version = 3

// DefaultVersion is the version of a network that is made without saying which: it sees all that the built-in rule
// sets differ in. Newer ones see later rule fields, too.
const DefaultVersion = 2

// The shape of a row.
const (
	NumPlanes    = 24 // binary planes
	NumScalars   = 41 // scalar inputs
	PlaneScalars = 2  // the first scalars, which networks take as constant planes; the others are their vector
)

// Plane is a binary plane of a row.
type Plane struct {
	Name  string
	Since int                       // encoding version that brought it
	rule  func(r *env.Rules) uint64 // its squares where the rule set alone decides them, else nil
}

// Scalar is a scalar input of a row: a number divided by a scale.
type Scalar struct {
	Name  string
	Scale uint16                    // 1 for what is 0 or 1 itself; 0: the rule set's no_progress_plies
	Since int                       // encoding version that brought it
	rule  func(r *env.Rules) uint16 // its number where the rule set alone decides it, else nil
}

// The inputs of a row in their order. These two tables feed the encoder, the description of exported networks, and the
// tables of doc.go and docs/onnx.md (go test ./env/encode -update). A new input goes to the end, with a new version. That
// of a rule field that came later than the first rule sets has the field's key for its name, or begins with key and
// colon, and is 0 where the field has the value that it has when absent.
var planeInputs = [NumPlanes]Plane{
	{"Pawns", 1, nil},
	{"Knights", 1, nil},
	{"Bishops", 1, nil},
	{"Rooks", 1, nil},
	{"Queens", 1, nil},
	{"King", 1, nil},
	{"Chariots", 1, nil},
	{"Horses", 1, nil},
	{"Cannons", 1, nil},
	{"Elephants", 1, nil},
	{"Advisors", 1, nil},
	{"Soldiers", 1, nil},
	{"Chancellor", 1, nil},
	{"West may castle kingside", 1, nil},
	{"West may castle queenside", 1, nil},
	{"East to move", 1, nil},
	{"Soldier drop region", 1, func(r *env.Rules) uint64 { return r.DropRegion }},
	{"Elephant region", 1, func(r *env.Rules) uint64 { return r.ElephantRegion }},
	{"Advisor region", 1, func(r *env.Rules) uint64 { return r.AdvisorRegion }},
	{"own pieces that hang", 2, nil},
	{"enemy pieces that hang", 2, nil},
	{"own pieces that are pinned", 2, nil},
	{"squares of checking moves", 2, nil},
	{"pieces that can be taken", 2, nil},
}

var scalarInputs = [NumScalars]Scalar{
	{"plies without progress / no_progress_plies", 0, 1, nil},
	{"earlier occurrences (at most 2) / 2", maxRepetitions, 1, nil},
	{"Soldiers in hand", handScale, 1, nil},
	{"horse: leaper", 1, 1, func(r *env.Rules) uint16 { return oneIf(r.Horse == env.Leaper) }},
	{"cannon: janggi", 1, 1, func(r *env.Rules) uint16 { return oneIf(r.Cannon == env.Janggi) }},
	{"elephant: leaper", 1, 1, func(r *env.Rules) uint16 { return oneIf(r.Elephant == env.Leaper) }},
	{"advisor: king", 1, 1, func(r *env.Rules) uint16 { return oneIf(r.Advisor == env.KingAdvisor) }},
	{"soldier_promotion: must", 1, 1, func(r *env.Rules) uint16 { return oneIf(r.SoldierPromotion == env.MustPromote) }},
	{"soldier_promotion: may", 1, 1, func(r *env.Rules) uint16 { return oneIf(r.SoldierPromotion == env.MayPromote) }},
	{"soldier_promotion: never", 1, 1, func(r *env.Rules) uint16 { return oneIf(r.SoldierPromotion == env.NeverPromote) }},
	{"soldier_promotes_to: Chariot", 1, 1, soldierPromotesTo(env.Chariot)},
	{"soldier_promotes_to: Horse", 1, 1, soldierPromotesTo(env.Horse)},
	{"soldier_promotes_to: Cannon", 1, 1, soldierPromotesTo(env.Cannon)},
	{"soldier_promotes_to: Elephant", 1, 1, soldierPromotesTo(env.Elephant)},
	{"soldier_promotes_to: Advisor", 1, 1, soldierPromotesTo(env.Advisor)},
	{"pawn_promotes_to: Queen", 1, 1, pawnPromotesTo(env.Queen)},
	{"pawn_promotes_to: Rook", 1, 1, pawnPromotesTo(env.Rook)},
	{"pawn_promotes_to: Bishop", 1, 1, pawnPromotesTo(env.Bishop)},
	{"pawn_promotes_to: Knight", 1, 1, pawnPromotesTo(env.Knight)},
	{"faceoff: loses", 1, 1, func(r *env.Rules) uint16 { return oneIf(r.FaceoffMoves == env.FaceoffLoses) }},
	{"faceoff: illegal", 1, 1, func(r *env.Rules) uint16 { return oneIf(r.FaceoffMoves == env.FaceoffIllegal) }},
	{"faceoff: none", 1, 1, func(r *env.Rules) uint16 { return oneIf(r.FaceoffMoves == env.NoFaceoff) }},
	{"faceoff_lines: file-or-rank", 1, 1, func(r *env.Rules) uint16 {
		return oneIf(r.FaceoffMoves != env.NoFaceoff && r.FaceoffLines == env.FileOrRank)
	}},
	{"campmate", 1, 1, func(r *env.Rules) uint16 { return oneIf(r.Campmate) }},
	{"stalemate: loss", 1, 1, func(r *env.Rules) uint16 { return oneIf(r.Stalemate == env.VerdictLoss) }},
	{"perpetual check: loss", 1, 1, func(r *env.Rules) uint16 { return oneIf(r.PerpetualCheck == env.VerdictLoss) }},
	{"a Soldier's step resets the ply count", 1, 1, func(r *env.Rules) uint16 { return oneIf(r.SoldierStepResets) }},
	{"no_progress_plies", 1000, 1, func(r *env.Rules) uint16 { return uint16(r.NoProgressPlies) }},
	{"Pawns on the board", 8, 2, nil},
	{"Knights on the board", 4, 2, nil},
	{"Bishops on the board", 4, 2, nil},
	{"Rooks on the board", 4, 2, nil},
	{"Queens on the board", 4, 2, nil},
	{"Chariots on the board", 4, 2, nil},
	{"Horses on the board", 4, 2, nil},
	{"Cannons on the board", 4, 2, nil},
	{"Elephants on the board", 4, 2, nil},
	{"Advisors on the board", 4, 2, nil},
	{"Soldiers on the board", 8, 2, nil},
	{"in check", 1, 2, nil},
	{"campmate_rank: ranks nearer than the last", 6, 3, func(r *env.Rules) uint16 {
		if !r.Campmate {
			return 0
		}
		return uint16(8 - r.CampmateRank)
	}},
}

// Inputs returns how many planes and scalars of a row a network of an encoding version reads. ok is false for a
// version that there is not.
func Inputs(version int) (planes, scalars int, ok bool) {
	if version < 1 || version > Version {
		return 0, 0, false
	}
	for planes < NumPlanes && planeInputs[planes].Since <= version {
		planes++
	}
	for scalars < NumScalars && scalarInputs[scalars].Since <= version {
		scalars++
	}
	return planes, scalars, true
}

// Planes describes the binary planes that a network of an encoding version reads.
func Planes(version int) []Plane {
	n, _, _ := Inputs(version)
	return slices.Clone(planeInputs[:n])
}

// Scalars describes the scalars that a network of an encoding version reads.
func Scalars(version int) []Scalar {
	_, n, _ := Inputs(version)
	return slices.Clone(scalarInputs[:n])
}

func soldierPromotesTo(p env.Piece) func(r *env.Rules) uint16 {
	return func(r *env.Rules) uint16 {
		return oneIf(r.SoldierPromotion != env.NeverPromote && r.SoldierPromotesTo.Has(p))
	}
}

func pawnPromotesTo(p env.Piece) func(r *env.Rules) uint16 {
	return func(r *env.Rules) uint16 { return oneIf(r.PawnPromotesTo.Has(p)) }
}
