package uci

import (
	"context"
	"time"

	"synochess/cmd/internal/level"
	"synochess/env"
	"synochess/mcts"
)

// begin obeys `go`: it starts the searching goroutine and returns. Whatever is wrong, a best move follows.
func (e *Engine) begin(ctx context.Context, rest string) {
	if e.game == nil {
		e.out.complain(errNoPosition)
		e.out.say(noMove)
		return
	}
	game := playOn(e.game)
	l, err := parseLimits(e.rules, game.Position(), rest)
	if err != nil {
		e.out.complain(err)
	}
	ctx, halt := context.WithCancel(ctx)
	r := &running{done: make(chan struct{}), halt: halt, limits: l}
	t := &thinker{rules: e.rules, limits: l, settings: e.settings, out: &e.out, army: game.Position().SideToMove()}
	if l.ponder {
		r.hit = make(chan struct{})
		t.hit = r.hit
	}
	work := t.think
	switch {
	case l.perft > 0:
		p := *game.Position()
		work = func(ctx context.Context) { perft(ctx, e.rules, p, l.perft, &e.out) }
	case game.Outcome().Over():
		work = t.wait
	default:
		if err := e.startSearch(game, &l); err != nil {
			e.out.complain(err)
			work = t.wait
			break
		}
		t.search, t.crew, t.lastWorth = e.search, e.crew, e.lastWorth
	}
	e.running = r
	e.stopUnheard()
	t.start = time.Now()
	go func() {
		defer close(r.done)
		work(ctx)
		e.lastWorth = t.lastWorth
	}()
}

// startSearch opens what is needed and begins the search of a game that is not over.
func (e *Engine) startSearch(game *env.Game, l *limits) error {
	if err := e.prepare(); err != nil {
		return err
	}
	options := mcts.Options{Visits: mcts.Unlimited, Recycle: true, AllCandidates: e.crew.HasUniformPrior(), Only: l.moves}
	if l.nodes > 0 {
		options.Visits = int(min(l.nodes, mcts.Unlimited-1))
	}
	cfg := e.cfg.Search
	if l, err := level.Of(e.settings.level); err == nil { // else it is the full one
		l.Limit(&cfg, &options)
	}
	if e.search == nil {
		cfg.MaxNodes = e.settings.maxNodes
		if e.settings.threads > 1 {
			cfg.LeavesPerStep = max(cfg.LeavesPerStep, leavesPerThread*e.settings.threads)
		}
		e.search = mcts.New(cfg, e.cache)
	}
	return e.search.Start(game, options)
}

// leavesPerThread is the least number of leaves in a step for each thread: fewer keep them waiting for each other.
const leavesPerThread = 16

// noMove answers `go` where there is nothing to play.
const noMove = "bestmove (none)"

// thinker is one search under way.
type thinker struct {
	rules     *env.Rules
	search    *mcts.Search
	crew      *mcts.Crew
	limits    limits
	settings  settings
	out       *output
	army      env.Army        // to move
	hit       <-chan struct{} // closed by `ponderhit`; nil when it does not ponder, or no longer
	start     time.Time       // from which time counts: of `go` or `ponderhit`
	lastWorth float64         // win minus loss of the search before, of this one at its end; for the clock
	steps     int             // since the start
}

// think searches until a limit is reached or ctx ends, and prints the best move.
func (t *thinker) think(ctx context.Context) {
	began, report := time.Now(), time.Second
	for {
		done, err := t.crew.Advance(t.search)
		if err != nil {
			t.out.complain(err)
			t.out.say(noMove)
			return
		}
		// The root is evaluated before any limit is looked at, so that there is a best move.
		if done || ctx.Err() != nil || t.reached() {
			break
		}
		if elapsed := time.Since(began); elapsed >= report {
			report = elapsed + time.Second
			t.inform()
			if t.out.failed() {
				break
			}
		}
	}
	if err := t.crew.Land(t.search); err != nil {
		t.out.complain(err)
	}
	t.hold(ctx)
	t.inform()
	r := t.search.Result()
	t.lastWorth = float64(r.RootAfter[0]) - float64(r.RootAfter[2])
	line := "bestmove " + t.rules.MoveString(r.Best)
	if len(r.PV) > 1 {
		line += " ponder " + t.rules.MoveString(r.PV[1])
	}
	t.out.say(line)
}

// wait answers `go` where there is nothing to search.
func (t *thinker) wait(ctx context.Context) {
	t.hold(ctx)
	t.out.say(noMove)
}

// hold waits as long as nothing may be said: an infinite search says its move after `stop`, a pondering one after
// `stop` or `ponderhit`.
func (t *thinker) hold(ctx context.Context) {
	if t.limits.infinite {
		<-ctx.Done()
	}
	if t.hit != nil {
		select {
		case <-ctx.Done():
		case <-t.hit:
		}
	}
}

// reached reports whether a limit ends the search; the search itself minds the visits.
func (t *thinker) reached() bool {
	if t.hit != nil {
		select {
		case <-t.hit:
			t.hit, t.start = nil, time.Now()
		default:
			return false
		}
	}
	l := &t.limits
	if l.infinite {
		return false
	}
	elapsed := time.Since(t.start)
	if l.moveTime != noLimit && elapsed >= l.moveTime-t.settings.overhead {
		return true
	}
	const between = 16 // steps from one look at what the search has found to the next
	t.steps++
	look := t.steps%between == 1
	if l.depth > 0 && look && len(t.search.Result().PV) >= l.depth {
		return true
	}
	if l.clock == nil {
		return false
	}
	b := l.clock.budget(t.army, t.settings.overhead)
	return elapsed >= b.hard || look && b.enough(elapsed, t.search.Result(), t.lastWorth)
}
