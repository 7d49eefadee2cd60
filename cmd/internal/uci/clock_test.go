package uci

import (
	"testing"
	"time"

	"synochess/env"
	"synochess/mcts"
)

// A game played by the budget never runs out of time: one move in five takes all it may, and each loses some time on
// the way.
func TestBudgetNeverLosesOnTime(t *testing.T) {
	const overhead, lost = 20 * time.Millisecond, 15 * time.Millisecond
	for _, c := range []struct {
		base, bonus time.Duration
		togo        int
	}{
		{10 * time.Second, 0, 0}, {10 * time.Second, 100 * time.Millisecond, 0}, {time.Minute, time.Second, 0},
		{5 * time.Minute, 0, 40}, {time.Second, 0, 1}, {3 * time.Second, 0, 10}, {500 * time.Millisecond, 50 * time.Millisecond, 0},
	} {
		left := c.base
		for move := range 80 {
			k := clock{}
			if c.togo > 0 {
				if k.togo = c.togo - move%c.togo; k.togo == c.togo && move > 0 {
					left += c.base
				}
			}
			k.left[env.Eastern], k.bonus[env.Eastern] = left, c.bonus
			b := k.budget(env.Eastern, overhead)
			if b.soft <= 0 || b.soft > b.hard {
				t.Fatalf("%+v, move %d: budget %+v", c, move, b)
			}
			if move == 0 && b.soft < c.base/100 {
				t.Errorf("%+v: only %v for the first move", c, b.soft)
			}
			used := b.soft
			if move%5 == 0 {
				used = b.hard
			}
			if left -= used + lost; left < 0 {
				t.Fatalf("%+v: out of time at move %d", c, move)
			}
			left += c.bonus
		}
	}
}

func TestEnough(t *testing.T) {
	b := budget{soft: time.Second, hard: 4 * time.Second}
	open := func(visits int, actions ...mcts.Action) *mcts.Result {
		return &mcts.Result{Best: actions[0].Move, Visits: visits, Actions: actions, RootAfter: [3]float32{0.5, 0, 0.5}}
	}
	first, second := mcts.Action{Move: 1, Visits: 600, Q: 0.2}, mcts.Action{Move: 2, Visits: 400, Q: 0.1}
	better := mcts.Action{Move: 2, Visits: 400, Q: 0.3}
	lost := mcts.Action{Move: 3, Proven: mcts.ProvenLoss}
	for name, c := range map[string]struct {
		elapsed time.Duration
		result  *mcts.Result
		before  float64
		want    bool
	}{
		"time left":                             {500 * time.Millisecond, open(1000, first, second), 0, false},
		"time over":                             {time.Second, open(1000, first, second), 0, true},
		"the second cannot catch up":            {900 * time.Millisecond, open(1000, first, second), 0, true},
		"one move":                              {time.Millisecond, open(1, first), 0, true},
		"one move that is not lost":             {time.Millisecond, open(1, first, lost), 0, true},
		"it looks worse than before":            {time.Second, open(1000, first, second), 0.2, false},
		"worse than before, and twice the time": {2 * time.Second, open(1000, first, second), 0.2, true},
		"a move of greater value":               {1100 * time.Millisecond, open(1000, first, better), 0, false},
		"not beyond the hard limit":             {4 * time.Second, open(1000, first, better), 0.9, true},
		"too few visits to tell":                {time.Millisecond, open(10, mcts.Action{Move: 1, Visits: 10}, mcts.Action{Move: 2}), 0, false},
	} {
		if got := b.enough(c.elapsed, c.result, c.before); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
