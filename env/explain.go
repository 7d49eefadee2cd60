package env

import (
	"errors"
	"fmt"
)

// explain says why a move is not legal, as far as that can be said in few words.
func (r *Rules) explain(p *Position, m Move) error {
	switch {
	case m.Kind() >= NumMoveKinds:
		return errors.New("it is not a move at all")
	case r.Faceoff(p):
		return errors.New("the game is over: the royals face each other")
	case r.campmate(p, p.side.Other()):
		return errors.New("the game is over by campmate")
	case m.Kind() == Drop:
		return r.explainDrop(p, m)
	}
	from, to := m.From(), m.To()
	piece := p.PieceAt(from)
	switch {
	case piece == NoPiece:
		return fmt.Errorf("%s is empty", from)
	case piece.Army() != p.side:
		return fmt.Errorf("the %s on %s is %s, and the %s army is to move", piece, from, piece.Army(), p.side)
	case p.ArmyPieces(p.side)>>to&1 != 0:
		return fmt.Errorf("%s holds a piece of its own army", to)
	case m.Kind() == Castling:
		return r.explainCastling(p, m)
	case r.targets(p, piece, from)>>to&1 == 0:
		return fmt.Errorf("the %s on %s does not reach %s%s", piece, from, to, r.hint(p, piece, from, to))
	}
	if err := r.explainPromotion(p, piece, m); err != nil {
		return err
	}
	return r.explainDanger(p, m)
}

// targets returns the squares a piece reaches as far as its own movement goes; own pieces are not left
// out.
func (r *Rules) targets(p *Position, piece Piece, from Square) uint64 {
	bit, occupied := uint64(1)<<from, p.Occupied()
	switch piece {
	case Pawn:
		return pawnTargets(bit, occupied, p.eastern)
	case Soldier:
		return soldierSteps(bit)
	case King, Chancellor:
		return adjacent[from]
	case Knight, Bishop, Rook, Queen:
		_, targets := r.westernTargets(p, from, occupied)
		return targets
	}
	_, targets := r.easternTargets(p, from, occupied)
	return targets
}

// hint says more about a square a piece does not reach.
func (r *Rules) hint(p *Position, piece Piece, from, to Square) string {
	alone := Position{side: p.side} // the piece on an empty board
	alone.diagonal, alone.orthogonal, alone.knights = p.diagonal&(1<<from), p.orthogonal&(1<<from), p.knights&(1<<from)
	alone.chariots, alone.horses = p.chariots&(1<<from), p.horses&(1<<from)
	alone.elephants, alone.advisors = p.elephants&(1<<from), p.advisors&(1<<from)
	switch {
	case piece == Cannon && orthogonals[from]>>to&1 != 0:
		if r.Cannon == Janggi {
			return ": it needs exactly one piece between, neither that nor the target a Cannon"
		}
		return ": it moves over empty squares and captures over exactly one piece"
	case (piece == Elephant || piece == Advisor) && r.region(piece)>>to&1 == 0:
		return ", which lies outside its region"
	case piece != Pawn && piece != Soldier && piece != Cannon && piece.isOrdinary() && r.targets(&alone, piece, from)>>to&1 != 0:
		return ": the way is blocked"
	}
	return ""
}

// isOrdinary reports whether a piece is no royal.
func (pc Piece) isOrdinary() bool { return pc != King && pc != Chancellor }

func (r *Rules) explainPromotion(p *Position, piece Piece, m Move) error {
	last := piece == Pawn && m.To() >= 56 || piece == Soldier && m.To() < 8
	promoted := m.Promotion()
	switch {
	case !last && promoted != NoPiece:
		return errors.New("nothing promotes with this move")
	case last && promoted == NoPiece && (piece == Pawn || !r.soldierStays):
		return errors.New("the move must say what the piece promotes to")
	case last && promoted != NoPiece && (promoted.Army() != p.side || !r.promotesTo(promoted)):
		return fmt.Errorf("a %s does not promote to a %s in this rule set", piece, promoted)
	}
	return nil
}

// explainDanger tries the move on a copy.
func (r *Rules) explainDanger(p *Position, m Move) error {
	next := *p
	if p.side == Western {
		next.moveWestern(m)
		next.captureEastern(m.To())
	} else {
		next.moveEastern(m, false)
		next.captureWestern(m.To())
	}
	royal, attackers := next.king, uint64(0)
	if p.side == Western {
		attackers = r.kingAttackers(&next, royal, next.Occupied())
	} else {
		royal = next.chancellor
		attackers = r.chancellorAttackers(&next, royal, next.Occupied())
	}
	switch {
	case attackers != 0:
		s := first(attackers)
		return fmt.Errorf("it leaves the %s on %s attacked by the %s on %s", next.PieceAt(royal), royal, next.PieceAt(s), s)
	case r.Faceoff(&next):
		return errors.New("it would leave King and Chancellor facing each other")
	}
	return errors.New("the rules do not allow it here")
}

func (r *Rules) explainDrop(p *Position, m Move) error {
	switch {
	case p.side != Eastern:
		return errors.New("only the Eastern army drops Soldiers, and the Western army is to move")
	case p.hand == 0:
		return errors.New("there is no Soldier in hand")
	case m.From() != m.To() || r.DropRegion>>m.To()&1 == 0:
		return fmt.Errorf("no Soldier can be dropped on %s", m.To())
	case p.Occupied()>>m.To()&1 != 0:
		return fmt.Errorf("%s is not empty", m.To())
	}
	return r.explainDanger(p, m)
}

func (r *Rules) explainCastling(p *Position, m Move) error {
	c, right := &castlings[0], castleKingside
	if m.To() == castlings[1].kingTo {
		c, right = &castlings[1], castleQueenside
	}
	switch {
	case p.side != Western || m.From() != e1 || m.To() != c.kingTo:
		return errors.New("this is not how the King castles")
	case p.castling&right == 0:
		return errors.New("the right to castle on this side is gone")
	case p.Occupied()&c.empty != 0:
		return errors.New("the squares between King and Rook are not empty")
	case r.InCheck(p):
		return errors.New("the King is in check and may not castle")
	}
	return fmt.Errorf("the King would pass or reach an attacked square, or face the Chancellor, on %s or %s", c.rookTo, c.kingTo)
}
