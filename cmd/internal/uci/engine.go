package uci

import (
	"context"
	"fmt"
	"io"

	"synochess/env"
	"synochess/mcts"
)

// Config is what an Engine is made of.
type Config struct {
	Name   string      // of the program, for `id name`
	Search mcts.Config // the search's constants; MaxNodes is what the option Hash says instead
	Rules  *env.Rules  // the variant at the start
	// Weights is the weights file at the start; empty for none.
	Weights string
	// Precision is what networks run in at the start, one of Precisions.
	Precision  string
	Precisions []string
	// Open returns the evaluator of a weights file in a precision, or for "" the one that stands in where
	// there are no weights, and its twins: one for each thread. rules are the variant now. It is called from the
	// goroutine of Run.
	Open func(weights, precision string, rules *env.Rules, threads int) ([]mcts.Evaluator, error)
	// Warn, which may be nil, says why the network that Open returned last is not fit for rules, "" if it is.
	Warn func(rules *env.Rules) string
}

// Engine is one UCI session. It is used once.
type Engine struct {
	cfg       Config
	out       output
	settings  settings
	rules     *env.Rules
	game      *env.Game // nil after a position that was refused
	weights   string
	precision string
	crew      *mcts.Crew // nil until it is needed
	cache     *mcts.Cache
	search    *mcts.Search // keeps its tree from move to move
	lastWorth float64      // win minus loss that the search before found; the running search owns it

	running  *running // nil when no search runs
	waiting  []string // commands that wait for the running search
	stopped  int      // how many of these came before a `stop`
	hit      int      // how many of these came before a `ponderhit`
	ended    bool     // the input has ended: nobody can say `stop` any more
	quitting bool     // `quit` waits for what was asked before it
	finished bool     // `quit` was obeyed
}

// running is a search or a perft under way.
type running struct {
	done   chan struct{}      // closed when it has ended
	hit    chan struct{}      // closed by `ponderhit`; nil unless it ponders
	halt   context.CancelFunc // tells it to end
	limits limits
}

// New returns an engine at the start position of its rule set.
func New(cfg Config) *Engine {
	e := &Engine{cfg: cfg, rules: cfg.Rules, weights: cfg.Weights, precision: cfg.Precision, settings: defaults(cfg.Search), lastWorth: -1}
	e.setPosition(e.rules, e.rules.StartPosition())
	return e
}

// Run obeys the commands of in until `quit`, the end of input, or the end of ctx. The error is that of
// reading or writing; what a user got wrong is answered on out.
func (e *Engine) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	e.out.w = out
	lines, readErr := readLines(ctx, in)
	for !e.finished {
		var done chan struct{} // nil, which never answers, when nothing runs
		if e.running != nil {
			done = e.running.done
		} else if len(e.waiting) > 0 {
			line := e.waiting[0]
			e.waiting = e.waiting[1:]
			e.do(ctx, line)
			if e.hit > 0 {
				e.hit--
				e.running.ponderhit()
			}
			if e.stopped > 0 {
				e.stopped--
				e.running.stop()
			}
			continue
		} else if lines == nil {
			break
		}
		select {
		case <-ctx.Done():
			e.finished = true
		case <-done:
			e.running = nil
		case line, ok := <-lines:
			if ok {
				e.receive(ctx, line)
				continue
			}
			lines, e.ended = nil, true
			e.stopUnheard()
		}
	}
	if e.running != nil {
		e.running.halt()
		<-e.running.done
	}
	if e.crew != nil {
		e.crew.Close()
	}
	if e.out.err != nil {
		return fmt.Errorf("writing an answer: %w", e.out.err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case err := <-readErr:
		return err
	default:
		return nil
	}
}

// receive obeys a line at once or lets it wait for the running search.
func (e *Engine) receive(ctx context.Context, line string) {
	word, _ := cutWord(line)
	switch {
	case e.running == nil && len(e.waiting) == 0, word == "isready":
		e.do(ctx, line)
	case word == "stop":
		e.running.stop()
		e.stopped = len(e.waiting)
	case word == "ponderhit":
		e.running.ponderhit()
		e.hit = len(e.waiting)
	case word == "quit":
		e.waiting = append(e.waiting, line) // what was asked before is answered
		e.quitting = true
		e.stopUnheard()
	default:
		e.waiting = append(e.waiting, line)
	}
}

// stopUnheard ends a running search that nobody is there to stop any more: after `quit` one that ends by a game's clock
// too, because the game is over.
func (e *Engine) stopUnheard() {
	if r := e.running; r != nil && (e.ended && r.limits.endless() || e.quitting && !r.limits.finite()) {
		r.halt()
	}
}

// stop ends what runs, if anything does.
func (r *running) stop() {
	if r != nil {
		r.halt()
	}
}

// ponderhit says that the move pondered on was played.
func (r *running) ponderhit() {
	if r != nil && r.hit != nil {
		close(r.hit)
		r.hit = nil
	}
}
