package uci

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
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

func openTest(weights, precision string, r *env.Rules) (mcts.Evaluator, error) {
	if strings.Contains(weights, "bad") {
		return nil, fmt.Errorf("weights: %s is no weights file", weights)
	}
	if strings.Contains(weights, "narrow") && precision == "coarse" {
		return nil, fmt.Errorf("weights: %s is too narrow", weights)
	}
	return even{"even:" + weights, precision + " on " + r.Name}, nil
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
	search := mcts.DefaultConfig()
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

// Whatever is wrong with a command is said, and the position stays.
func TestErrorsChangeNothing(t *testing.T) {
	s := start(t)
	s.send("position startpos moves d2d4")
	fen, _, _ := s.state()
	rules := filepath.Join(t.TempDir(), "bad.yaml")
	if err := os.WriteFile(rules, []byte("base: moddable\nhorsee: leaper\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ command, want string }{
		{"position startpos moves e2e5", "e2e5"},
		{"position startpos moves e2e4 e2e4", "move 2"},
		{"position fen", "error"},
		{"position fen 8/8/8/8/8/8/8/8[] w - - 0 1", "King"},
		{"position fen " + startFEN + " extra", "error"},
		{"position fen 8/1k6/8/K7/8/8/2s5/4r3[] w - - 98 51 moves a5a4 e1a1 a4a5", "after the end of the game"},
		{"position", "startpos"},
		{"position nowhere", "nowhere"},
		{"setoption name UCI_Variant value chess", "chess"},
		{"setoption name RulesFile value /nowhere/x.yaml", "/nowhere/x.yaml"},
		{"setoption name RulesFile value " + rules, "horsee"},
		{"setoption name WeightsFile value bad.weights", "bad.weights"},
		{"setoption name Precision value finest", "there are: exact coarse"},
		{"setoption name Precision", "Precision"},
		{"setoption name Hash value 5", "Hash"},
		{"setoption", "setoption"},
		{"go nodes", "nodes"},
		{"go nodes x", "x"},
		{"go nodes 0", "from 1"},
		{"go wtime 100", "wtime"},
		{"go perft 99", "99"},
		{"xyzzy", "xyzzy"},
	} {
		s.send(c.command)
		if l := s.next(); !strings.HasPrefix(l, "info string error: ") || !strings.Contains(l, c.want) {
			t.Errorf("%s: got %q, want an error naming %q", c.command, l, c.want)
		}
		if now, _, _ := s.state(); now != fen {
			t.Fatalf("%s changed the position to %s", c.command, now)
		}
	}
}

func TestGo(t *testing.T) {
	for _, command := range []string{"go nodes 50", "go movetime 50", "go depth 2", "go nodes 100000 movetime 30"} {
		s := start(t)
		s.send("position startpos moves e2e4", command)
		l, before := s.until("bestmove ")
		info := before[len(before)-1]
		for _, want := range []string{"info depth ", " nodes ", " nps ", " score ", " wdl ", " pv "} {
			if !strings.Contains(info, want) {
				t.Errorf("%s: last line before bestmove lacks %q: %s", command, want, info)
			}
		}
		if !strings.Contains(info, " pv "+l[len("bestmove "):]) {
			t.Errorf("%s: %q is not the first move of %q", command, l, info)
		}
		s.send("position startpos moves e2e4 " + l[len("bestmove "):])
		if fen, _, _ := s.state(); !strings.Contains(fen, " w ") {
			t.Errorf("%s: %q is no legal move: %s", command, l, fen)
		}
	}
}

func TestStop(t *testing.T) {
	s := start(t)
	s.send("go infinite")
	time.Sleep(50 * time.Millisecond)
	s.send("isready") // answered while the search runs
	s.want("readyok")
	s.send("position startpos moves e2e4") // waits for the search
	s.send("stop")
	s.want("bestmove ")
	if fen, _, _ := s.state(); !strings.Contains(fen, " b ") {
		t.Errorf("the position after the search is %s", fen)
	}
	// An infinite search that memory or a proof ends says nothing before stop.
	s.send("position fen 8/1k6/8/8/K7/8/2s5/4r3[] b - - 3 51", "go infinite")
	time.Sleep(100 * time.Millisecond)
	select {
	case l := <-s.lines:
		if strings.HasPrefix(l, "bestmove") {
			t.Error("bestmove before stop")
		}
	default:
	}
	s.send("stop")
	s.want("bestmove e1a1")
	s.send("go infinite", "quit")
	if err := <-s.done; err != nil {
		t.Error(err)
	}
}

func TestMate(t *testing.T) {
	s := start(t)
	s.send("position fen 8/1k6/8/8/K7/8/2s5/4r3[] b - - 3 51", "go nodes 500")
	if l := s.want("info depth"); !strings.Contains(l, "score mate 1 ") {
		t.Errorf("a mate in one is reported as %q", l)
	}
	s.want("bestmove e1a1")
}

func TestFinishedGame(t *testing.T) {
	s := start(t)
	s.send("position fen 8/1k6/8/8/K7/8/2s5/r7[] w - - 100 52", "go nodes 10")
	if l := s.next(); l != "bestmove (none)" {
		t.Errorf("got %q", l)
	}
}

func TestPerft(t *testing.T) {
	s := start(t)
	s.send("go perft 2")
	l, before := s.until("Nodes searched: ")
	if l != "Nodes searched: 944" {
		t.Errorf("got %q, want 944", l)
	}
	moves := 0
	for _, b := range before {
		if strings.HasPrefix(b, "e2e4: ") {
			moves++
		}
	}
	if moves != 1 {
		t.Errorf("want one line for e2e4:\n%s", strings.Join(before, "\n"))
	}
}

func TestVariants(t *testing.T) {
	s := start(t)
	s.send("setoption name UCI_Variant value pychess")
	s.want("info string variant pychess")
	if fen, _, _ := s.state(); !strings.HasPrefix(fen, "rneakenr/") {
		t.Errorf("start of pychess: %s", fen)
	}
	path := filepath.Join(t.TempDir(), "five soldiers.yaml")
	text := "base: moddable\nname: five\nstart: rheakahr/2c2c2/8/8/8/8/PPPPPPPP/RNBQKBNR[sssss] w KQ - 0 1\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s.send("setoption name RulesFile value " + path)
	s.want("info string variant five")
	s.send("position startpos moves e2e4")
	if fen, _, _ := s.state(); !strings.Contains(fen, "[sssss] b") {
		t.Errorf("start of five: %s", fen)
	}
	s.send("setoption name WeightsFile value some.weights")
	s.want("info string weights some.weights, evaluation id even:some.weights")
	s.send("go nodes 5")
	s.want("bestmove ")
}

func TestPrecision(t *testing.T) {
	s := start(t)
	s.send("setoption name Precision value coarse", "isready") // there is no network yet
	s.want("info string no weights")
	s.want("readyok")
	s.send("setoption name WeightsFile value a.weights")
	s.want("info string weights a.weights, evaluation id even:a.weights, kernels coarse on moddable")
	s.send("setoption name Precision value exact")
	s.want("info string weights a.weights, evaluation id even:a.weights, kernels exact on moddable")
	s.send("setoption name UCI_Variant value pychess", "setoption name WeightsFile value narrow.weights")
	s.want("info string weights narrow.weights, evaluation id even:narrow.weights, kernels exact on pychess")
	// What cannot be opened leaves network and precision as they were.
	s.send("setoption name Precision value coarse")
	s.want("info string error: option Precision: weights: narrow.weights is too narrow")
	s.send("setoption name WeightsFile value b.weights")
	s.want("info string weights b.weights, evaluation id even:b.weights, kernels exact")
	s.send("go nodes 5")
	s.want("bestmove ")
}

// Weights of the start that cannot be opened are named once, and then the engine plays without any.
func TestBadWeightsAtTheStart(t *testing.T) {
	for _, first := range []string{"go nodes 5", "isready"} {
		s := startWith(t, "bad.weights")
		s.send(first)
		s.want("info string error: weights: bad.weights is no weights file")
		s.want("info string no weights")
		s.want(map[string]string{"go nodes 5": "bestmove ", "isready": "readyok"}[first])
		s.send("go nodes 5")
		if _, before := s.until("bestmove "); strings.Contains(strings.Join(before, "\n"), "error") {
			t.Errorf("after %s the search says %q", first, before)
		}
		s.send("setoption name WeightsFile value a.weights")
		s.want("info string weights a.weights, ")
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

func FuzzCommands(f *testing.F) {
	for _, seed := range []string{
		"uci\nisready\nd\n", "position startpos moves e2e4\ngo nodes 3\nd", "go perft 1\nstop\nquit",
		"setoption name UCI_Variant value pychess\nposition fen 8/1k6/8/K7/8/8/2s5/4r3[] w - - 98 51\ngo depth 1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, script string) {
		if strings.Contains(script, "File") || strings.Contains(script, "perft") || len(script) > 2000 {
			t.Skip() // no files of the machine, no long counts
		}
		r, err := env.Builtin("moddable")
		if err != nil {
			t.Fatal(err)
		}
		search := mcts.DefaultConfig()
		search.MaxNodes, search.CacheEntries = 50, 0
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		e := New(testConfig(search, r))
		_ = e.Run(ctx, strings.NewReader(script), io.Discard) // an error or none, never a panic
	})
}
