package fast

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"synochess/internal/kernels"
	"synochess/net"
)

func threadCPU() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(1, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func TestZ(t *testing.T) {
	if os.Getenv("Z") == "" {
		t.Skip()
	}
	runtime.LockOSThread()
	for _, shape := range [][2]int{{4, 48}, {6, 64}} {
		w := net.New(net.Arch{Blocks: shape[0], Width: shape[1], ValueChannels: 8, ValueHidden: 64}, 1)
		for _, name := range kernels.Names() {
			if !strings.Contains(os.Getenv("Z"), name) {
				continue
			}
			set, _ := kernels.ByName(name)
			e := mustNew(t, set, w)
			for _, rows := range []int{1, 8, 64} {
				batch := positions(rows)
				best, trunk := 1e9, 1e9
				x := make([]float32, rows*64*shape[1])
				for range 25 {
					n := 0
					t0 := threadCPU()
					for d := time.Duration(0); d < 12*time.Millisecond; d = threadCPU() - t0 {
						e.Evaluate(batch)
						n++
					}
					best = min(best, (threadCPU()-t0).Seconds()/float64(n*rows))
					for i := range x {
						x[i] = 1
					}
					n = 0
					t0 = threadCPU()
					for d := time.Duration(0); d < 12*time.Millisecond; d = threadCPU() - t0 {
						for at := 0; at < rows; at += 8 {
							k := min(8, rows-at)
							clear(x[:64])
							e.trunk.Run(x[at*64*shape[1]:][:k*64*shape[1]], k)
						}
						n++
					}
					trunk = min(trunk, (threadCPU()-t0).Seconds()/float64(n*rows))
				}
				fmt.Printf("%dx%d %-11s batch %2d: %7.0f evals/s (%.1f us; trunk %.1f us)\n", shape[0], shape[1], name, rows, 1/best, best*1e6, trunk*1e6)
			}
		}
	}
}
