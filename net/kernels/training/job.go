package training

import (
	"sync"
	"sync/atomic"
	"time"
)

// linger is how long a thread waits actively. Waking a thread that sleeps takes tens of microseconds, and the
// system likes to put it on the core of its waker, where the two take turns for milliseconds; a step of
// training is some hundred jobs, and there is little between them. Much longer than this would cost a machine
// that has other work: the thread that is waited for may be waiting for its core.
const linger = 200 * time.Microsecond

// job is one call of Pool.run: f(worker, i) for every i in [0, n). Each worker has a share of neighbours, the
// same for the same n, so that it finds in its caches what it wrote in the job before; when it is done with it,
// it takes from the others' ends.
type job struct {
	f      func(worker, i int)
	shares []share        // [worker]
	left   atomic.Int64   // calls that have not returned
	done   sync.WaitGroup // 0 when left is
}

// share is what nobody has taken yet of a worker's part of a job: [lo, hi) as lo<<32 | hi.
type share struct {
	span atomic.Uint64
	_    [56]byte // the rest of a cache line
}

// shareOf returns the part [lo, hi) of [0, n) that belongs to a worker.
func shareOf(worker, workers, n int) (lo, hi int) {
	return worker * n / workers, (worker + 1) * n / workers
}

func newJob(workers, n int, f func(worker, i int)) *job {
	j := &job{f: f, shares: make([]share, workers)}
	for w := range j.shares {
		lo, hi := shareOf(w, workers, n)
		j.shares[w].span.Store(uint64(lo)<<32 | uint64(hi))
	}
	j.left.Store(int64(n))
	j.done.Add(1)
	return j
}

// first takes the first of a share, if any is left.
func (s *share) first() (i int, ok bool) {
	for {
		v := s.span.Load()
		if v>>32 >= v&(1<<32-1) {
			return 0, false
		}
		if s.span.CompareAndSwap(v, v+1<<32) {
			return int(v >> 32), true
		}
	}
}

// last takes the last of a share, if any is left.
func (s *share) last() (i int, ok bool) {
	for {
		v := s.span.Load()
		if v>>32 >= v&(1<<32-1) {
			return 0, false
		}
		if s.span.CompareAndSwap(v, v-1) {
			return int(v&(1<<32-1)) - 1, true
		}
	}
}

// work does what is left to be taken.
func (j *job) work(worker int) {
	for i, ok := j.shares[worker].first(); ok; i, ok = j.shares[worker].first() {
		j.call(worker, i)
	}
	for w := range j.shares {
		other := &j.shares[(worker+w)%len(j.shares)]
		for i, ok := other.last(); ok; i, ok = other.last() {
			j.call(worker, i)
		}
	}
}

func (j *job) call(worker, i int) {
	j.f(worker, i)
	if j.left.Add(-1) == 0 {
		j.done.Done()
	}
}

// wait returns when all calls have returned.
func (j *job) wait() {
	if !await(func() bool { return j.left.Load() == 0 }) {
		j.done.Wait()
	}
}

// await waits actively until ready, and reports false if that takes too long.
func await(ready func() bool) bool {
	const looks = 256 // between looks at the clock
	for start := time.Now(); time.Since(start) < linger; {
		for range looks {
			if ready() {
				return true
			}
		}
	}
	return false
}

// worker is a thread of a Pool beside the caller's. It ends when there has been no work for a while, so that a
// pool need not be closed.
type worker struct {
	alive atomic.Bool
	_     [60]byte // the rest of a cache line
}

// start makes sure that the worker looks at the pool's job.
func (w *worker) start(p *Pool, number int) {
	if w.alive.CompareAndSwap(false, true) {
		go w.serve(p, number)
	}
}

func (w *worker) serve(p *Pool, number int) {
	var done *job
	for {
		fresh := func() bool { return p.job.Load() != done }
		if !await(fresh) {
			w.alive.Store(false)
			// A job that came meanwhile may have been taken for seen.
			if !fresh() || !w.alive.CompareAndSwap(false, true) {
				return
			}
		}
		done = p.job.Load()
		if number < len(done.shares) {
			done.work(number)
		}
	}
}
