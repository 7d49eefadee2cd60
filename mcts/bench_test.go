package mcts

import (
	"testing"

	"synochess/env/encode"
)

// BenchmarkSearch measures simulations a second without a network, on one goroutine.
func BenchmarkSearch(b *testing.B) {
	for _, c := range []struct {
		name   string
		mode   string
		visits int
		cache  int
	}{
		{"gumbel-64", ModeGumbel, 64, 0},
		{"gumbel-64-cache", ModeGumbel, 64, 1 << 16},
		{"puct-800", ModePUCT, 800, 0},
		{"puct-20000", ModePUCT, 20000, 0},
	} {
		b.Run(c.name, func(b *testing.B) {
			cfg := testConfig()
			cfg.Mode = c.mode
			s := New(cfg, NewCache(c.cache))
			g := gameAt(b, builtin(b, "moddable"), "", "e2e4", "h8h5")
			s.batch = encode.NewBatch()
			simulations := 0
			for b.Loop() {
				simulations += run(b, s, g, Options{Visits: c.visits, FreshRoot: true}, constant{}).Visits
			}
			b.ReportMetric(float64(simulations)/b.Elapsed().Seconds(), "sims/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}
