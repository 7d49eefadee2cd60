package fast

import (
	"slices"
	"sync"
	"testing"

	"synochess/mcts"
	"synochess/mcts/evaltest"
	"synochess/net/kernels"
)

// Twins pass what every Evaluator passes, and two of them may work at the same time.
func TestTwinsConform(t *testing.T) {
	check := func(t *testing.T, first *Evaluator) {
		evaltest.Run(t, func() mcts.Evaluator { return first.Twin() }, randomRows(1, 13))
		want := gamePositions(t, 3, 40)
		if err := first.Evaluate(want); err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		for _, e := range []*Evaluator{first, first.Twin(), first.Twin()} {
			if e.ID() != first.ID() || e.KernelPath() != first.KernelPath() {
				t.Errorf("a twin is %s on %s, not %s on %s", e.ID(), e.KernelPath(), first.ID(), first.KernelPath())
			}
			if len(e.stem.rank) != len(first.stem.rank) || len(e.x) != len(first.x) || len(e.policy.ends) != len(first.policy.ends) {
				t.Error("a twin has less scratch memory")
			}
			got := gamePositions(t, 3, 40)
			wait.Go(func() {
				for range 5 {
					if err := e.Evaluate(got); err != nil {
						t.Error(err)
						return
					}
					if !slices.Equal(got.Logits, want.Logits) || !slices.Equal(got.WDL, want.WDL) {
						t.Error("a twin gives something else")
					}
				}
			})
		}
		wait.Wait()
	}
	everyPath(t, func(t *testing.T, path *kernels.Path) { check(t, mustNew(t, path, trained(2, 16, 11))) })
	everyInt16Path(t, func(t *testing.T, path *kernels.Path) {
		check(t, mustQuantise(t, path, calibrated(t, 2, 16, 11, gamePositions(t, 1, 30))))
	})
}
