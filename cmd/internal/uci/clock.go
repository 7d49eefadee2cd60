package uci

import (
	"time"

	"synochess/env"
	"synochess/mcts"
)

// budget is what a move may take of the time left.
type budget struct {
	soft time.Duration // aimed at
	hard time.Duration // never exceeded
}

const (
	movesLeft   = 30 // moves that a game is taken to last if the clock does not say
	leastBudget = time.Millisecond
)

// budget divides the time left of an army: an equal part for each move to come and most of the bonus. A move
// that needs it may take up to four times that, but no more than half of what is left, save the last before the clock
// is filled up. Some is always kept, for what is lost between the clock and us.
func (c *clock) budget(army env.Army, overhead time.Duration) budget {
	left := c.left[army] - overhead
	moves := movesLeft
	if c.togo > 0 {
		moves = min(c.togo, movesLeft)
	}
	// What all moves to come will lose is not there to be used.
	usable := max(left-time.Duration(moves-1)*overhead, left/2)
	soft := usable/time.Duration(moves) + c.bonus[army]*3/4
	most := left / 2
	if moves == 1 {
		most = left * 9 / 10
	}
	b := budget{soft: min(soft, most), hard: min(4*soft, most)}
	b.soft, b.hard = max(b.soft, leastBudget), max(b.hard, leastBudget)
	return b
}

// enough reports whether a search that has taken so long may end. It may when its time is over, which is longer while
// the position looks worse than it did at the move before or the most visited move is not the one of the greatest
// value, and earlier when there is one move to choose, or when no other could overtake the best in the time left.
// before is the worth of the search before, win minus loss.
func (b budget) enough(elapsed time.Duration, r *mcts.Result, before float64) bool {
	first, second, choices := int32(0), int32(0), 0
	best, highest := float32(-2), float32(-2) // worth of the move to play, and the greatest
	for _, a := range r.Actions {
		if a.Proven == mcts.ProvenLoss {
			continue
		}
		choices++
		if a.Visits > first {
			first, second = a.Visits, first
		} else {
			second = max(second, a.Visits)
		}
		if a.Move == r.Best {
			best = a.Q
		}
		if a.Visits > 0 {
			highest = max(highest, a.Q)
		}
	}
	if choices <= 1 {
		return true
	}
	soft := b.soft
	if worth := float64(r.RootAfter[0]) - float64(r.RootAfter[2]); worth < before-fallen {
		soft *= 2
	}
	if best < highest {
		soft = soft * 3 / 2
	}
	soft = min(soft, b.hard)
	if elapsed >= soft {
		return true
	}
	if r.Visits < fewVisits {
		return false
	}
	toCome := float64(r.Visits) * float64(soft-elapsed) / float64(max(elapsed, 1))
	return float64(first-second) > toCome
}

const (
	fallen    = 0.1 // of win minus loss: the position looks worse than before
	fewVisits = 64  // before so many nothing is said of how fast more will come
)
