package graph

import (
	"math/rand/v2"
	"testing"

	"synochess/net"
)

// randomRow makes a row with a few stones, random scalars and legal moves, and random targets.
func randomRow(r *rand.Rand, a net.Arch) *Row {
	row := &Row{PolicyWeight: 1, ValueWeight: 1}
	for range a.Planes {
		row.Planes = append(row.Planes, r.Uint64()&r.Uint64()&r.Uint64())
	}
	for range a.Scalars {
		scale := uint16(1 + r.IntN(20))
		row.Scales = append(row.Scales, scale)
		row.Scalars = append(row.Scalars, uint16(r.IntN(int(scale)+1)))
	}
	var sum float32
	for _, m := range r.Perm(64 * a.PolicyPlanes)[:5+r.IntN(20)] {
		p := r.Float32()
		row.Moves, row.Policy = append(row.Moves, uint16(m)), append(row.Policy, p)
		sum += p
	}
	for i := range row.Policy {
		row.Policy[i] /= sum
	}
	w, d := r.Float32(), r.Float32()
	row.WDL = [3]float32{w * d, (1 - w) * d, 1 - d}
	return row
}

func randomRows(r *rand.Rand, a net.Arch, n int) []*Row {
	rows := make([]*Row, n)
	for i := range rows {
		rows[i] = randomRow(r, a)
	}
	return rows
}

func build(tb testing.TB, w *net.Weights, batch, threads int) *Graph {
	tb.Helper()
	g, err := Build(w.Arch, Options{Batch: batch, Threads: threads, ValueWeight: 0.7})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { g.Close() })
	if err := g.Load(w); err != nil {
		tb.Fatal(err)
	}
	return g
}

func BenchmarkGradients(b *testing.B) {
	w := net.New(net.Arch{Blocks: 2, Width: 32, ValueChannels: 8, ValueHidden: 64}, 1)
	for _, threads := range []int{1, 2} {
		g := build(b, w, 256, threads)
		rows := randomRows(rand.New(rand.NewPCG(1, 1)), w.Arch, 256)
		b.Run(map[int]string{1: "1thread", 2: "2threads"}[threads], func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				if err := g.SetRows(rows); err != nil {
					b.Fatal(err)
				}
				if _, err := g.Gradients(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(256*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}
