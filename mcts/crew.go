package mcts

import (
	"errors"
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
	hands   []Evaluator // twins of one evaluator; the first is the caller's
	batches [2]*encode.Batch
	away    *encode.Batch // what the hands evaluate, nil for nothing
	shares  []*share      // of the batch that is away
	taken   atomic.Int32  // shares that somebody has taken up
	begin   chan struct{} // a token for each hand but the first when a batch is there
	ended   sync.WaitGroup
	closing sync.WaitGroup
}

// share is the part of a batch that one hand evaluates at once.
type share struct {
	rows  *encode.Batch
	first int // its first row in the whole batch
	err   error
}

// sharesPerHand is how many parts a batch is divided into for each hand: more balance better what hands
// are behind with, and cost more.
const sharesPerHand = 2

// NewCrew returns a crew of evaluators that give equal answers, at least one.
func NewCrew(hands ...Evaluator) *Crew {
	c := &Crew{hands: hands, batches: [2]*encode.Batch{encode.NewBatch(), encode.NewBatch()}, begin: make(chan struct{}, len(hands))}
	for _, ev := range hands[1:] {
		c.closing.Go(func() {
			for range c.begin {
				c.work(ev)
				c.ended.Done()
			}
		})
	}
	return c
}

// Close ends the crew's goroutines. A crew that is closed is not used any more.
func (c *Crew) Close() {
	c.land()
	close(c.begin)
	c.closing.Wait()
}

// HasUniformPrior reports whether the crew's evaluators are such (HasUniformPrior).
func (c *Crew) HasUniformPrior() bool { return HasUniformPrior(c.hands[0]) }

// Advance moves the search on by a step. done means that it is over. The evaluators' errors are returned as they are,
// and end the search.
func (c *Crew) Advance(s *Search) (done bool, err error) {
	next := c.batches[0]
	next.Reset()
	rows, done := s.Collect(next)
	if err := c.Land(s); err != nil {
		return false, err
	}
	switch {
	case rows == 0:
		return done, nil
	case len(c.hands) == 1 || !s.nodes[0].evaluated: // without the root there is nothing to select
		if err := c.hands[0].Evaluate(next); err != nil {
			return false, err
		}
		s.Absorb(next, 0)
		return false, nil
	}
	s.flight, s.away = s.away, s.flight
	c.batches[0], c.batches[1] = c.batches[1], c.batches[0]
	c.launch(next)
	return false, nil
}

// Land waits for the leaves that are being evaluated and gives them to the search. It is for who ends a search
// before Advance says that it is over.
func (c *Crew) Land(s *Search) error {
	b := c.away
	if b == nil {
		return nil
	}
	err := c.land()
	s.flight, s.away = s.away, s.flight
	if err == nil {
		s.Absorb(b, 0)
	}
	s.flight, s.away = s.away, s.flight
	return err
}

// launch divides a batch and calls the hands.
func (c *Crew) launch(b *encode.Batch) {
	n := min(b.Len(), sharesPerHand*len(c.hands))
	for len(c.shares) < n {
		c.shares = append(c.shares, &share{rows: encode.NewBatch()})
	}
	for i, sh := range c.shares[:n] {
		sh.first = i * b.Len() / n
		sh.rows.Reset()
		for row := sh.first; row < (i+1)*b.Len()/n; row++ {
			sh.rows.Append(b.Row(row))
		}
	}
	for _, sh := range c.shares[n:] {
		sh.rows.Reset()
	}
	c.taken.Store(0)
	c.away = b
	c.ended.Add(len(c.hands) - 1)
	for range c.hands[1:] {
		c.begin <- struct{}{}
	}
}

// work evaluates shares until all are taken up.
func (c *Crew) work(ev Evaluator) {
	for {
		i := int(c.taken.Add(1)) - 1
		if i >= len(c.shares) {
			return
		}
		if sh := c.shares[i]; sh.rows.Len() > 0 {
			sh.err = ev.Evaluate(sh.rows)
		} else {
			sh.err = nil
		}
	}
}

// land lends a hand, waits for the others, and puts the answers together.
func (c *Crew) land() error {
	b := c.away
	if b == nil {
		return nil
	}
	c.away = nil
	c.work(c.hands[0])
	c.ended.Wait()
	b.PrepareOutputs()
	var errs []error
	for _, sh := range c.shares {
		if errs = append(errs, sh.err); sh.err == nil && sh.rows.Len() > 0 {
			copy(b.Logits[b.Offsets[sh.first]:], sh.rows.Logits)
			copy(b.WDL[3*sh.first:], sh.rows.WDL)
		}
	}
	return errors.Join(errs...)
}
