package level

import (
	"testing"

	"synochess/mcts"
)

// Every level is a search that can be made, whatever the mode that is configured, and each is weaker than the next.
func TestLevels(t *testing.T) {
	for n := 1; n < Full; n++ {
		l, err := Of(n)
		if err != nil {
			t.Fatal(err)
		}
		c, o := mcts.ReferenceConfig(), mcts.Options{Visits: mcts.Unlimited}
		c.Mode = mcts.ModePUCT
		l.Limit(&c, &o)
		if o.Visits != l.Visits || o.Noise != (o.Rand != nil) || o.Noise && c.Algorithm(o.Visits) != mcts.ModeGumbel {
			t.Errorf("level %d: %+v in mode %s", n, o, c.Mode)
		}
		if next, err := Of(n + 1); err == nil && (next.Visits < l.Visits || next.Visits == l.Visits && next.Noise) {
			t.Errorf("level %d, %+v, is not weaker than the next, %+v", n, l, next)
		}
		o = mcts.Options{Visits: 1}
		if l.Limit(&c, &o); o.Visits != 1 {
			t.Errorf("level %d: %d visits where 1 was asked for", n, o.Visits)
		}
	}
	for _, n := range []int{-1, 0, Full} {
		if l, err := Of(n); err == nil {
			t.Errorf("level %d: %+v", n, l)
		}
	}
}
