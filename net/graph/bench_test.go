package graph

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"synochess/net"
	"synochess/net/kernels"
)

// BenchmarkGradients is a step of the quick run's network, forward and backward, beside its baseline:
// the same network made of Gorgonia's own ops (in float64).
func BenchmarkGradients(b *testing.B) {
	w := net.New(net.Arch{Blocks: 2, Width: 32, ValueChannels: 8, ValueHidden: 64}, 1)
	rows := randomRows(rand.New(rand.NewPCG(1, 1)), w.Arch, 256)
	report := func(b *testing.B) { b.ReportMetric(256*float64(b.N)/b.Elapsed().Seconds(), "positions/s") }
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprint("threads=", threads), func(b *testing.B) {
			g := build(b, kernels.Best(), w, 256, threads)
			b.ReportAllocs()
			for b.Loop() {
				if err := g.SetRows(rows); err != nil {
					b.Fatal(err)
				}
				if _, err := g.Gradients(); err != nil {
					b.Fatal(err)
				}
			}
			report(b)
		})
	}
	b.Run("stock", func(b *testing.B) {
		g := build(b, kernels.Best(), w, 256, 1)
		if err := g.SetRows(rows); err != nil {
			b.Fatal(err)
		}
		run := newStock(b, g, w, 0.7).compile()
		b.ReportAllocs()
		for b.Loop() {
			run()
		}
		report(b)
	})
}
