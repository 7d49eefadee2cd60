package env

import (
	"fmt"
	"strings"
)

// MoveString writes a move in UCI notation: e2e4, e1g1, a7a8q, S@d5.
func (r *Rules) MoveString(m Move) string {
	if m.Kind() == Drop {
		return "S@" + m.To().String()
	}
	s := m.From().String() + m.To().String()
	if promoted := m.Promotion(); promoted != NoPiece {
		s += strings.ToLower(string(r.letter(promoted)))
	}
	return s
}

// ParseMove reads a legal move of the position in UCI notation. The error says what is wrong with the
// notation, or why the move is illegal.
func (r *Rules) ParseMove(p *Position, s string) (Move, error) {
	m, err := r.readMove(p, s)
	if err != nil {
		return NoMove, fmt.Errorf("move %s: %w", quoteShort(s), err)
	}
	if !r.IsLegal(p, m) {
		return NoMove, fmt.Errorf("move %s is illegal: %w", s, r.explain(p, m))
	}
	return m, nil
}

// readMove reads the notation alone; the position only tells castling from a King's step.
func (r *Rules) readMove(p *Position, s string) (Move, error) {
	if target, isDrop := strings.CutPrefix(s, "S@"); isDrop {
		to, ok := readSquare(target)
		if !ok {
			return NoMove, fmt.Errorf("%q is not a square", target)
		}
		return NewMove(to, to, Drop), nil
	}
	if len(s) != 4 && len(s) != 5 {
		return NoMove, fmt.Errorf("not of the form e2e4, a7a8q or S@d5")
	}
	from, ok1 := readSquare(s[:2])
	to, ok2 := readSquare(s[2:4])
	if !ok1 || !ok2 {
		return NoMove, fmt.Errorf("not of the form e2e4, a7a8q or S@d5")
	}
	kind := Plain
	switch {
	case len(s) == 5:
		kind = r.promotionKind(p.side, s[4])
		if kind == Plain {
			return NoMove, fmt.Errorf("%q is not one of the %s pieces to promote to", s[4], p.side)
		}
	case p.PieceAt(from) == King && from == e1 && (to == castlings[0].kingTo || to == castlings[1].kingTo):
		kind = Castling
	}
	return NewMove(from, to, kind), nil
}

// promotionKind returns the promotion of army a with the given letter, Plain if there is none.
func (r *Rules) promotionKind(a Army, letter byte) MoveKind {
	for kind := ToQueen; kind < NumMoveKinds; kind++ {
		promoted := NewMove(0, 0, kind).Promotion()
		if promoted.Army() == a && strings.ToLower(string(r.letter(promoted)))[0] == letter {
			return kind
		}
	}
	return Plain
}

func readSquare(s string) (Square, bool) {
	if len(s) != 2 || s[0] < 'a' || s[0] > 'h' || s[1] < '1' || s[1] > '8' {
		return 0, false
	}
	return Square(s[0]-'a') + 8*Square(s[1]-'1'), true
}
