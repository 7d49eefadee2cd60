package env

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkPerft is the speed of the move generator: perft from the start position, one thread. The
// fastest of the runs is reported, since a busy machine only ever makes it look slower; leaves is the
// count itself. `synochess bench` measures less deep, beside Fairy-Stockfish.
func BenchmarkPerft(b *testing.B) {
	for _, depth := range []int{5, 6} {
		for _, name := range BuiltinNames() {
			b.Run(fmt.Sprintf("%s/%d", name, depth), func(b *testing.B) {
				r := builtin(b, name)
				p := r.StartPosition()
				var leaves uint64
				fastest := time.Duration(1<<63 - 1)
				for b.Loop() {
					start := time.Now()
					leaves = r.Perft(&p, depth)
					fastest = min(fastest, time.Since(start))
				}
				b.ReportMetric(float64(leaves), "leaves")
				b.ReportMetric(float64(leaves)/fastest.Seconds()/1e6, "best-Mleaves/s")
			})
		}
	}
}

// TestDivide wants the moves' counts to add up to the whole.
func TestDivide(t *testing.T) {
	for _, name := range BuiltinNames() {
		r := builtin(t, name)
		p := r.StartPosition()
		var sum uint64
		counts := r.Divide(&p, 3)
		for _, c := range counts {
			sum += c.Count
		}
		if want := r.Perft(&p, 3); sum != want || len(counts) != 20 {
			t.Errorf("%s: %d moves with %d leaves, want 20 with %d", name, len(counts), sum, want)
		}
	}
}

// TestPerftOfEndedPositions wants moves that end the game to have no children.
func TestPerftOfEndedPositions(t *testing.T) {
	tests := []struct {
		rules, fen string
		want       [3]uint64 // to depth 0, 1, 2
	}{
		// Campmate on the board.
		{"pychess", "5K2/8/k7/8/8/8/8/8[] b - - 1 50", [3]uint64{1, 0, 0}},
		// Ka8 and Kb8 end it; after each of the other three the Chancellor has five moves.
		{"pychess", "8/K7/8/8/8/8/7k/8[] w - - 0 1", [3]uint64{1, 5, 15}},
		// Nothing ends it; with the Chancellor on the b-file the King may not go there.
		{"moddable", "k7/8/8/8/8/8/8/2K5[] b - - 0 1", [3]uint64{1, 3, 5 + 3 + 3}},
		// The Chancellor's two moves to the c-file make a faceoff and end it.
		{"moddable", "1k6/8/8/8/8/8/8/2K5[] b - - 0 1", [3]uint64{1, 5, 5 + 5 + 3}},
	}
	for _, test := range tests {
		r := builtin(t, test.rules)
		p := parse(t, r, test.fen)
		for depth, want := range test.want {
			if got := r.Perft(&p, depth); got != want {
				t.Errorf("%s %s: perft %d is %d, want %d", test.rules, test.fen, depth, got, want)
			}
		}
	}
}
