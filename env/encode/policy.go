package encode

import "synochess/env"

// The policy planes, see the package documentation.
const (
	PolicyPlanes = 81
	PolicySize   = PolicyPlanes * 64 // number of policy indices

	knightPlane    = 56
	dropPlane      = 64
	promotionPlane = 65
	castlingPlane  = 80
)

// NoIndex is what MoveIndex returns for a pair of squares that no piece can move between.
const NoIndex uint16 = 0xffff

// step is a displacement on the board.
type step struct{ file, rank int }

var (
	queenSteps  = [8]step{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}
	knightSteps = [8]step{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}
)

// plainIndex holds the policy index of each plain move by the move's lower 12 bits (from and target
// square), NoIndex where there is none. Fixed after start.
var plainIndex = makePlainIndex()

func makePlainIndex() (table [4096]uint16) {
	for i := range table {
		table[i] = NoIndex
	}
	for from := env.Square(0); from < 64; from++ {
		for plane := range dropPlane {
			if to, ok := stepFrom(from, plane); ok {
				table[env.NewMove(from, to, env.Plain)] = uint16(plane*64) + uint16(from)
			}
		}
	}
	return table
}

// stepFrom returns the square that a queen's or knight's plane leads to, and whether it is on the board.
func stepFrom(from env.Square, plane int) (env.Square, bool) {
	s, distance := step{}, 1
	if plane < knightPlane {
		s, distance = queenSteps[plane/7], plane%7+1
	} else {
		s = knightSteps[plane-knightPlane]
	}
	file, rank := int(from&7)+s.file*distance, int(from>>3)+s.rank*distance
	return env.Square(file + 8*rank), file >= 0 && file < 8 && rank >= 0 && rank < 8
}

// MoveIndex returns the policy index of a move, below PolicySize for every move that is legal in some
// position of some rule set.
func MoveIndex(m env.Move) uint16 {
	if m.Kind() == env.Plain {
		return plainIndex[m&0xfff]
	}
	return specialIndex(m)
}

// specialIndex is MoveIndex for all but plain moves, which need not be so fast.
func specialIndex(m env.Move) uint16 {
	switch k := m.Kind(); k {
	case env.Drop:
		return dropPlane*64 + uint16(m.To())
	case env.Castling:
		return castlingPlane*64 + uint16(m.To())
	default:
		piece := uint16(k - env.ToQueen)
		if k >= env.ToChariot {
			piece = uint16(k - env.ToChariot)
		}
		aside := uint16(m.To()&7) - uint16(m.From()&7) + 1 // 0, 1, 2
		return (promotionPlane+5*aside+piece)*64 + uint16(m.From())
	}
}

// IndexMove returns the move that has a policy index; ok is false for an index that no move has.
func IndexMove(index uint16) (m env.Move, ok bool) {
	plane, square := int(index/64), env.Square(index%64)
	switch {
	case plane < dropPlane:
		to, ok := stepFrom(square, plane)
		if !ok {
			return env.NoMove, false
		}
		return env.NewMove(square, to, env.Plain), true
	case plane == dropPlane:
		return env.NewMove(square, square, env.Drop), true
	case plane < castlingPlane:
		return promotion(square, (plane-promotionPlane)/5-1, env.MoveKind((plane-promotionPlane)%5))
	case plane == castlingPlane && square == 2, plane == castlingPlane && square == 6:
		return env.NewMove(4, square, env.Castling), true
	}
	return env.NoMove, false
}

// promotion returns the promotion from a square with a step aside of -1, 0 or 1 to a Pawn's or
// Soldier's piece number.
func promotion(from env.Square, aside int, piece env.MoveKind) (env.Move, bool) {
	file, rank := int(from&7)+aside, int(from>>3)
	if file < 0 || file > 7 {
		return env.NoMove, false
	}
	switch {
	case rank == 6 && piece < 4:
		return env.NewMove(from, env.Square(file+56), env.ToQueen+piece), true
	case rank == 1 && aside == 0, rank == 0 && aside != 0:
		return env.NewMove(from, env.Square(file), env.ToChariot+piece), true
	}
	return env.NoMove, false
}

// indexSquares holds the from square and, six bits higher, the target square of each policy index. Fixed
// after start.
var indexSquares = makeIndexSquares()

func makeIndexSquares() (table [PolicySize]uint16) {
	for i := range table {
		from, to := env.Square(i%64), env.Square(i%64)
		if m, ok := IndexMove(uint16(i)); ok {
			from, to = m.From(), m.To()
		}
		table[i] = uint16(from) | uint16(to)<<6
	}
	return table
}

// IndexSquares returns the from and the target square of the move that has a policy index, below
// PolicySize. A drop has its square for both, and so has an index that no move has.
func IndexSquares(index uint16) (from, to env.Square) {
	s := indexSquares[index]
	return env.Square(s & 63), env.Square(s >> 6)
}
