package selfplay

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// apply changes a start position's FEN. Which of several equal pieces is missing is drawn. The text is in
// the output dialect; whether the position may stand is for env to say.
func (h *handicap) apply(fen string, rng *rand.Rand) string {
	fields := strings.Fields(fen)
	board, hand, _ := strings.Cut(strings.TrimSuffix(fields[0], "]"), "[")
	squares := spreadBoard(board)
	for kind, n := range h.removed {
		for range n {
			var at []int
			for i, c := range squares {
				if letterKind(c) == kind {
					at = append(at, i)
				}
			}
			squares[at[rng.IntN(len(at))]] = ' '
		}
	}
	soldiers := len(hand) + h.soldier
	fields[0] = packBoard(squares) + "[" + strings.Repeat("s", soldiers) + "]"
	if h.flipped {
		fields[1] = map[string]string{"w": "b", "b": "w"}[fields[1]]
	}
	fields[2] = castlingLeft(fields[2], squares)
	return strings.Join(fields, " ")
}

// spreadBoard writes a FEN's board as 64 letters, a8 first, with blanks for empty squares.
func spreadBoard(board string) []byte {
	var squares []byte
	for i := range len(board) {
		switch c := board[i]; {
		case c >= '1' && c <= '8':
			squares = append(squares, strings.Repeat(" ", int(c-'0'))...)
		case c != '/':
			squares = append(squares, c)
		}
	}
	return squares
}

// packBoard is the inverse of spreadBoard.
func packBoard(squares []byte) string {
	var b strings.Builder
	for i := 0; i < 64; i += 8 {
		if i > 0 {
			b.WriteByte('/')
		}
		empty := 0
		for _, c := range squares[i : i+8] {
			if c == ' ' {
				empty++
				continue
			}
			if empty > 0 {
				b.WriteString(strconv.Itoa(empty))
			}
			empty = 0
			b.WriteByte(c)
		}
		if empty > 0 {
			b.WriteString(strconv.Itoa(empty))
		}
	}
	return b.String()
}

// castlingLeft takes away the rights whose Rook is missing.
func castlingLeft(rights string, squares []byte) string {
	const a1, h1 = 56, 63
	left := ""
	if strings.Contains(rights, "K") && squares[h1] == 'R' {
		left += "K"
	}
	if strings.Contains(rights, "Q") && squares[a1] == 'R' {
		left += "Q"
	}
	if left == "" {
		return "-"
	}
	return left
}
