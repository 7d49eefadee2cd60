package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"synochess/datasets"
	"synochess/env/encode"
	"synochess/mcts"
	"synochess/net/fast"
	"synochess/selfplay"
	"synochess/selfplay/netagent"
)

// turnTime is how long self-play goes on in a contender's turn.
const turnTime = 250 * time.Millisecond

// table is self-play of the quick configuration with some network. It goes on only while its gate is open,
// so that tables can take turns and each is measured in the middle of its games.
type table struct {
	workers int
	gate    sync.RWMutex // held by the owner while it is not the table's turn
	rows    atomic.Int64 // evaluated
	nanos   atomic.Int64 // that evaluations took (threadTime), of all workers
	outside []float64    // [turn], percent of the time that went elsewhere than into the network
	cancel  context.CancelFunc
	done    chan error
}

// meter waits for the table's turn and counts.
type meter struct {
	mcts.Evaluator
	table *table
}

func (m meter) Evaluate(b *encode.Batch) error {
	m.table.gate.RLock()
	defer m.table.gate.RUnlock()
	runtime.LockOSThread() // whose time is read
	defer runtime.UnlockOSThread()
	start := threadTime()
	err := m.Evaluator.Evaluate(b)
	m.table.nanos.Add(int64(threadTime() - start))
	m.table.rows.Add(int64(b.Len()))
	return err
}

// start begins a number of games with the gate closed.
func (s *session) start(n network, precision fast.Precision, workers, seats, games int, record selfplay.Record) (*table, error) {
	rules, err := selfplay.NewRuleSource(s.Config.Rules)
	if err != nil {
		return nil, err
	}
	w, err := n.calibrated(s.Kernels)
	if err != nil {
		return nil, err
	}
	t := &table{workers: workers, done: make(chan error, 1)}
	agent := netagent.New(s.Kernels, w, precision, s.Config.Search)
	inner := agent.NewEvaluator
	agent.NewEvaluator = func() (mcts.Evaluator, error) {
		ev, err := inner()
		return meter{ev, t}, err
	}
	g := selfplay.Generation{Config: s.Config.SelfPlay, Rules: rules, RunSeed: 1, Games: games}
	var ctx context.Context
	ctx, t.cancel = context.WithCancel(s.ctx)
	t.gate.Lock()
	go func() {
		t.done <- selfplay.Play(ctx, []selfplay.Agent{agent}, workers, seats, selfplay.Stamp{RunID: "bench", Program: s.Program}, g.Tasks(), record)
	}()
	return t, nil
}

// turn lets the games go on for turnTime, on a busy machine until there is something to measure, and returns the seconds for
// n evaluations.
func (t *table) turn(n int) (float64, error) {
	rows, nanos, cpu, start := t.rows.Load(), t.nanos.Load(), cpuTime(), time.Now()
	t.gate.Unlock()
	for wait := turnTime; t.rows.Load() == rows || wait == turnTime; wait = turnTime / 10 {
		select {
		case err := <-t.done:
			t.done <- err
			t.gate.Lock()
			return 0, errors.Join(errors.New("self-play ended"), err)
		case <-time.After(wait):
		}
	}
	t.gate.Lock()
	passed, spent := time.Since(start), cpuTime()-cpu
	if threadClock == Wall {
		spent = passed * time.Duration(t.workers)
	}
	t.outside = append(t.outside, 100*(1-float64(t.nanos.Load()-nanos)/float64(spent)))
	return float64(n) * passed.Seconds() / float64(t.rows.Load()-rows), nil
}

// close ends the games.
func (t *table) close() {
	t.cancel()
	t.gate.Unlock()
	<-t.done // the games were not to be finished
}

// sampleGames are played to the end, for what depends on whole games.
const sampleGames = 16

// sample plays a few games to the end, once, and keeps them with the evaluations that a game takes.
func (s *session) sample() error {
	if s.games != nil {
		return nil
	}
	cores := s.report.Machine.Cores
	t, err := s.start(s.networks()[0], s.Config.Precision.For(s.Kernels, s.Config.Net), cores, sampleGames/cores+1, sampleGames, func(g *datasets.Game, _ int) error {
		s.games = append(s.games, g)
		return nil
	})
	if err != nil {
		return err
	}
	t.gate.Unlock()
	defer t.cancel()
	err = <-t.done
	s.perGame = float64(t.rows.Load()) / sampleGames
	return err
}

// discard takes games that nobody needs.
func discard(*datasets.Game, int) error { return nil }

// selfPlay measures steady self-play with each network in each precision, on one worker and on all, and
// tells how much of the processor time is spent outside the network.
func (s *session) selfPlay() error {
	if err := s.sample(); err != nil {
		return err
	}
	for i, n := range s.networks() {
		if err := s.tables(n, i == 0); err != nil {
			return err
		}
	}
	return nil
}

// tables holds the contest of a network's tables. Games are counted for the quick run's network: how many
// evaluations a game takes was measured with it.
func (s *session) tables(n network, games bool) error {
	c := contest{group: "self-play", name: n.name, unit: "evaluations/s", units: 1, budget: 7 * time.Second}
	workers := []int{1}
	if cores := s.report.Machine.Cores; cores > 1 {
		workers = append(workers, cores)
	}
	var tables []*table
	for _, p := range s.precisions(n.arch) {
		path, err := p.KernelPath(s.Kernels)
		if err != nil {
			return err
		}
		for _, count := range workers {
			t, err := s.start(n, p, count, s.Config.SelfPlay.Seats, 1<<30, discard)
			if err != nil {
				return err
			}
			defer t.close()
			tables = append(tables, t)
			c.contenders = append(c.contenders, contender{name: fmt.Sprintf("%s %s on %d", ours, path, count), clock: Wall, run: t.turn})
		}
	}
	results, err := c.run(s.ctx)
	if err != nil {
		return err
	}
	for i, r := range results {
		s.report.Results = append(s.report.Results, r)
		r.Ratios = nil
		if games {
			perHour := make([]float64, len(r.Rounds))
			for k, rate := range r.Rounds {
				perHour[k] = 3600 * rate / s.perGame
			}
			r.Unit = "games/h"
			r.set(perHour)
			s.report.Results = append(s.report.Results, r)
		}
		outside := tables[i].outside
		r.Unit, r.Clock = "% outside the network", threadClock
		r.set(outside[len(outside)-len(r.Rounds):]) // without the warm-up
		s.report.Results = append(s.report.Results, r)
	}
	return nil
}
