package uciengine

import "testing"

func TestValue(t *testing.T) {
	for _, c := range []struct {
		line      string
		win, loss float32
	}{
		{"info depth 3 score cp 0 nodes 12 pv e2e4", 0.5, 0.5},
		{"info depth 3 score mate 2 nodes 12", 1, 0},
		{"info depth 3 score mate -1", 0, 1},
		{"info score cp 90 lowerbound", 0.5 + 0.5*0.50225, 0.5 - 0.5*0.50225}, // atan(1)/1.56375
		{"info string score cp", 0, 0},
		{"info depth 3", 0, 0},
		{"bestmove e2e4", 0, 0},
	} {
		var v wdl
		v.read(c.line)
		if d := v[0] - c.win; d > 1e-4 || d < -1e-4 || v[1] != 0 || v[2]-c.loss > 1e-4 || c.loss-v[2] > 1e-4 {
			t.Errorf("%q: %v, want %v and %v", c.line, v, c.win, c.loss)
		}
	}
}
