package env

import (
	"math/bits"
)

// The castling rights in Position.castling.
const (
	castleKingside uint8 = 1 << iota
	castleQueenside
)

// Position is everything but the history: board, hand, side to move, castling rights and counters. It
// holds no pointers and is meant to be copied (120 bytes). Two positions are equal with == when all of
// that is equal.
//
//	western, eastern      all pieces of an army, royals included
//	diagonal, orthogonal  Bishops and Queens, Rooks and Queens: a Queen stands in both
//	king, chancellor      the royals' squares; they stand in no board of their own
//	hash                  Zobrist hash of board, hand, side and castling, kept incrementally
type Position struct {
	western, eastern                                         uint64
	pawns, knights, diagonal, orthogonal                     uint64
	chariots, horses, cannons, elephants, advisors, soldiers uint64
	hash                                                     uint64
	plyCount, moveNumber                                     int32
	king, chancellor                                         Square
	hand, castling                                           uint8
	side                                                     Army
}

// SideToMove returns the army whose turn it is.
func (p *Position) SideToMove() Army { return p.side }

// PlyCount returns the number of plies without progress that led here (FEN's half-move count).
func (p *Position) PlyCount() int { return int(p.plyCount) }

// MoveNumber returns FEN's move number: 1 at the start, one more after each Eastern move.
func (p *Position) MoveNumber() int { return int(p.moveNumber) }

// Hash returns the Zobrist hash of what makes positions the same for repetition: board, hand, side to
// move and castling rights.
func (p *Position) Hash() uint64 { return p.hash }

// Hand returns the number of Soldiers in the Eastern hand.
func (p *Position) Hand() int { return int(p.hand) }

// CanCastleKingside reports whether the West still has the right to castle with the h1 Rook.
func (p *Position) CanCastleKingside() bool { return p.castling&castleKingside != 0 }

// CanCastleQueenside reports whether the West still has the right to castle with the a1 Rook.
func (p *Position) CanCastleQueenside() bool { return p.castling&castleQueenside != 0 }

// Occupied returns the squares that hold a piece.
func (p *Position) Occupied() uint64 { return p.western | p.eastern }

// ArmyPieces returns the squares that hold a piece of army a, its royal included.
func (p *Position) ArmyPieces(a Army) uint64 {
	if a == Western {
		return p.western
	}
	return p.eastern
}

// Pieces returns the squares that hold the given piece; for NoPiece the empty squares.
func (p *Position) Pieces(pc Piece) uint64 {
	switch pc {
	case NoPiece:
		return ^p.Occupied()
	case Pawn:
		return p.pawns
	case Knight:
		return p.knights
	case Bishop:
		return p.diagonal &^ p.orthogonal
	case Rook:
		return p.orthogonal &^ p.diagonal
	case Queen:
		return p.diagonal & p.orthogonal
	case King:
		return 1 << p.king
	case Chariot:
		return p.chariots
	case Horse:
		return p.horses
	case Cannon:
		return p.cannons
	case Elephant:
		return p.elephants
	case Advisor:
		return p.advisors
	case Soldier:
		return p.soldiers
	case Chancellor:
		return 1 << p.chancellor
	}
	return 0
}

// Boards returns the squares of every kind of piece, as Assemble takes them; nothing for NoPiece.
func (p *Position) Boards() [NumPieces]uint64 {
	return [NumPieces]uint64{
		Pawn: p.pawns, Knight: p.knights, Bishop: p.diagonal &^ p.orthogonal, Rook: p.orthogonal &^ p.diagonal,
		Queen: p.diagonal & p.orthogonal, King: 1 << p.king,
		Chariot: p.chariots, Horse: p.horses, Cannon: p.cannons, Elephant: p.elephants, Advisor: p.advisors,
		Soldier: p.soldiers, Chancellor: 1 << p.chancellor,
	}
}

// PieceAt returns the piece on a square, NoPiece if it is empty.
func (p *Position) PieceAt(s Square) Piece {
	switch bit := uint64(1) << s; {
	case p.western&bit != 0:
		return p.westernAt(s)
	case p.eastern&bit != 0:
		return p.easternAt(s)
	}
	return NoPiece
}

// westernAt returns the piece on a square that holds a Western one.
func (p *Position) westernAt(s Square) Piece {
	switch bit := uint64(1) << s; {
	case p.pawns&bit != 0:
		return Pawn
	case p.knights&bit != 0:
		return Knight
	case p.diagonal&p.orthogonal&bit != 0:
		return Queen
	case p.diagonal&bit != 0:
		return Bishop
	case p.orthogonal&bit != 0:
		return Rook
	}
	return King
}

// easternAt returns the piece on a square that holds an Eastern one.
func (p *Position) easternAt(s Square) Piece {
	switch bit := uint64(1) << s; {
	case p.soldiers&bit != 0:
		return Soldier
	case p.chariots&bit != 0:
		return Chariot
	case p.horses&bit != 0:
		return Horse
	case p.cannons&bit != 0:
		return Cannon
	case p.elephants&bit != 0:
		return Elephant
	case p.advisors&bit != 0:
		return Advisor
	}
	return Chancellor
}

// Assemble builds a position from its parts: pieces[Piece] are bitboards that share no square, with
// exactly one King and one Chancellor; pieces[NoPiece] is ignored. It does not judge the position:
// ParseFEN does.
func Assemble(pieces [NumPieces]uint64, hand int, side Army, kingside, queenside bool, plyCount, moveNumber int) Position {
	p := Position{
		pawns:      pieces[Pawn],
		knights:    pieces[Knight],
		diagonal:   pieces[Bishop] | pieces[Queen],
		orthogonal: pieces[Rook] | pieces[Queen],
		chariots:   pieces[Chariot],
		horses:     pieces[Horse],
		cannons:    pieces[Cannon],
		elephants:  pieces[Elephant],
		advisors:   pieces[Advisor],
		soldiers:   pieces[Soldier],
		king:       Square(bits.TrailingZeros64(pieces[King]) & 63),
		chancellor: Square(bits.TrailingZeros64(pieces[Chancellor]) & 63),
		hand:       uint8(hand),
		side:       side,
		plyCount:   int32(plyCount),
		moveNumber: int32(moveNumber),
	}
	for pc := Pawn; pc < NumPieces; pc++ {
		if pc.Army() == Western {
			p.western |= pieces[pc]
		} else {
			p.eastern |= pieces[pc]
		}
	}
	if kingside {
		p.castling |= castleKingside
	}
	if queenside {
		p.castling |= castleQueenside
	}
	p.hash = p.computeHash()
	return p
}

// MaxHand is the greatest number of Soldiers a rule set may have, on the board and in hand together.
const MaxHand = 16

// The keys that are combined with exclusive or into a position's hash. They depend on nothing but this
// file, so hashes are the same in every run and on every machine.
var (
	pieceKeys    [16][64]uint64 // by Piece
	handKeys     [32]uint64     // more than MaxHand, so that an index can be masked
	castlingKeys [4]uint64
	easternKey   uint64 // the East is to move
)

func init() {
	state := uint64(0x53594e4f43484553)
	next := func() uint64 { // splitmix64 (Steele, Lea, Flood 2014)
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	for pc := Pawn; pc < NumPieces; pc++ {
		for s := range pieceKeys[pc] {
			pieceKeys[pc][s] = next()
		}
	}
	for i := range handKeys {
		handKeys[i] = next()
	}
	for i := range castlingKeys {
		castlingKeys[i] = next()
	}
	easternKey = next()
}

// computeHash computes the hash from nothing.
func (p *Position) computeHash() uint64 {
	h := handKeys[p.hand&31] ^ castlingKeys[p.castling&3]
	if p.side == Eastern {
		h ^= easternKey
	}
	for pc := Pawn; pc < NumPieces; pc++ {
		for b := p.Pieces(pc); b != 0; b &= b - 1 {
			h ^= pieceKeys[pc][bits.TrailingZeros64(b)]
		}
	}
	return h
}
