package uci

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"synochess/env"
	"synochess/mcts"
)

// Config is what an Engine is made of.
type Config struct {
	Name   string      // of the program, for `id name`
	Search mcts.Config // the search's constants
	Rules  *env.Rules  // the variant at the start
	// Weights is the weights file at the start; empty for none.
	Weights string
	// Precision is what networks run in at the start, one of Precisions.
	Precision  string
	Precisions []string
	// Open returns the evaluator of a weights file in a precision, or for "" the one that stands in where
	// there are no weights; rules are the variant now. It is called from the goroutine of Run.
	Open func(weights, precision string, rules *env.Rules) (mcts.Evaluator, error)
	// Warn, which may be nil, says why the network that Open returned last is not fit for rules, "" if it is.
	Warn func(rules *env.Rules) string
}

// Engine is one UCI session. It is used once.
type Engine struct {
	cfg       Config
	out       output
	rules     *env.Rules
	game      *env.Game
	weights   string
	precision string
	evaluator mcts.Evaluator // nil until it is needed
	cache     *mcts.Cache
	search    *mcts.Search

	running  chan struct{}      // closed when the running search has ended; nil when none runs
	endless  bool               // the running search has no limit of its own
	halt     context.CancelFunc // tells the running search to end; never nil
	waiting  []string           // commands that wait for the running search
	ended    bool               // the input has ended: nobody can say `stop` any more
	finished bool               // `quit` was read
}

// New returns an engine at the start position of its rule set.
func New(cfg Config) *Engine {
	e := &Engine{cfg: cfg, rules: cfg.Rules, weights: cfg.Weights, precision: cfg.Precision, halt: func() {}}
	e.game = env.NewGame(e.rules, e.rules.StartPosition())
	return e
}

// Run obeys the commands of in until `quit`, the end of input, or the end of ctx. The error is that of
// reading or writing; what a user got wrong is answered on out.
func (e *Engine) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	e.out.w = out
	lines, readErr := readLines(ctx, in)
	for !e.finished {
		if e.running == nil && len(e.waiting) > 0 {
			line := e.waiting[0]
			e.waiting = e.waiting[1:]
			e.do(ctx, line)
			continue
		}
		if e.running == nil && lines == nil {
			break
		}
		select {
		case <-ctx.Done():
			e.finished = true
		case <-e.running: // never when nil
			e.running = nil
		case line, ok := <-lines:
			if ok {
				e.receive(ctx, line)
				continue
			}
			lines, e.ended = nil, true
			if e.endless {
				e.halt()
			}
		}
	}
	if e.running != nil {
		e.halt()
		<-e.running
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

// maxLine bounds a command's length: 4,096 moves and a FEN take less.
const maxLine = 1 << 20

// readLines sends the lines of in until its end, then closes the channel; an error can be read after that.
func readLines(ctx context.Context, in io.Reader) (<-chan string, <-chan error) {
	lines, failed := make(chan string), make(chan error, 1)
	go func() {
		defer close(lines)
		s := bufio.NewScanner(in)
		s.Buffer(nil, maxLine)
		for s.Scan() {
			select {
			case lines <- s.Text():
			case <-ctx.Done():
				return
			}
		}
		if err := s.Err(); err != nil {
			failed <- fmt.Errorf("reading a command: %w", err)
		}
	}()
	return lines, failed
}

// receive obeys a line at once or lets it wait for the running search.
func (e *Engine) receive(ctx context.Context, line string) {
	word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch {
	case word == "stop":
		e.halt()
	case e.running == nil && len(e.waiting) == 0, word == "quit", word == "isready":
		e.do(ctx, line)
	default:
		e.waiting = append(e.waiting, line)
	}
}

// do obeys one command.
func (e *Engine) do(ctx context.Context, line string) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	var err error
	switch word {
	case "":
	case "uci":
		e.identify()
	case "isready":
		if e.running == nil {
			err = e.prepare()
		}
		defer e.out.say("readyok")
	case "ucinewgame":
		e.search = nil
		e.setPosition(e.rules, e.rules.StartPosition())
	case "setoption":
		err = e.setOption(rest)
	case "position":
		err = e.position(rest)
	case "go":
		err = e.begin(ctx, rest)
	case "d":
		e.display()
	case "quit":
		e.finished = true
	case "ponderhit", "debug", "register": // part of UCI, of no use here
	default:
		err = fmt.Errorf("unknown command %q; there are: uci isready ucinewgame setoption position go stop d quit", word)
	}
	if err != nil {
		e.complain(err)
	}
}

// identify answers `uci`.
func (e *Engine) identify() {
	e.out.say("id name " + e.cfg.Name)
	e.out.say("id author the Synochess project")
	variants := ""
	for _, name := range env.BuiltinNames() {
		variants += " var " + name
	}
	e.out.say("option name UCI_Variant type combo default " + e.cfg.Rules.Name + variants)
	e.out.say("option name RulesFile type string default <empty>")
	e.out.say("option name WeightsFile type string default " + orEmpty(e.cfg.Weights))
	e.out.say("option name Precision type combo default " + e.cfg.Precision + " var " + strings.Join(e.cfg.Precisions, " var "))
	e.out.say("uciok")
}

func orEmpty(s string) string {
	if s == "" {
		return "<empty>"
	}
	return s
}

// prepare opens the evaluator if that has not happened. Weights that cannot be opened are named, and the
// material values stand in for them: who has said `go` waits for a move.
func (e *Engine) prepare() error {
	if e.evaluator != nil {
		return nil
	}
	err := e.open(e.weights, e.precision)
	if err != nil && e.weights != "" {
		e.complain(err)
		err = e.open("", e.precision)
	}
	return err
}

// open makes a network the evaluator of all searches from now on. After an error it is the one it was.
func (e *Engine) open(weights, precision string) error {
	ev, err := e.cfg.Open(weights, precision, e.rules)
	if err != nil {
		return err
	}
	e.weights, e.precision, e.evaluator = weights, precision, ev
	e.cache = mcts.NewCache(e.cfg.Search.CacheEntries)
	e.search = nil
	if weights == "" {
		e.out.say("info string no weights: searching with a uniform prior and material values; " +
			"setoption name WeightsFile value PATH loads a network")
	} else {
		e.out.say(fmt.Sprintf("info string weights %s, evaluation id %s, kernels %s", weights, ev.ID(), ev.KernelPath()))
	}
	e.warn()
	return nil
}

// warn says so if the network is not fit for the variant.
func (e *Engine) warn() {
	if e.evaluator == nil || e.weights == "" || e.cfg.Warn == nil {
		return
	}
	if text := e.cfg.Warn(e.rules); text != "" {
		e.out.say("info string warning: the network " + text)
	}
}

func (e *Engine) complain(err error) {
	e.out.say("info string error: " + strings.ReplaceAll(err.Error(), "\n", " "))
}

// output writes whole lines; it may be used by several goroutines.
type output struct {
	mu  sync.Mutex
	w   io.Writer
	err error // the first that occurred; nothing is written after it
}

func (o *output) say(line string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		_, o.err = io.WriteString(o.w, line+"\n")
	}
}

// failed reports whether nobody reads any more.
func (o *output) failed() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err != nil
}
