package mcts

import "synochess/env"

// Proof is what is known for certain of a position, from its mover's view, or of a move, from the view
// of who makes it.
type Proof uint8

// The proofs.
const (
	Unproven Proof = iota
	ProvenWin
	ProvenLoss
	ProvenDraw
)

// String returns "unproven", "win", "loss" or "draw".
func (p Proof) String() string { return [...]string{"unproven", "win", "loss", "draw"}[p&3] }

// flip returns the proof from the other army's view.
func (p Proof) flip() Proof { return [...]Proof{Unproven, ProvenLoss, ProvenWin, ProvenDraw}[p&3] }

// proofFor returns what an outcome means for army a.
func proofFor(o env.Outcome, a env.Army) Proof {
	switch o.Result {
	case env.Undecided:
		return Unproven
	case env.Draw:
		return ProvenDraw
	case env.WinFor(a):
		return ProvenWin
	}
	return ProvenLoss
}

// value is the probability of a win and of a loss, for the mover of the position it is said of; the rest
// is a draw. Its worth is win - loss, in [-1,1].
type value struct{ win, loss float64 }

func (v value) worth() float64 { return v.win - v.loss }

// mixedWithDraw returns the value of which a draw takes a share.
func (v value) mixedWithDraw(share float64) value {
	return value{win: float64((1 - share) * v.win), loss: float64((1 - share) * v.loss)}
}

// valueOf returns the value of a proven result that is mate plies away: with a discount, a win or loss
// fades towards a draw with the distance, so nearer wins are worth more.
func (s *Search) valueOf(p Proof, mate uint16) value {
	far := s.powers[min(int(mate), len(s.powers)-1)]
	switch p {
	case ProvenWin:
		return value{win: far}
	case ProvenLoss:
		return value{loss: far}
	}
	return value{}
}

// before returns the value of the position one ply earlier, for its mover, if this one's move is made.
func (s *Search) before(v value) value {
	return value{win: float64(s.cfg.Discount * v.loss), loss: float64(s.cfg.Discount * v.win)}
}
