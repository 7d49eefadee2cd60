package env

import "testing"

// BenchmarkPerft is the speed of the move generator: perft 6 from the start, one thread.
func BenchmarkPerft(b *testing.B) {
	for _, name := range []string{"moddable", "pychess"} {
		b.Run(name, func(b *testing.B) {
			r := rulesOf(b, name, false)
			p := r.StartPosition()
			var leaves uint64
			for b.Loop() {
				leaves += r.Perft(&p, 6)
			}
			b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
		})
	}
}
