package uciengine

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"synochess/env"
	"synochess/mcts"
	"synochess/selfplay"
)

// table is the engine at work for one worker. It implements selfplay.RemoteTable.
type table struct {
	engine  *Engine
	wake    func()
	players []*player
}

func (t *table) Notify(wake func())   { t.wake = wake }
func (t *table) Answer() (int, error) { return 0, nil }

func (t *table) Seat() selfplay.Player {
	p := &player{table: t, answers: make(chan answer, 1)}
	t.players = append(t.players, p)
	return p
}

func (t *table) Close() {
	var all sync.WaitGroup
	for _, p := range t.players {
		all.Go(p.close)
	}
	all.Wait()
}

// player is the engine in one game at a time, with a process of its own. It implements
// selfplay.RemotePlayer. One search is under way at most, on a goroutine that has the process meanwhile.
type player struct {
	table   *table
	game    *env.Game // the one that the process plays
	answers chan answer
	waiting atomic.Bool
	used    time.Duration
	result  mcts.Result

	rules   *env.Rules     // those that the process was told; belongs to the goroutine of the search
	search  sync.WaitGroup // of the goroutine of the search
	mu      sync.Mutex
	process *process // nil: none runs; guarded by mu
	closed  bool     // no process may be started any more; guarded by mu
}

// order is a search that is wanted.
type order struct {
	rules     *env.Rules
	newGame   bool
	position  string
	search    string
	allowance time.Duration // time after which it has lost; 0: none, the engine's patience bounds the wait
}

// answer is what came of an order.
type answer struct {
	move    string
	value   wdl
	used    time.Duration
	failure *selfplay.Forfeit // nil: none
}

func (p *player) Start(g *env.Game, ask selfplay.Ask) error {
	o := order{rules: g.Rules(), newGame: g != p.game, position: positionCommand(g)}
	o.search, o.allowance = searchCommand(g.Position().SideToMove(), ask)
	p.game = g
	p.waiting.Store(true)
	p.search.Go(func() {
		p.answers <- p.think(o)
		p.waiting.Store(false)
		p.table.wake()
	})
	return nil
}

func (p *player) Waiting() bool       { return p.waiting.Load() }
func (p *player) Used() time.Duration { return p.used }

func (p *player) Result() *mcts.Result { return &p.result }

func (p *player) Step() (bool, error) {
	if p.waiting.Load() {
		return false, nil
	}
	a := <-p.answers
	p.used = a.used
	failure := a.failure
	if failure == nil {
		m, err := p.game.Rules().ParseMove(p.game.Position(), a.move)
		if err == nil {
			p.table.engine.failures.Store(0)
			p.result = mcts.Result{Best: m, RootAfter: a.value}
			return true, nil
		}
		failure = &selfplay.Forfeit{Class: "illegal move", Detail: err.Error()}
		p.drop() // it may not know the position any more
	}
	e := p.table.engine
	if n := e.failures.Add(1); n >= maxFailures {
		return false, &Broken{e.cfg.Name, int(n), failure.Error()}
	}
	return false, failure
}

// think makes the process ready, lets it search and waits for its move. After a failure the process is ended, unless it
// was only slow and obeyed `stop`.
func (p *player) think(o order) answer {
	if o.newGame && p.table.engine.cfg.Fresh {
		p.drop()
	}
	proc, err := p.ready(o)
	if err != nil {
		p.drop()
		return answer{failure: failed(err, "before the game")}
	}
	began := time.Now()
	deadline := p.table.engine.patience()
	if o.allowance > 0 {
		deadline = began.Add(o.allowance)
	}
	var line string
	var value wdl
	if err = proc.tell(o.position, o.search); err == nil {
		line, err = proc.until(deadline, func(line string) bool { value.read(line); return isBestMove(line) })
	}
	a := answer{move: bestMove(line), value: value, used: time.Since(began)}
	switch {
	case err == nil:
		return a
	case errors.Is(err, errSilent):
		a.failure = failed(err, "to `"+o.search+"`")
		if o.allowance > 0 {
			a.failure.Class = selfplay.LostOnTime
		}
		// An engine that obeys `stop` can play the next game.
		if proc.tell("stop") == nil {
			if _, err := proc.until(time.Now().Add(time.Second), isBestMove); err == nil {
				return a
			}
		}
	default:
		a.failure = failed(err, "after `"+o.search+"`"+proc.complaint())
	}
	p.drop()
	return a
}

// failed says what an error of the process means for the game.
func failed(err error, when string) *selfplay.Forfeit {
	class := "crash"
	switch {
	case errors.Is(err, errSilent):
		class = "no answer"
	case errors.Is(err, errFlood):
		class = "flood"
	}
	return &selfplay.Forfeit{Class: class, Detail: err.Error() + " " + when}
}

// ready returns the process, which it starts if none runs and tells of a new game.
func (p *player) ready(o order) (*process, error) {
	e := p.table.engine
	proc, fresh, err := p.running()
	if err != nil {
		return nil, err
	}
	if fresh {
		if _, err := e.greet(proc); err != nil {
			return nil, err
		}
		p.rules = nil
	}
	if !fresh && !o.newGame {
		return proc, nil
	}
	if p.rules != o.rules {
		if err := e.setVariant(proc, o.rules); err != nil {
			return nil, err
		}
		p.rules = o.rules
	}
	if err := proc.tell("ucinewgame"); err != nil {
		return nil, err
	}
	return proc, e.ready(proc, func(string) {})
}

// running returns the process, a fresh one if none runs.
func (p *player) running() (proc *process, fresh bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return nil, false, errEnded
	case p.process == nil:
		fresh = true
		p.process, err = startProcess(p.table.engine.cfg)
	}
	return p.process, fresh, err
}

// drop ends the process, if one runs, at once.
func (p *player) drop() {
	p.mu.Lock()
	proc := p.process
	p.process = nil
	p.mu.Unlock()
	if proc != nil {
		proc.kill()
		<-proc.gone
	}
}

// close ends the process for good, and politely if it is idle.
func (p *player) close() {
	p.mu.Lock()
	p.closed = true
	proc := p.process
	p.mu.Unlock()
	if proc != nil && p.waiting.Load() {
		proc.kill()
	}
	p.search.Wait()
	if proc != nil {
		proc.quit()
	}
	p.drop()
}

// positionCommand tells the engine the start and the moves, so that it knows about repetition.
func positionCommand(g *env.Game) string {
	r := g.Rules()
	moves := g.Moves()
	if len(moves) == 0 {
		return "position fen " + r.FEN(g.Position())
	}
	start := g.Start()
	var b strings.Builder
	b.WriteString("position fen " + r.FEN(&start) + " moves")
	for _, m := range moves {
		b.WriteString(" " + r.MoveString(m))
	}
	return b.String()
}

// searchCommand returns what bounds a search, and how long the answer may take if that is bounded.
func searchCommand(mover env.Army, ask selfplay.Ask) (command string, allowance time.Duration) {
	switch c := ask.Clock; {
	case c != nil:
		left := c.Left
		left[mover] = max(left[mover], time.Millisecond)
		if left[mover.Other()] == 0 { // the other side may have no clock
			left[mover.Other()] = left[mover]
		}
		return fmt.Sprintf("go wtime %d btime %d winc %d binc %d", left[env.Western].Milliseconds(), left[env.Eastern].Milliseconds(),
			c.Increment[env.Western].Milliseconds(), c.Increment[env.Eastern].Milliseconds()), c.Left[mover] + selfplay.Grace
	case ask.Time > 0:
		return fmt.Sprintf("go movetime %d", ask.Time.Milliseconds()), ask.Time + selfplay.Grace
	case ask.Depth > 0:
		return fmt.Sprintf("go depth %d", ask.Depth), 0
	}
	return fmt.Sprintf("go nodes %d", ask.Visits), 0
}
