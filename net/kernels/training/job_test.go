package training

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"synochess/net/kernels"
)

// TestPoolRun: every call is made once, and calls of one worker never overlap, in jobs that follow each other
// at once and in jobs before which the workers have gone.
func TestPoolRun(t *testing.T) {
	for threads := 1; threads <= 5; threads++ {
		t.Run(fmt.Sprint("threads=", threads), func(t *testing.T) {
			p := NewPool(kernels.Portable, threads)
			busy := make([]atomic.Bool, threads)
			for round := range 2000 {
				n := round % 23
				calls := make([]atomic.Int32, n)
				p.run(n, func(worker, i int) {
					if busy[worker].Swap(true) {
						t.Errorf("worker %d does two things at once", worker)
					}
					calls[i].Add(1)
					busy[worker].Store(false)
				})
				for i := range calls {
					if c := calls[i].Load(); c != 1 {
						t.Fatalf("round %d: call %d of %d was made %d times", round, i, n, c)
					}
				}
				if round%400 == 0 {
					time.Sleep(2 * linger)
				}
			}
		})
	}
}

// TestPoolHelps: the share of a thread that is held up is done by the others.
func TestPoolHelps(t *testing.T) {
	const n = 10
	p := NewPool(kernels.Portable, 2)
	var left atomic.Int32
	left.Store(n - 1)
	rest := make(chan struct{})
	p.run(n, func(_, i int) {
		if i != 0 {
			if left.Add(-1) == 0 {
				close(rest)
			}
			return
		}
		select {
		case <-rest:
		case <-time.After(10 * time.Second):
			t.Errorf("%d calls wait for a thread that is held up", left.Load())
		}
	})
}
