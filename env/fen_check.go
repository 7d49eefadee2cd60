package env

import (
	"errors"
	"fmt"
)

// checkPosition refuses positions no game of the rule set can reach, whatever its start position is.
func (r *Rules) checkPosition(p *Position) error {
	waiting := p.side.Other()
	switch {
	case r.attackedRoyal(p, waiting):
		return fmt.Errorf("the %s royal is in check and the %s army is to move", waiting, p.side)
	case r.Faceoff(p):
		return fmt.Errorf("the King on %s and the Chancellor on %s already face each other: a faceoff", p.king, p.chancellor)
	case r.campmate(p, p.side):
		return fmt.Errorf("the %s army is to move and has reached its campmate already", p.side)
	case p.pawns&(rank1|rank8) != 0:
		return fmt.Errorf("a Pawn stands on %s; Pawns are never on rank 1 or 8", first(p.pawns&(rank1|rank8)))
	case !r.soldierStays && p.soldiers&rank1 != 0:
		return fmt.Errorf("a Soldier stands on %s, where it must have promoted", first(p.soldiers&rank1))
	}
	for i, right := range [2]uint8{castleKingside, castleQueenside} {
		c := &castlings[i]
		if p.castling&right != 0 && (p.king != e1 || p.Pieces(Rook)>>c.rookFrom&1 == 0) {
			return fmt.Errorf("a castling right without the King on e1 and a Rook on %s", c.rookFrom)
		}
	}
	if out := p.elephants &^ r.mayStand(Elephant); out != 0 {
		return fmt.Errorf("an Elephant stands on %s, outside its region", first(out))
	}
	if out := p.advisors &^ r.mayStand(Advisor); out != 0 {
		return fmt.Errorf("an Advisor stands on %s, outside its region", first(out))
	}
	return nil
}

// region returns where an Elephant or Advisor may land.
func (r *Rules) region(pc Piece) uint64 {
	if pc == Elephant {
		return r.ElephantRegion
	}
	return r.AdvisorRegion
}

// mayStand returns where an Elephant or Advisor may stand: its region, and rank 1 if Soldiers become
// one there.
func (r *Rules) mayStand(pc Piece) uint64 {
	if r.promotesTo(pc) {
		return r.region(pc) | rank1
	}
	return r.region(pc)
}

// promotesTo reports whether Pawns or Soldiers can become pc.
func (r *Rules) promotesTo(pc Piece) bool {
	if pc.Army() == Western {
		return r.PawnPromotesTo.Has(pc)
	}
	return r.SoldierPromotion != NeverPromote && r.SoldierPromotesTo.Has(pc)
}

// checkMaterial refuses more pieces than promotions can have made since the start position.
func (r *Rules) checkMaterial(p *Position) error {
	soldiers := count(p.soldiers) + p.Hand()
	if soldiers > r.MaxSoldiers() {
		return fmt.Errorf("%d Soldiers on the board and in hand; the start position has %d", soldiers, r.MaxSoldiers())
	}
	if n, most := count(p.pawns), count(r.start.pawns); n > most {
		return fmt.Errorf("%d Pawns; the start position has %d", n, most)
	}
	if err := r.checkPromoted(p, Knight, Queen, count(r.start.pawns)-count(p.pawns)); err != nil {
		return err
	}
	return r.checkPromoted(p, Chariot, Advisor, r.MaxSoldiers()-soldiers)
}

// checkPromoted compares the pieces of the given kinds with those of the start position; at most
// missing of them can be promoted.
func (r *Rules) checkPromoted(p *Position, from, to Piece, missing int) error {
	promoted := 0
	for pc := from; pc <= to; pc++ {
		b := p.Pieces(pc)
		more := max(count(b)-count(r.start.Pieces(pc)), 0)
		if more > 0 && !r.promotesTo(pc) {
			return fmt.Errorf("%d of the piece %c; the start position has %d and none can be made", count(b), r.letter(pc), count(r.start.Pieces(pc)))
		}
		promoted += more
	}
	if promoted > missing {
		return fmt.Errorf("%d %s pieces beyond those of the start position, but only %d can have been promoted", promoted, from.Army(), missing)
	}
	return nil
}

// checkStart refuses start positions a rule set cannot be played from.
func (r *Rules) checkStart(p *Position) error {
	if err := r.checkPosition(p); err != nil {
		return err
	}
	if n := count(p.soldiers) + p.Hand(); n > MaxHand {
		return fmt.Errorf("%d Soldiers on the board and in hand, more than a rule set can have (%d)", n, MaxHand)
	}
	if r.Outcome(p).Over() {
		return errors.New("the game would be over before the first move")
	}
	return nil
}
