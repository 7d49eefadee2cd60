package mcts

import (
	"runtime"
	"sync"
	"sync/atomic"

	"synochess/env/encode"
)

// Crew lets several processors work on one search. While its hands evaluate the leaves of one step, the next step is
// selected; then the caller lends a hand too. The search is that of leaves chosen one step ahead: it depends on
// Config.LeavesPerStep and on whether there is more than one hand, not on how many there are or which is fast.
//
// A Crew belongs to one goroutine and to one search at a time. Close ends its goroutines.
type Crew struct {
	hands   []*hand // the first is the caller's
	batches [2]*encode.Batch
	away    *errand // what the hands evaluate, nil for nothing

	newest  atomic.Pointer[errand] // the last one given out
	mu      sync.Mutex
	wake    sync.Cond // of a hand that has waited for long: newest has changed
	closing sync.WaitGroup
}

// errand is a batch that the hands evaluate, a few rows at a time. Each batch is a new errand, so that a hand that comes
// late to the last one finds nothing left there.
type errand struct {
	batch    *encode.Batch // nil: the hands are to go home
	rows     int32
	taken    atomic.Int32  // rows that a hand has taken up
	answered atomic.Int32  // rows that are answered, or failed
	done     chan struct{} // closed when all are
}

// hand evaluates rows, some of an errand at a time.
type hand struct {
	evaluator Evaluator
	rows      *encode.Batch
	err       error // of the errand; nil if all went well
}

// NewCrew returns a crew of evaluators that give equal answers, at least one.
func NewCrew(evaluators ...Evaluator) *Crew {
	c := &Crew{batches: [2]*encode.Batch{encode.NewBatch(), encode.NewBatch()}}
	c.wake.L = &c.mu
	for i, ev := range evaluators {
		h := &hand{evaluator: ev, rows: encode.NewBatch()}
		c.hands = append(c.hands, h)
		if i > 0 {
			c.closing.Go(func() { c.serve(h) })
		}
	}
	return c
}

// Close ends the crew's goroutines. A crew that is closed is not used any more.
func (c *Crew) Close() {
	_, _ = c.land()
	c.send(&errand{}) // without a batch
	c.closing.Wait()
}

// HasUniformPrior reports whether the crew's evaluators are such (HasUniformPrior).
func (c *Crew) HasUniformPrior() bool { return HasUniformPrior(c.hands[0].evaluator) }

// Advance moves the search on by a step. done means that it is over. The evaluators' errors are returned as they are,
// and end the search.
func (c *Crew) Advance(s *Search) (done bool, err error) {
	next := c.batches[0]
	next.Reset()
	rows, done := s.Collect(next)
	landed, err := c.land()
	switch {
	case err != nil:
		return false, err
	case rows > 0 && (len(c.hands) == 1 || !s.nodes[0].evaluated): // without the root there is nothing to select meanwhile
		if err := c.hands[0].evaluator.Evaluate(next); err != nil {
			return false, err
		}
		s.Absorb(next, 0)
		return false, nil
	}
	s.flight, s.away = s.away, s.flight
	if rows > 0 { // on their way before the others are backed up: the hands do not wait
		c.batches[0], c.batches[1] = c.batches[1], c.batches[0]
		c.launch(next)
	}
	if landed != nil {
		s.Absorb(landed, 0)
	}
	return done, nil
}

// Land waits for the leaves that are being evaluated and gives them to the search. It is for who ends a search
// before Advance says that it is over.
func (c *Crew) Land(s *Search) error {
	landed, err := c.land()
	if landed != nil && err == nil {
		s.flight, s.away = s.away, s.flight
		s.Absorb(landed, 0)
	}
	return err
}

// launch sends a batch to the hands.
func (c *Crew) launch(b *encode.Batch) {
	b.PrepareOutputs()
	c.away = &errand{batch: b, rows: int32(b.Len()), done: make(chan struct{})}
	c.send(c.away)
}

// send gives out an errand.
func (c *Crew) send(e *errand) {
	c.mu.Lock()
	c.newest.Store(e)
	c.mu.Unlock()
	c.wake.Broadcast()
}

// land lends a hand, waits for the others, and returns the batch that was away with its answers, or nil.
func (c *Crew) land() (*encode.Batch, error) {
	e := c.away
	if e == nil {
		return nil, nil
	}
	c.away = nil
	c.hands[0].work(e, len(c.hands))
	for range patience {
		if e.answered.Load() == e.rows {
			break
		}
		runtime.Gosched()
	}
	<-e.done
	var err error
	for _, h := range c.hands {
		if h.err != nil {
			err, h.err = h.err, nil
		}
	}
	return e.batch, err
}

// serve is the goroutine of a hand.
func (c *Crew) serve(h *hand) {
	for e := c.await(nil); e.batch != nil; e = c.await(e) {
		h.work(e, len(c.hands))
	}
}

// patience is how often a hand looks for the next errand, and the caller for its end, before they sleep, about half a
// millisecond: waking up takes longer than a batch of a small network. Where others have the processors, it is a hand that
// waits for one, and looking longer would only take it away.
const patience = 2000

// await returns the newest errand when it is another than the last.
func (c *Crew) await(last *errand) *errand {
	for range patience {
		if e := c.newest.Load(); e != last {
			return e
		}
		runtime.Gosched()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.newest.Load() == last {
		c.wake.Wait()
	}
	return c.newest.Load()
}

// work evaluates rows of an errand until all are taken up, by so many hands.
func (h *hand) work(e *errand, hands int) {
	for {
		first, n := e.take(hands)
		if n == 0 {
			return
		}
		h.rows.Reset()
		for row := first; row < first+n; row++ {
			h.rows.Append(e.batch.Row(row))
		}
		if err := h.evaluator.Evaluate(h.rows); err != nil {
			h.err = err
		} else {
			copy(e.batch.Logits[e.batch.Offsets[first]:], h.rows.Logits)
			copy(e.batch.WDL[3*first:], h.rows.WDL)
		}
		if e.answered.Add(int32(n)) == e.rows {
			close(e.done)
		}
	}
}

// take takes up rows: many at first, which is cheap, and fewer towards the end, so that all hands end together.
func (e *errand) take(hands int) (first, n int) {
	for {
		taken := e.taken.Load()
		left := int(e.rows - taken)
		if n = min(left, 8, max(2, left/hands)); n == 0 {
			return 0, 0
		}
		if e.taken.CompareAndSwap(taken, taken+int32(n)) {
			return int(taken), n
		}
	}
}
