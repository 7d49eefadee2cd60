package env

import (
	"fmt"
	"math/bits"
	"strings"
)

// Mobility says whether a piece on the way blocks a Horse or an Elephant.
type Mobility uint8

// The mobilities.
const (
	Blockable Mobility = iota // the square on the way must be empty; an Elephant moves exactly two squares
	Leaper                    // nothing blocks; an Elephant moves one or two squares
)

// CannonKind is one of the two Cannons.
type CannonKind uint8

// The Cannons.
const (
	Xiangqi CannonKind = iota // moves as a rook, captures over exactly one piece of any kind
	Janggi                    // moves and captures over exactly one piece; neither that nor the target may be a Cannon
)

// AdvisorKind is one of the two Advisors.
type AdvisorKind uint8

// The Advisors.
const (
	DiagonalAdvisor AdvisorKind = iota // one diagonal step
	KingAdvisor                        // one step in any direction
)

// PromotionKind says what happens to a Soldier on rank 1.
type PromotionKind uint8

// The kinds of Soldier promotion.
const (
	MustPromote  PromotionKind = iota
	MayPromote                 // any Soldier move that ends on rank 1, a sideways one too, offers each promotion and none
	NeverPromote               // on rank 1 it only steps sideways
)

// FaceoffKind says what a move does that leaves the royals facing each other.
type FaceoffKind uint8

// The kinds of faceoff.
const (
	FaceoffLoses   FaceoffKind = iota // the mover loses at once; the King's own move is illegal
	FaceoffIllegal                    // such a move is illegal
	NoFaceoff                         // nothing
)

// FaceoffLines are the lines along which royals face each other.
type FaceoffLines uint8

// The faceoff lines.
const (
	FileOnly FaceoffLines = iota
	FileOrRank
)

// Verdict is how a stalemate or a perpetual check counts.
type Verdict uint8

// The verdicts.
const (
	VerdictDraw Verdict = iota
	VerdictLoss         // for the side that cannot move; for the side that checks
)

// PieceSet is a set of pieces, bit p standing for Piece p.
type PieceSet uint16

// Has reports whether the set holds p.
func (s PieceSet) Has(p Piece) bool { return s>>p&1 != 0 }

// Rules is a rule set: the fields of docs/rules.md in their order, and tables derived from them. It is
// made by Builtin, ParseRules or With, is never changed after that, and may be shared by goroutines.
// Regions are bitboards (bit 0 = a1) of the squares a piece may land on.
type Rules struct {
	Name              string
	Start             string // FEN in the output dialect
	Horse             Mobility
	HorseLetter       byte // 'h' or 'n', notation only
	Cannon            CannonKind
	Elephant          Mobility
	ElephantRegion    uint64
	Advisor           AdvisorKind
	AdvisorRegion     uint64
	SoldierPromotion  PromotionKind
	SoldierPromotesTo PieceSet // of Chariot, Horse, Cannon, Elephant, Advisor
	PawnPromotesTo    PieceSet // of Queen, Rook, Bishop, Knight
	DropRegion        uint64
	FaceoffMoves      FaceoffKind // field faceoff: what a move that makes a faceoff does
	FaceoffLines      FaceoffLines
	Campmate          bool
	Stalemate         Verdict
	PerpetualCheck    Verdict
	SoldierStepResets bool // does a Soldier's step forward reset the ply count?
	NoProgressPlies   int  // plies without progress that make a draw, 20 to 1000
	CampmateRank      int  // where there is campmate: the rank a royal must reach, from its own army's side, 2 to 8

	derived
}

// StartPosition returns the position a game of this rule set begins with.
func (r *Rules) StartPosition() Position { return r.start }

// MaxSoldiers returns the number of Soldiers of the start position, hand included: the most there can
// ever be.
func (r *Rules) MaxSoldiers() int { return r.start.Hand() + bits.OnesCount64(r.start.soldiers) }

// builtins are the built-in rule sets as rules files without their names; the first is the default.
var builtins = []struct{ name, text string }{
	{"moddable", `
start: rheakahr/2c2c2/8/8/8/8/PPPPPPPP/RNBQKBNR[ssssss] w KQ - 0 1
horse: blockable
horse_letter: h
cannon: xiangqi
elephant: blockable
elephant_region: 5-8
advisor: diagonal
advisor_region: d7 e7 f7 d8 e8 f8
soldier_promotion: must
soldier_promotes_to: rhcea
pawn_promotes_to: qrbn
drop_region: 5
faceoff: loses
faceoff_lines: file
campmate: false
stalemate: draw
perpetual_check: draw
soldier_step_resets: true
no_progress_plies: 100
`},
	{"moddable-strict", `
base: moddable
faceoff: illegal
`},
	{"moddable-fsf", `
base: moddable
faceoff: illegal
faceoff_lines: file-or-rank
`},
	{"pychess", `
start: rneakenr/8/1c4c1/1ss2ss1/8/8/PPPPPPPP/RNBQKBNR[ss] w KQ - 0 1
horse: leaper
horse_letter: n
cannon: janggi
elephant: leaper
elephant_region: all
advisor: king
advisor_region: all
soldier_promotion: never
soldier_promotes_to: "-"
pawn_promotes_to: qrbn
drop_region: 5
faceoff: illegal
faceoff_lines: file-or-rank
campmate: true
stalemate: loss
perpetual_check: loss
soldier_step_resets: false
no_progress_plies: 100
`},
}

// BuiltinNames returns the names of the built-in rule sets, the default first.
func BuiltinNames() (names []string) {
	for _, b := range builtins {
		names = append(names, b.name)
	}
	return names
}

// Builtin returns a built-in rule set. The error names those that there are.
func Builtin(name string) (*Rules, error) {
	for _, b := range builtins {
		if b.name == name {
			return parseRules([]byte("name: " + name + b.text))
		}
	}
	return nil, fmt.Errorf("no built-in rule set is called %q: use one of %s", name, strings.Join(BuiltinNames(), ", "))
}
