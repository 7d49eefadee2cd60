package env

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

const (
	maxFENLength = 1000
	maxCount     = 100_000 // greatest half-move count and move number read
)

// pieceLetters are FEN's letters by Piece; the Horse's depends on the rule set.
const pieceLetters = " PNBRQKrhceask"

// letter returns a piece's FEN letter.
func (r *Rules) letter(pc Piece) byte {
	if pc == Horse {
		return r.HorseLetter
	}
	return pieceLetters[pc]
}

// ParseFEN reads a position in the dialect of docs/rules.md. The error names the fault: in the
// notation, or in a position that this rule set cannot reach.
func (r *Rules) ParseFEN(s string) (Position, error) {
	p, err := r.readFEN(s)
	if err == nil {
		err = r.checkPosition(&p)
	}
	if err == nil {
		err = r.checkMaterial(&p)
	}
	if err != nil {
		return Position{}, fmt.Errorf("FEN %s: %w", quoteShort(s), err)
	}
	return p, nil
}

// quoteShort quotes a text for an error message, cut to a bearable length.
func quoteShort(s string) string {
	if len(s) > 120 {
		return strconv.Quote(s[:100]) + "..."
	}
	return strconv.Quote(s)
}

// readFEN reads the notation alone; the position has exactly one of each royal.
func (r *Rules) readFEN(s string) (p Position, err error) {
	if len(s) > maxFENLength {
		return p, fmt.Errorf("has %d characters, more than %d", len(s), maxFENLength)
	}
	fields := strings.Fields(s)
	if len(fields) != 6 {
		return p, fmt.Errorf("has %d fields, not six: board with hand, side to move, castling rights, en passant, half-move count, move number", len(fields))
	}
	board, hand, err := splitHand(fields[0])
	if err != nil {
		return p, err
	}
	pieces, err := r.readBoard(board)
	if err != nil {
		return p, err
	}
	side := Western
	switch fields[1] {
	case "w":
	case "b":
		side = Eastern
	default:
		return p, fmt.Errorf("side to move is %q, not w or b", fields[1])
	}
	kingside, queenside, err := readCastling(fields[2])
	if err != nil {
		return p, err
	}
	if f := fields[3]; f != "-" && !(len(f) == 2 && f[0] >= 'a' && f[0] <= 'h' && f[1] >= '1' && f[1] <= '8') {
		return p, fmt.Errorf("en passant field %q is neither - nor a square", f)
	}
	plyCount, err := readCount("half-move count", fields[4])
	if err != nil {
		return p, err
	}
	moveNumber, err := readCount("move number", fields[5])
	if err != nil {
		return p, err
	}
	if moveNumber == 0 {
		return p, errors.New("move number is 0; the first move has number 1")
	}
	return Assemble(pieces, hand, side, kingside, queenside, plyCount, moveNumber), nil
}

// splitHand takes the hand in square brackets off the end of the board field.
func splitHand(field string) (board string, hand int, err error) {
	board, rest, found := strings.Cut(field, "[")
	if !found {
		if strings.Contains(board, "]") {
			return "", 0, errors.New("hand is closed but not opened; it is written as in [sss]")
		}
		return board, 0, nil
	}
	letters, closed := strings.CutSuffix(rest, "]")
	if !closed {
		return "", 0, errors.New("hand must be in square brackets at the end of the board, as in [sss]")
	}
	hand = strings.Count(letters, "s")
	if hand != len(letters) {
		return "", 0, fmt.Errorf("hand [%s] holds something other than s; only Soldiers can be in hand", letters)
	}
	if hand > MaxHand {
		return "", 0, fmt.Errorf("%d Soldiers in hand, more than a rule set can have (%d)", hand, MaxHand)
	}
	return board, hand, nil
}

// readBoard reads the eight ranks.
func (r *Rules) readBoard(board string) (pieces [NumPieces]uint64, err error) {
	// The published rule card writes c for the Chancellor and n for the Cannon.
	ruleCard := r.HorseLetter == 'h' && !strings.Contains(board, "k") && strings.Count(board, "c") == 1
	rows := strings.Split(board, "/")
	if len(rows) != 8 {
		return pieces, fmt.Errorf("board has %d ranks, not eight", len(rows))
	}
	for i, row := range rows {
		rank, file := 7-i, 0
		for _, c := range row {
			if c >= '1' && c <= '8' {
				file += int(c - '0')
				continue
			}
			pc := r.pieceOf(c, ruleCard)
			if pc == NoPiece {
				return pieces, fmt.Errorf("rank %d: %q is not a piece (Western PNBRQK, Eastern r%cceask)", rank+1, c, r.HorseLetter)
			}
			if file < 8 {
				pieces[pc] |= 1 << (8*rank + file)
			}
			file++
		}
		if file != 8 {
			return pieces, fmt.Errorf("rank %d has %d squares, not eight", rank+1, file)
		}
	}
	for _, royal := range [2]Piece{King, Chancellor} {
		if n := count(pieces[royal]); n != 1 {
			return pieces, fmt.Errorf("%d %ss (%c) on the board; there must be exactly one", n, royal, r.letter(royal))
		}
	}
	return pieces, nil
}

// pieceOf returns the piece a letter stands for, NoPiece if it stands for none.
func (r *Rules) pieceOf(c rune, ruleCard bool) Piece {
	switch {
	case ruleCard && c == 'c':
		return Chancellor
	case ruleCard && c == 'n':
		return Cannon
	case c == rune(r.HorseLetter):
		return Horse
	case c == 'h':
		return NoPiece
	}
	return Piece(max(strings.IndexRune(pieceLetters, c), 0))
}

func readCastling(field string) (kingside, queenside bool, err error) {
	switch field {
	case "-":
	case "K":
		kingside = true
	case "Q":
		queenside = true
	case "KQ", "QK":
		kingside, queenside = true, true
	default:
		return false, false, fmt.Errorf("castling rights are %q, not K, Q, KQ or -; the East never castles", field)
	}
	return kingside, queenside, nil
}

func readCount(what, field string) (int, error) {
	n, err := strconv.ParseUint(field, 10, 64)
	if err != nil || n > maxCount {
		return 0, fmt.Errorf("%s %s is not a number from 0 to %d", what, quoteShort(field), maxCount)
	}
	return int(n), nil
}

// FEN writes a position in the output dialect of docs/rules.md.
func (r *Rules) FEN(p *Position) string {
	var b strings.Builder
	for rank := 7; rank >= 0; rank-- {
		empty := 0
		for file := range 8 {
			pc := p.PieceAt(Square(8*rank + file))
			if pc == NoPiece {
				empty++
				continue
			}
			if empty > 0 {
				b.WriteByte('0' + byte(empty))
				empty = 0
			}
			b.WriteByte(r.letter(pc))
		}
		if empty > 0 {
			b.WriteByte('0' + byte(empty))
		}
		if rank > 0 {
			b.WriteByte('/')
		}
	}
	rights := [4]string{"-", "K", "Q", "KQ"}[p.castling&3]
	side := [2]string{"w", "b"}[p.side]
	fmt.Fprintf(&b, "[%s] %s %s - %d %d", strings.Repeat("s", p.Hand()), side, rights, p.plyCount, p.moveNumber)
	return b.String()
}
