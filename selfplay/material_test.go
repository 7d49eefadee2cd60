package selfplay

import (
	"math"
	"testing"

	"synochess/env"
	"synochess/env/encode"
)

// TestMaterialKnowsWhoIsAhead gives the same board to both movers: who is a Queen ahead must win on
// either move, and a hand counts as Soldiers.
func TestMaterialKnowsWhoIsAhead(t *testing.T) {
	r := mustRules(t, "moddable")
	b := encode.NewBatch()
	for _, fen := range []string{
		"4k3/8/8/8/8/8/8/Q4K2[] w - - 0 1", // West a Queen ahead, West to move
		"4k3/8/8/8/8/8/8/Q4K2[] b - - 0 1",
		"4k3/8/8/8/8/8/8/5K2[sssss] w - - 0 1", // East five Soldiers ahead
		"4k3/8/8/8/8/8/8/5K2[sssss] b - - 0 1",
		"4k3/8/8/8/8/8/8/R4K2[sssss] b - - 0 1", // even
	} {
		p, err := r.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		encode.AppendRow(b, r, &p, 0, r.Legal(&p, nil))
	}
	if err := NewMaterial().Evaluate(b); err != nil {
		t.Fatal(err)
	}
	queen := 1 - 1/(math.Exp(2*9/5.0)+1)
	soldiers := 1 - 1/(math.Exp(-2)+1)
	for row, want := range []float64{queen, 1 - queen, soldiers, 1 - soldiers, 0.5} {
		wdl := b.RowWDL(row)
		if math.Abs(float64(wdl[0])-want) > 1e-6 || math.Abs(float64(wdl[2])-(1-want)) > 1e-6 || wdl[1] != 0 {
			t.Errorf("row %d: %v, want a win of %v", row, wdl, want)
		}
	}
}

func TestEvenTheVariedRuleSetsAreDrawnByTheirWeight(t *testing.T) {
	s, err := NewRuleSource([]RuleEntry{
		{Name: "moddable", Weight: 3},
		{Name: "pychess", Weight: 1, Vary: map[string][]any{"stalemate": {"draw", "loss"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	rng := newRand(5)
	counts := map[string]int{}
	for range 2000 {
		r, err := s.Draw(rng)
		if err != nil {
			t.Fatal(err)
		}
		key := "moddable"
		if r.Cannon == env.Janggi {
			key = "pychess, stalemate draws"
			if r.Stalemate == env.VerdictLoss {
				key = "pychess, stalemate loses"
			}
		}
		counts[key]++
	}
	for key, want := range map[string]int{"moddable": 1500, "pychess, stalemate draws": 250, "pychess, stalemate loses": 250} {
		if got := counts[key]; got < want*85/100 || got > want*115/100 {
			t.Errorf("%s was drawn %d times of 2000, want about %d", key, got, want)
		}
	}
	for _, bad := range [][]RuleEntry{
		nil,
		{{Name: "moddable"}},
		{{Name: "no-such-rules", Weight: 1}},
		{{Name: "moddable", Weight: 1, Vary: map[string][]any{"cannon": {}}}},
		{{Name: "moddable", Weight: 1, Vary: map[string][]any{"cannons": {"janggi"}}}},
		{{Name: "moddable", Weight: 1, Vary: map[string][]any{"cannon": {"xiangqi", "howitzer"}}}},
	} {
		if _, err := NewRuleSource(bad); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}
