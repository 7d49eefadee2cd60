package uci

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"synochess/env"
	"synochess/env/encode"
	"synochess/mcts"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// even gives every move the same prior and every position the same even value.
type even struct{ name, path string }

func (e even) ID() string         { return e.name }
func (e even) KernelPath() string { return e.path }
func (e even) UniformPrior()      {}
func (e even) Evaluate(b *encode.Batch) error {
	b.PrepareOutputs()
	for row := range b.Len() {
		copy(b.RowWDL(row), []float32{0.3, 0.4, 0.3})
	}
	return nil
}

// testConfig makes an engine whose networks are named after weights, precision and rules.
func testConfig(search mcts.Config, r *env.Rules) Config {
	return Config{Name: "Test", Search: search, Rules: r, Precision: "exact", Precisions: []string{"exact", "coarse"}, Open: openTest}
}

func openTest(weights, precision string, r *env.Rules, threads int) ([]mcts.Evaluator, error) {
	if strings.Contains(weights, "bad") {
		return nil, fmt.Errorf("weights: %s is no weights file", weights)
	}
	if strings.Contains(weights, "narrow") && precision == "coarse" {
		return nil, fmt.Errorf("weights: %s is too narrow", weights)
	}
	ev := even{"even:" + weights, precision + " on " + r.Name}
	return slices.Repeat([]mcts.Evaluator{ev}, threads), nil
}

// session is a conversation with an engine over pipes.
type session struct {
	t     *testing.T
	in    *io.PipeWriter
	lines chan string
	done  chan error
}

func start(t *testing.T) *session { return startWith(t, "") }

// startWith begins a conversation with an engine that has weights at the start.
func startWith(t *testing.T, weights string) *session {
	t.Helper()
	r, err := env.Builtin("moddable")
	if err != nil {
		t.Fatal(err)
	}
	search := mcts.ReferenceConfig()
	search.MaxNodes, search.CacheEntries = 20000, 1000
	cfg := testConfig(search, r)
	cfg.Weights = weights
	e := New(cfg)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	s := &session{t: t, in: inW, lines: make(chan string, 10000), done: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		err := e.Run(ctx, inR, outW)
		outW.Close()
		inR.Close()
		s.done <- err
	}()
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(s.lines)
		for sc := bufio.NewScanner(outR); sc.Scan(); {
			s.lines <- sc.Text()
		}
	}()
	t.Cleanup(func() {
		cancel()
		inW.Close()
		<-read
	})
	return s
}

func (s *session) send(lines ...string) {
	s.t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(s.in, l+"\n"); err != nil {
			s.t.Fatalf("sending %q: %v", l, err)
		}
	}
}

// next returns the next line.
func (s *session) next() string {
	s.t.Helper()
	select {
	case l, ok := <-s.lines:
		if !ok {
			s.t.Fatal("the engine has ended")
		}
		return l
	case <-time.After(30 * time.Second):
		s.t.Fatal("no answer in 30 s")
	}
	return ""
}

// until reads lines until one begins with prefix, and returns it and those before it.
func (s *session) until(prefix string) (line string, before []string) {
	s.t.Helper()
	for {
		l := s.next()
		if strings.HasPrefix(l, prefix) {
			return l, before
		}
		before = append(before, l)
	}
}

func (s *session) want(prefix string) string {
	s.t.Helper()
	l, _ := s.until(prefix)
	return l
}

// state returns what `d` says of the position.
func (s *session) state() (fen, check, result string) {
	s.t.Helper()
	s.send("d")
	return s.want("Fen: ")[5:], s.want("Check: ")[7:], s.want("Result: ")[8:]
}

const startFEN = "rheakahr/2c2c2/8/8/8/8/PPPPPPPP/RNBQKBNR[ssssss] w KQ - 0 1"

func TestHandshake(t *testing.T) {
	s := start(t)
	s.send("uci")
	_, before := s.until("uciok")
	text := strings.Join(before, "\n")
	for _, want := range []string{
		"id name Test", "id author ",
		"option name UCI_Variant type combo default moddable var moddable",
		" var pychess", "option name RulesFile type string", "option name WeightsFile type string",
		"option name Precision type combo default exact var exact var coarse",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("answer to uci lacks %q:\n%s", want, text)
		}
	}
	s.send("isready")
	s.want("info string no weights")
	s.want("readyok")
	s.send("quit")
	if err := <-s.done; err != nil {
		t.Error(err)
	}
}

func TestPosition(t *testing.T) {
	for _, c := range []struct{ command, fen, check, result string }{
		{"position startpos", startFEN, "no", "*"},
		{"position startpos moves e2e4 S@e5", "rheakahr/2c2c2/8/4s3/4P3/8/PPPP1PPP/RNBQKBNR[sssss] w KQ - 0 2", "no", "*"},
		{"position fen 8/1k6/8/K7/8/8/2s5/4r3[] w - - 98 51 moves a5a4 e1a1", "8/1k6/8/8/K7/8/2s5/r7[] w - - 100 52", "yes", "0-1 checkmate"},
		{"position fen 8/1k6/8/8/K7/8/2s5/4r3[] w - - 100 52", "8/1k6/8/8/K7/8/2s5/4r3[] w - - 100 52", "no", "1/2-1/2 hundred-plies"},
	} {
		s := start(t)
		s.send(c.command)
		if fen, check, result := s.state(); fen != c.fen || check != c.check || result != c.result {
			t.Errorf("%s:\n got %s, %s, %s\nwant %s, %s, %s", c.command, fen, check, result, c.fen, c.check, c.result)
		}
	}
}

// Commands may come from a pipe that ends: searches with a limit run to their end, others are stopped.
func TestEndOfInput(t *testing.T) {
	s := start(t)
	s.send("go nodes 30", "position startpos moves e2e4", "go infinite", "d")
	s.in.Close()
	s.want("bestmove ")
	s.want("bestmove ")
	s.want("Fen: rheakahr/2c2c2/8/8/4P3/8/PPPP1PPP/RNBQKBNR[ssssss] b")
	if err := <-s.done; err != nil {
		t.Error(err)
	}
}
