package env

// Army names one of the two sides. The Western army is White in FEN, the Eastern army Black.
type Army uint8

// The two armies.
const (
	Western Army = iota
	Eastern
)

// Other returns the opposing army.
func (a Army) Other() Army { return a ^ 1 }

// String returns "Western" or "Eastern".
func (a Army) String() string {
	if a == Western {
		return "Western"
	}
	return "Eastern"
}

// Square is a board square: file + 8*rank, so a1 = 0, h1 = 7, a8 = 56, h8 = 63.
type Square uint8

// String returns the square's name, "a1" to "h8".
func (s Square) String() string { return string([]byte{'a' + byte(s&7), '1' + byte(s>>3&7)}) }

// Piece is a kind of piece together with the army it belongs to; the two armies share no kind.
type Piece uint8

// The pieces. NoPiece is an empty square.
const (
	NoPiece Piece = iota
	Pawn
	Knight
	Bishop
	Rook
	Queen
	King
	Chariot
	Horse
	Cannon
	Elephant
	Advisor
	Soldier
	Chancellor
	NumPieces // one more than the greatest Piece
)

// Army returns the army a piece belongs to; NoPiece counts as Western.
func (p Piece) Army() Army {
	if p >= Chariot {
		return Eastern
	}
	return Western
}

// String returns the piece's English name, "no piece" for NoPiece.
func (p Piece) String() string {
	if p >= NumPieces {
		return "unknown piece"
	}
	return [...]string{"no piece", "Pawn", "Knight", "Bishop", "Rook", "Queen", "King",
		"Chariot", "Horse", "Cannon", "Elephant", "Advisor", "Soldier", "Chancellor"}[p]
}

// Move is a move in 16 bits; it is also the move code of stored games (docs/formats.md).
//
//	bits  0-5   from square (for a drop: equal to the target)
//	bits  6-11  target square (for castling: the King's target, c1 or g1)
//	bits 12-15  MoveKind
//
// A move says nothing of the rule set or the position it belongs to.
type Move uint16

// NoMove is no legal move of any position (a1a1, plain).
const NoMove Move = 0

// MoveKind tells moves apart that share their squares.
type MoveKind uint8

// The move kinds. The values are part of the file format and never change.
const (
	Plain MoveKind = iota
	Castling
	Drop
	ToQueen
	ToRook
	ToBishop
	ToKnight
	ToChariot
	ToHorse
	ToCannon
	ToElephant
	ToAdvisor
	NumMoveKinds
)

// NewMove packs a move.
func NewMove(from, to Square, kind MoveKind) Move {
	return Move(from) | Move(to)<<6 | Move(kind)<<12
}

// From returns the square a move starts from; for a drop it equals To.
func (m Move) From() Square { return Square(m & 63) }

// To returns the square a move ends on.
func (m Move) To() Square { return Square(m >> 6 & 63) }

// Kind returns the move's kind.
func (m Move) Kind() MoveKind { return MoveKind(m >> 12) }

// Promotion returns the piece a move promotes to, or NoPiece.
func (m Move) Promotion() Piece {
	switch k := m.Kind(); {
	case k >= ToQueen && k <= ToKnight:
		return Queen - Piece(k-ToQueen)
	case k >= ToChariot && k < NumMoveKinds:
		return Chariot + Piece(k-ToChariot)
	}
	return NoPiece
}

// Result is how a game ended. The zero value is not a draw: it says the game goes on.
type Result uint8

// The results.
const (
	Undecided Result = iota
	WesternWins
	EasternWins
	Draw
)

// WinFor returns the result that is a win for army a.
func WinFor(a Army) Result { return WesternWins + Result(a) }

// String returns "*", "1-0", "0-1" or "1/2-1/2".
func (r Result) String() string { return [...]string{"*", "1-0", "0-1", "1/2-1/2"}[r&3] }

// Reason is the rule that ended a game.
type Reason uint8

// The reasons, in no order of precedence.
const (
	NoReason Reason = iota
	Checkmate
	FaceoffLoss
	Stalemate
	Repetition
	Perpetual
	NoProgress
	Campmate
	NumReasons
)

// String spells the reason as game records do: "checkmate", "faceoff", "stalemate", "repetition",
// "perpetual", "hundred-plies" (whatever no_progress_plies is), "campmate"; NoReason is "".
func (r Reason) String() string {
	if r >= NumReasons {
		return "unknown"
	}
	return [...]string{"", "checkmate", "faceoff", "stalemate", "repetition", "perpetual", "hundred-plies", "campmate"}[r]
}

// Outcome is a result and the rule it rests on. The zero value says the game goes on.
type Outcome struct {
	Result Result
	Reason Reason
}

// Over reports whether the game has ended.
func (o Outcome) Over() bool { return o.Result != Undecided }
