package selfplay

import (
	"math"
	"testing"

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
