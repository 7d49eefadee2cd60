// Package textboard draws a position as text, for the UCI command `d` and the terminal board of `play`.
package textboard

import (
	"strconv"
	"strings"

	"synochess/env"
)

// Pieces chooses how pieces are shown.
type Pieces int

const (
	// Letters are those of FEN, with the Horse as the rule set writes it: upper case Western.
	Letters Pieces = iota
	// Symbols are chess symbols for the West, and for the East Chinese characters, which are two columns wide.
	Symbols
)

var symbols = [env.NumPieces]string{
	env.Pawn: "♙", env.Knight: "♘", env.Bishop: "♗", env.Rook: "♖", env.Queen: "♕", env.King: "♔",
	env.Chariot: "車", env.Horse: "馬", env.Cannon: "炮", env.Elephant: "象", env.Advisor: "士",
	env.Soldier: "卒", env.Chancellor: "將",
}

// View says how a board is drawn.
type View struct {
	Pieces Pieces
	// Flipped shows the board from the East: rank 1 on top, file h on the left.
	Flipped bool
	// Marked squares (bit 0 = a1), such as the last move's, stand in brackets.
	Marked uint64
}

// Draw returns the board as lines of text with coordinates and, under them, the Soldiers in hand.
func Draw(r *env.Rules, p *env.Position, v View) string {
	letters := letterBoard(r, p)
	var b strings.Builder
	const edge = "  +--------------------------------+\n"
	b.WriteString(edge)
	for row := range 8 {
		rank := 7 - row
		if v.Flipped {
			rank = row
		}
		b.WriteString(strconv.Itoa(rank+1) + " |")
		for column := range 8 {
			file := column
			if v.Flipped {
				file = 7 - column
			}
			s := env.Square(file + 8*rank)
			text := "  " + string(letters[s])
			if piece := p.PieceAt(s); v.Pieces == Symbols && piece != env.NoPiece {
				text = symbols[piece]
				if piece.Army() == env.Western {
					text = " " + text
				}
				text = " " + text
			}
			if v.Marked>>s&1 != 0 {
				b.WriteString("[" + text[1:] + "]")
			} else {
				b.WriteString(text + " ")
			}
		}
		b.WriteString("|\n")
	}
	b.WriteString(edge)
	b.WriteString("   ")
	for column := range 8 {
		file := column
		if v.Flipped {
			file = 7 - column
		}
		b.WriteString("  " + string(rune('a'+file)) + " ")
	}
	b.WriteString("\n   Soldiers in hand: " + strconv.Itoa(p.Hand()) + "\n")
	return b.String()
}

// letterBoard returns the FEN letter of every square, '.' where there is none.
func letterBoard(r *env.Rules, p *env.Position) (board [64]byte) {
	square := 56
	for _, c := range []byte(r.FEN(p)) {
		switch {
		case c == '[' || c == ' ':
			return board
		case c == '/':
			square -= 16
		case c >= '1' && c <= '8':
			for range c - '0' {
				board[square] = '.'
				square++
			}
		default:
			board[square] = c
			square++
		}
	}
	return board
}
