//go:build unix

package graph

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"synochess/net"
	"synochess/net/kernels"
)

// cpuTime is what the process has used; other processes on the machine do not change it much.
func cpuTime(tb testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkStep is forward and backward over 256 positions on every path that this processor runs.
func BenchmarkStep(b *testing.B) {
	for _, n := range []struct{ blocks, width int }{{2, 32}, {4, 48}, {6, 64}} {
		w := net.New(net.Arch{Blocks: n.blocks, Width: n.width, ValueChannels: 8, ValueHidden: 64}, 1)
		rows := randomRows(rand.New(rand.NewPCG(1, 1)), w.Arch, 256)
		for _, path := range kernels.Paths() {
			if !path.Float.Runs {
				continue
			}
			for _, threads := range []int{1, 2} {
				b.Run(fmt.Sprintf("net=%dx%d/path=%s/threads=%d", n.blocks, n.width, path.Float.Name, threads), func(b *testing.B) {
					g := build(b, path, w, 256, threads)
					step := func() {
						if err := g.SetRows(rows); err != nil {
							b.Fatal(err)
						}
						if _, err := g.Gradients(); err != nil {
							b.Fatal(err)
						}
					}
					step()
					b.ReportAllocs()
					start, last, best := cpuTime(b), cpuTime(b), time.Hour
					for b.Loop() {
						step()
						now := cpuTime(b)
						best, last = min(best, now-last), now
					}
					b.ReportMetric(float64(last-start)/1e6/float64(b.N), "cpu-ms/step")
					b.ReportMetric(float64(best)/1e6, "best-cpu-ms/step")
				})
			}
		}
	}
}
