package env

import "math/bits"

// Attacks along lines are looked up in tables indexed by the occupancy of the lines, which one
// multiplication gathers into a dense number (known as magic bitboards).

// slider is one square's part of a table. Fixed after start.
type slider struct {
	relevant   uint64 // the squares whose occupancy matters: the lines without their last squares
	multiplier uint64
	offset     uint32 // of the square's first entry
	shift      uint32
}

var (
	rooks, bishops [64]slider

	rookTable   [1 << 17]uint64 // up to and including the first piece on each line; 102,400 entries in use
	hopTable    [1 << 17]uint64 // from there up to and including the second piece
	bishopTable [1 << 13]uint64 // 5,248 entries in use
)

func fillSliders() {
	var offsets [2]uint32
	for s := Square(0); s < 64; s++ {
		offsets[0] += rooks[s].prepare(s, orthogonalDirections, rookMultipliers[s], offsets[0])
		rooks[s].eachOccupancy(func(index uint32, occupied uint64) {
			rookTable[index], hopTable[index] = slide(s, orthogonalDirections, occupied)
		})
		offsets[1] += bishops[s].prepare(s, diagonalDirections, bishopMultipliers[s], offsets[1])
		bishops[s].eachOccupancy(func(index uint32, occupied uint64) {
			bishopTable[index], _ = slide(s, diagonalDirections, occupied)
		})
	}
}

// prepare sets up the square's part of its table and returns how many entries it takes.
func (l *slider) prepare(s Square, directions [4]direction, multiplier uint64, offset uint32) uint32 {
	for _, d := range directions {
		for n := 1; s.offset(d, n+1) != 0; n++ {
			l.relevant |= s.offset(d, n)
		}
	}
	size := bits.OnesCount64(l.relevant)
	l.multiplier, l.offset, l.shift = multiplier, offset, uint32(64-size)
	return 1 << size
}

// eachOccupancy calls do with every occupancy of the relevant squares and the entry it belongs to.
func (l *slider) eachOccupancy(do func(index uint32, occupied uint64)) {
	for occupied := uint64(0); ; {
		do(l.index(occupied), occupied)
		occupied = (occupied - l.relevant) & l.relevant
		if occupied == 0 {
			return
		}
	}
}

// index returns the table entry for an occupancy of the board.
func (l *slider) index(occupied uint64) uint32 {
	return l.offset + uint32(occupied&l.relevant*l.multiplier>>(l.shift&63))
}

// slide walks the four directions: direct are the squares up to and including the first piece, hop those
// after it up to and including the second.
func slide(s Square, directions [4]direction, occupied uint64) (direct, hop uint64) {
	for _, d := range directions {
		seen := &direct
		for n := 1; ; n++ {
			bit := s.offset(d, n)
			*seen |= bit
			if bit == 0 || occupied&bit != 0 && seen == &hop {
				break
			}
			if occupied&bit != 0 {
				seen = &hop
			}
		}
	}
	return direct, hop
}

// rookAttacks returns the squares a rook on s reaches, the first piece on each line included.
func rookAttacks(s Square, occupied uint64) uint64 {
	return rookTable[rooks[s&63].index(occupied)&(1<<17-1)]
}

// cannonReach returns what rookAttacks does, and the squares after the first piece up to and including
// the second.
func cannonReach(s Square, occupied uint64) (direct, hop uint64) {
	i := rooks[s&63].index(occupied) & (1<<17 - 1)
	return rookTable[i], hopTable[i]
}

// bishopAttacks returns the squares a bishop on s reaches, the first piece on each diagonal included.
func bishopAttacks(s Square, occupied uint64) uint64 {
	return bishopTable[bishops[s&63].index(occupied)&(1<<13-1)]
}
