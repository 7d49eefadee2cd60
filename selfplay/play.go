package selfplay

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"synochess/datasets"
)

// Tasks hands out the tasks of a run of games in order; it returns nil when there are no more. Play calls
// it from one goroutine at a time.
type Tasks func() (*Task, error)

// Record takes a finished game. Play calls it from one goroutine at a time, in the order in which games
// happen to end. evaluations counts the positions that the worker of this game has evaluated, for all its games,
// since the last one it handed in.
type Record func(g *datasets.Game, evaluations int) error

// Play plays tasks on the given number of workers, each with the given number of seats, until they are
// all finished, the context ends or something fails. A game under way at that moment leaves nothing
// behind.
func Play(ctx context.Context, agents []Agent, workers, seats int, stamp Stamp, tasks Tasks, record Record) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var mu sync.Mutex // guards tasks and record
	shared := sharedQueue{
		next: func() (*Task, error) {
			mu.Lock()
			defer mu.Unlock()
			return tasks()
		},
		record: func(g *datasets.Game, evaluations int) error {
			mu.Lock()
			defer mu.Unlock()
			return record(g, evaluations)
		},
	}
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() {
			w := worker{agents: agents, stamp: stamp, queue: shared}
			if errs[i] = w.run(ctx, seats); errs[i] != nil {
				cancel()
			}
		})
	}
	wg.Wait()
	return firstCause(errs)
}

// firstCause prefers the error that stopped the others to their cancellation.
func firstCause(errs []error) error {
	var cancelled error
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		if err != nil {
			cancelled = err
		}
	}
	return cancelled
}

// sharedQueue is all that the workers share; its functions may be called by several at a time.
type sharedQueue struct {
	next   func() (*Task, error)
	record Record
}

// worker plays its seats' games in rounds, on one goroutine.
type worker struct {
	agents      []Agent
	stamp       Stamp
	queue       sharedQueue
	tables      []Table
	wake        chan struct{} // has a token when a remote player may have something new
	evaluations int           // since the last record
}

// run plays on so many seats until there are no more tasks.
func (w *worker) run(ctx context.Context, seats int) error {
	w.wake = make(chan struct{}, 1)
	for _, a := range w.agents {
		t, err := a.Open()
		if err != nil {
			return err
		}
		w.tables = append(w.tables, t)
		if remote, ok := t.(RemoteTable); ok {
			remote.Notify(w.notify)
			defer remote.Close()
		}
	}
	var idle, busy []*seat
	for range seats {
		idle = append(idle, newSeat(w.tables))
	}
	more := true
	for {
		for more && len(idle) > 0 {
			task, err := w.queue.next()
			if err != nil {
				return err
			}
			if task == nil {
				more = false
				break
			}
			s := idle[len(idle)-1]
			if err := s.begin(task, w.tables, &w.stamp, w.agents); err != nil {
				return err
			}
			idle, busy = idle[:len(idle)-1], append(busy, s)
		}
		if len(busy) == 0 {
			return ctx.Err()
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		ended, err := w.round(busy)
		if err != nil {
			return err
		}
		if ended > 0 {
			still := busy[:0]
			for _, s := range busy {
				if s.game == nil {
					idle = append(idle, s)
				} else {
					still = append(still, s)
				}
			}
			busy = still
		}
		if err := w.rest(ctx, busy); err != nil {
			return err
		}
	}
}

// notify ends the worker's rest.
func (w *worker) notify() {
	select {
	case w.wake <- struct{}{}:
	default: // it knows already
	}
}

// rest waits while there is nothing to do because all seats wait for players that think elsewhere.
func (w *worker) rest(ctx context.Context, busy []*seat) error {
	for allWaiting(busy) {
		select {
		case <-w.wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// allWaiting reports whether there are seats and each of them waits.
func allWaiting(busy []*seat) bool {
	for _, s := range busy {
		if !s.waiting() {
			return false
		}
	}
	return len(busy) > 0
}

// round takes every busy seat as far as it goes and then answers its questions. A seat whose game has ended
// hands in its record and has no game any more. It may be that no seat asks and none has ended: simulations that
// reach what the rules decide, or what the cache holds, need no answer, and a player stops after some hundred of
// them so that the others get their turn.
func (w *worker) round(busy []*seat) (ended int, err error) {
	for _, s := range busy {
		if s.waiting() {
			continue
		}
		over, err := s.advance()
		if err != nil {
			return ended, fmt.Errorf("game %d: %w", s.task.Number, err)
		}
		if !over {
			continue
		}
		ended++
		for army := range s.searched {
			s.searched[army].sign(&s.record.Agents[army])
		}
		if err := w.queue.record(s.record, w.evaluations); err != nil {
			return ended, err
		}
		w.evaluations = 0
		s.game, s.record = nil, nil
	}
	answered := 0
	for _, t := range w.tables {
		n, err := t.Answer()
		if err != nil {
			return ended, err
		}
		answered += n
	}
	w.evaluations += answered
	return ended, nil
}
