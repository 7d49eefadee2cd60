package env

import "fmt"

// The regions the built-in rule sets use.
const (
	upperHalf  uint64 = 0xffffffff << 32 // ranks 5 to 8
	palace     uint64 = 0x3838 << 48     // d7 e7 f7 d8 e8 f8
	rank5      uint64 = 0xff << 32
	allWestern        = PieceSet(1<<Queen | 1<<Rook | 1<<Bishop | 1<<Knight)
	allEastern        = PieceSet(1<<Chariot | 1<<Horse | 1<<Cannon | 1<<Elephant | 1<<Advisor)
)

// builtinNames lists the built-in rule sets; the first is the default.
var builtinNames = []string{"moddable", "moddable-strict", "moddable-fsf", "pychess"}

// BuiltinNames returns the names of the built-in rule sets, the default first.
func BuiltinNames() []string { return append([]string(nil), builtinNames...) }

// Builtin returns a built-in rule set.
func Builtin(name string) (*Rules, error) {
	r := builtinFields(name)
	if r == nil {
		return nil, fmt.Errorf("no built-in rule set is called %q: use one of %v", name, builtinNames)
	}
	if err := r.finish(); err != nil {
		return nil, err
	}
	return r, nil
}

// builtinFields returns the fields of a built-in rule set without derived tables, nil if there is none
// of that name.
func builtinFields(name string) *Rules {
	moddable := Rules{
		Name:              name,
		Start:             "rheakahr/2c2c2/8/8/8/8/PPPPPPPP/RNBQKBNR[ssssss] w KQ - 0 1",
		Horse:             Blockable,
		HorseLetter:       'h',
		Cannon:            Xiangqi,
		Elephant:          Blockable,
		ElephantRegion:    upperHalf,
		Advisor:           DiagonalAdvisor,
		AdvisorRegion:     palace,
		SoldierPromotion:  MustPromote,
		SoldierPromotesTo: allEastern,
		PawnPromotesTo:    allWestern,
		DropRegion:        rank5,
		FaceoffMoves:      FaceoffLoses,
		FaceoffLines:      FileOnly,
		Campmate:          false,
		Stalemate:         VerdictDraw,
		PerpetualCheck:    VerdictDraw,
		SoldierStepResets: true,
		NoProgressPlies:   100,
	}
	switch name {
	case "moddable":
		return &moddable
	case "moddable-strict":
		moddable.FaceoffMoves = FaceoffIllegal
		return &moddable
	case "moddable-fsf":
		moddable.FaceoffMoves = FaceoffIllegal
		moddable.FaceoffLines = FileOrRank
		return &moddable
	case "pychess":
		return &Rules{
			Name:             name,
			Start:            "rneakenr/8/1c4c1/1ss2ss1/8/8/PPPPPPPP/RNBQKBNR[ss] w KQ - 0 1",
			Horse:            Leaper,
			HorseLetter:      'n',
			Cannon:           Janggi,
			Elephant:         Leaper,
			ElephantRegion:   allSquares,
			Advisor:          KingAdvisor,
			AdvisorRegion:    allSquares,
			SoldierPromotion: NeverPromote,
			PawnPromotesTo:   allWestern,
			DropRegion:       rank5,
			FaceoffMoves:     FaceoffIllegal,
			FaceoffLines:     FileOrRank,
			Campmate:         true,
			Stalemate:        VerdictLoss,
			PerpetualCheck:   VerdictLoss,
			NoProgressPlies:  100,
		}
	}
	return nil
}
