package env

import "math/bits"

const (
	fileA uint64 = 0x0101010101010101
	fileH uint64 = fileA << 7
	rank1 uint64 = 0xff
	rank3 uint64 = rank1 << 16
	rank7 uint64 = rank1 << 48
	rank8 uint64 = rank1 << 56

	allSquares = ^uint64(0)
)

// Geometry that no rule set changes. The tables named near... answer, for a royal on a square, from
// where a piece could attack one of the squares around it on an empty board; anything that stands
// elsewhere need not be looked at.
var (
	between [64][64]uint64 // squares strictly between two squares on one rank, file or diagonal
	beyond  [64][64]uint64 // squares further on, from the first square through the second

	files         [64]uint64 // the other squares of a square's file
	orthogonals   [64]uint64 // those of its file and rank
	diagonals     [64]uint64 // the other squares of its two diagonals
	adjacent      [64]uint64 // the up to eight squares around it
	orthogonal1   [64]uint64 // those on its file and rank
	diagonal1     [64]uint64 // those on its diagonals
	knightJumps   [64]uint64
	pawnAttackers [64]uint64 // from where a Western Pawn attacks the square

	nearKnights, nearPawns, nearOrthogonals, nearDiagonals [64]uint64
)

// direction is a step on the board.
type direction struct{ file, rank int }

var (
	orthogonalDirections = [4]direction{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	diagonalDirections   = [4]direction{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}
)

// offset returns the square n steps away as a bit, 0 if that is off the board.
func (s Square) offset(d direction, n int) uint64 {
	file, rank := int(s&7)+n*d.file, int(s>>3)+n*d.rank
	if file < 0 || file > 7 || rank < 0 || rank > 7 {
		return 0
	}
	return 1 << (8*rank + file)
}

// first returns the lowest square of a non-empty bitboard.
func first(b uint64) Square { return Square(bits.TrailingZeros64(b) & 63) }

// count returns the number of squares of a bitboard.
func count(b uint64) int { return bits.OnesCount64(b) }

func init() {
	fillSliders()
	for s := Square(0); s < 64; s++ {
		for _, d := range orthogonalDirections {
			orthogonal1[s] |= s.offset(d, 1)
			fillRay(s, d, &orthogonals)
			for _, side := range diagonalDirections {
				if side.file*d.file+side.rank*d.rank > 0 {
					knightJumps[s] |= s.offset(direction{d.file + side.file, d.rank + side.rank}, 1)
				}
			}
		}
		for _, d := range diagonalDirections {
			diagonal1[s] |= s.offset(d, 1)
			fillRay(s, d, &diagonals)
		}
		files[s] = fileA << (s & 7) &^ (1 << s)
		adjacent[s] = orthogonal1[s] | diagonal1[s]
		pawnAttackers[s] = s.offset(direction{-1, -1}, 1) | s.offset(direction{1, -1}, 1)
	}
	nearKnights = aroundEach(&knightJumps)
	nearPawns = aroundEach(&pawnAttackers)
	nearOrthogonals = aroundEach(&orthogonals)
	nearDiagonals = aroundEach(&diagonals)
}

// fillRay enters the squares from s in direction d into lines, between and beyond.
func fillRay(s Square, d direction, lines *[64]uint64) {
	var way uint64
	for n := 1; s.offset(d, n) != 0; n++ {
		bit := s.offset(d, n)
		t := first(bit)
		between[s][t] = way
		for w := way; w != 0; w &= w - 1 {
			beyond[s][first(w)] |= bit
		}
		way |= bit
	}
	lines[s] |= way
}

// aroundEach unites, for each square, what attackers holds for the squares around it.
func aroundEach(attackers *[64]uint64) (near [64]uint64) {
	for s := range near {
		for b := adjacent[s]; b != 0; b &= b - 1 {
			near[s] |= attackers[first(b)]
		}
	}
	return near
}
