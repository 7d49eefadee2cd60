package selfplay

import (
	"testing"

	"synochess/datasets"
	"synochess/mcts"
)

// A search's proof is recorded by its number: both lists must have the same order.
func TestProofsAreRecordedAsWhatTheyAre(t *testing.T) {
	for _, c := range []struct {
		found  mcts.Proof
		stored datasets.Proven
	}{
		{mcts.Unproven, datasets.Unproven}, {mcts.ProvenWin, datasets.ProvenWin},
		{mcts.ProvenLoss, datasets.ProvenLoss}, {mcts.ProvenDraw, datasets.ProvenDraw},
	} {
		ply := describe(&mcts.Result{Proven: c.found, Actions: make([]mcts.Action, 1)}, datasets.FullSearch)
		if ply.Proven != c.stored {
			t.Errorf("the search says %s, the record %s", c.found, ply.Proven)
		}
	}
}
