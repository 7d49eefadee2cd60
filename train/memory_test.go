package train

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"synochess/net"
	"synochess/net/kernels"
)

// liveHeap returns the bytes that are in use after a collection; a second one empties what pools kept in the first.
func liveHeap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// resident returns the bytes of the process that are in memory, after all that is free has been given back, and
// whether this system tells.
func resident() (bytes int, ok bool) {
	debug.FreeOSMemory()
	data, err := os.ReadFile("/proc/self/statm")
	var size, pages int
	if err == nil {
		_, err = fmt.Sscan(string(data), &size, &pages)
	}
	return pages * os.Getpagesize(), err == nil
}

// TestMemory: 5,000 whole steps leave nothing behind. The allowances are 13 bytes a step of the heap, less than any
// object that a step makes, and 840 of the process; the policy's logits of one step alone take 300 kB.
func TestMemory(t *testing.T) {
	const warm = 500
	steps := 5000
	if underRace {
		steps = 500 // each takes ten times as long, and the detector's own memory grows
	}
	const heapMore, residentMore = 64 << 10, 4 << 20
	c := testConfig()
	c.Batch = 16
	tr, err := New(c, net.New(net.Arch{Blocks: 1, Width: 16, ValueChannels: 1, ValueHidden: 2}, 1), kernels.Best(), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	samples := knownSamples(t, 1, 256)
	train := func(n int) {
		for i := range n {
			at := i % (len(samples) - c.Batch + 1)
			if _, err := tr.Step(samples[at:at+c.Batch], 0.5); err != nil {
				t.Fatal(err)
			}
		}
	}
	train(warm)
	heap := liveHeap()
	memory, known := resident()
	began := time.Now()
	train(steps)
	grown := int64(liveHeap()) - int64(heap)
	after, _ := resident()
	runtime.KeepAlive(samples)
	t.Logf("%d steps in %v: live heap %d kB, %+d kB since step %d; resident memory %d kB, %+d kB",
		steps, time.Since(began).Round(time.Millisecond), heap>>10, grown>>10, warm, memory>>10, (after-memory)>>10)
	if grown > heapMore {
		t.Errorf("%d steps left %d bytes on the heap, more than %d", steps, grown, heapMore)
	}
	if known && !underRace && after-memory > residentMore {
		t.Errorf("resident memory grew by %d bytes in %d steps, more than %d", after-memory, steps, residentMore)
	}
}
