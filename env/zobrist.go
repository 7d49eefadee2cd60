package env

import "math/bits"

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
