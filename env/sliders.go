package env

// Attacks along lines are looked up by the six inner squares of the line, gathered into an index by one
// multiplication (known as kindergarten bitboards): no magic numbers, and 16 KB of tables.

// reach is what a slider sees along a line: the squares up to and including the first piece, and from
// there the squares up to and including the second.
type reach struct{ first, second uint64 }

var (
	// rowReach[file][index]: the same on every rank, so it serves ranks and, cut to the line, diagonals.
	rowReach [8][64]reach
	// columnReach[rank][index]: on the a-file.
	columnReach [8][64]reach
	// risingDiagonals run from a1 to h8, fallingDiagonals from a8 to h1; without the square itself.
	risingDiagonals, fallingDiagonals [64]uint64
)

const (
	// gatherRow brings the inner squares of a rank or diagonal, b to g, into bits 58 to 63.
	gatherRow = fileA << 1
	// gatherColumn brings a2 to a7 into bits 58 to 63.
	gatherColumn = 1<<50 | 1<<43 | 1<<36 | 1<<29 | 1<<22 | 1<<15
)

func fillSliders() {
	for at := range 8 {
		for index := range 64 {
			seen := lineReach(at, index<<1)
			rowReach[at][index] = reach{seen.first * fileA, seen.second * fileA}
			for i := range 8 {
				columnReach[at][index].first |= seen.first >> i & 1 << (8 * i)
				columnReach[at][index].second |= seen.second >> i & 1 << (8 * i)
			}
		}
	}
	for s := Square(0); s < 64; s++ {
		for n := 1; n < 8; n++ {
			risingDiagonals[s] |= s.offset(direction{1, 1}, n) | s.offset(direction{-1, -1}, n)
			fallingDiagonals[s] |= s.offset(direction{1, -1}, n) | s.offset(direction{-1, 1}, n)
		}
	}
}

// lineReach computes what a slider on place at of a line of eight sees; occupied holds a bit a place.
func lineReach(at, occupied int) (seen reach) {
	for _, step := range [2]int{-1, 1} {
		pieces := 0
		for i := at + step; i >= 0 && i < 8 && pieces < 2; i += step {
			if pieces == 0 {
				seen.first |= 1 << i
			} else {
				seen.second |= 1 << i
			}
			pieces += occupied >> i & 1
		}
	}
	return seen
}

// rookAttacks returns the squares a rook on s reaches, the first piece on each line included.
func rookAttacks(s Square, occupied uint64) uint64 {
	file, rank := s&7, s>>3&7
	row := ranks[s&63]
	return rowReach[file][occupied&row*gatherRow>>58].first&row |
		columnReach[rank][occupied>>file&fileA*gatherColumn>>58].first<<file
}

// cannonReach returns what rookAttacks does, and the squares after the first piece up to and including
// the second.
func cannonReach(s Square, occupied uint64) (direct, hop uint64) {
	file, rank := s&7, s>>3&7
	row := ranks[s&63]
	r := &rowReach[file][occupied&row*gatherRow>>58]
	c := &columnReach[rank][occupied>>file&fileA*gatherColumn>>58]
	return r.first&row | c.first<<file, r.second&row | c.second<<file
}

// bishopAttacks returns the squares a bishop on s reaches, the first piece on each diagonal included.
func bishopAttacks(s Square, occupied uint64) uint64 {
	row := &rowReach[s&7]
	rising, falling := risingDiagonals[s&63], fallingDiagonals[s&63]
	return row[occupied&rising*gatherRow>>58].first&rising | row[occupied&falling*gatherRow>>58].first&falling
}
