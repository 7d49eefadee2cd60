package env

import (
	"math/bits"
)

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

// The multipliers that gather a square's relevant occupancy into a table index, for rooks (and Cannons) and
// for bishops, by square from a1. Each was found by trying random numbers with few bits until no two
// occupancies with different reach got one index; a test proves it for every occupancy.
var (
	rookMultipliers = [64]uint64{
		0x9080001184204004, 0x00c01008a0004000, 0x0500081100c12000, 0x4700090084203000,
		0x9200060068210410, 0x0080020014000980, 0x00801a0001005080, 0x0900018021450002,
		0x3000800220400480, 0x2000400042201000, 0x2201001020010940, 0x8000801000800800,
		0x09010008020c1100, 0x0602001012000884, 0x0441002402000100, 0x0140800244802100,
		0x9220608000c00090, 0x0090054000c82000, 0x0001010010406001, 0x4801848018003000,
		0x0404050010080100, 0x0001010006040008, 0x0900040048900621, 0x000102000a81004c,
		0x1c0440008004208c, 0x1020100340042040, 0x8d02002200348040, 0x0000080080100080,
		0x1084240080080280, 0x14890c0080020080, 0x0081284400223001, 0x0100884600108114,
		0x0002400020800880, 0x0002814000802000, 0x0020806000801004, 0x800a002112004008,
		0x02c2800400800803, 0x0040800400800200, 0x08408a2804000110, 0x040280c582000104,
		0x0080044460044004, 0x6200a01000404001, 0x0101002000450010, 0x408a00c008120020,
		0x0201002800110004, 0x2002008084008002, 0x0813000600110004, 0x0801000040810002,
		0xa001014024800500, 0x02c0a08240090100, 0x0c0a20001106c100, 0x00a8000880100480,
		0x200908020c008080, 0x020200504804c200, 0x01010042000c1100, 0x000580010000d080,
		0x0400209201048042, 0x4a01015080400721, 0x0702091020010045, 0x0888100100082045,
		0x0013001004080023, 0xc022000425081002, 0xc201000200008401, 0xc0000510e4440082,
	}
	bishopMultipliers = [64]uint64{
		0x0088a00c04420420, 0x0002840902021000, 0x0008008102002000, 0x0114124200105200,
		0x00051040400910c0, 0x0042051008231410, 0x00184c0444c01000, 0x0000420050080400,
		0x0000102018430442, 0x1080200444104440, 0x0003280805002000, 0x000108060b480010,
		0x0608011040800024, 0x00020d1016500040, 0x100904040c040601, 0x0c04410900900400,
		0x4108000c08081842, 0x4402001010021088, 0x101000080081a228, 0x0008094882044040,
		0x0084000081a00050, 0x0001002210008401, 0x0001002044022000, 0x0600271100821000,
		0x4108200040840104, 0x1004a00042080b00, 0x80910100100408a2, 0x220500c00c004200,
		0x08410040a4054000, 0x0848060110c10088, 0x10a4008704088c00, 0x0423120001098980,
		0x0041041002202000, 0x0284100c11488104, 0x2012034040240100, 0xa020120080080080,
		0x8802008400020160, 0x0a05014200010500, 0x0202020050040444, 0x4304108028328410,
		0x0204090c40101001, 0x0182008420004404, 0x0000082088013000, 0x7000204200806800,
		0x2033400811400202, 0x0001100102000110, 0x0345412602002400, 0x0031240400810048,
		0x014300d004200480, 0x0202048601108000, 0x0018305200901080, 0x0880058105882002,
		0x0008045082020000, 0x1004303010012000, 0x204002821c01000a, 0x0804108400408144,
		0x0001008210030400, 0x00001a0a12120611, 0x0081008042080c00, 0x1002002044840400,
		0x2820040010020202, 0x2008024052041101, 0x8000206002888100, 0x0028020400440100,
	}
)
