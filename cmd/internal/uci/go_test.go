package uci

import (
	"strings"
	"testing"
	"time"
)

func TestGo(t *testing.T) {
	for _, threads := range []string{"1", "3"} {
		t.Run("threads "+threads, func(t *testing.T) { testGo(t, "setoption name Threads value "+threads) })
	}
}

func testGo(t *testing.T, setup string) {
	for _, command := range []string{
		"go nodes 50", "go movetime 50", "go depth 2", "go nodes 100000 movetime 30", "go movetime 0", "go nodes 4294967297 movetime 30",
		"go wtime 1000 btime 1000 winc 10 binc 10", "go wtime -20 btime -20", "go wtime 0 btime 0", "go wtime 500 btime 500 movestogo 1", "go wtime 900 movestogo 0",
		"go wtime\t300\tbtime\t300", "go searchmoves S@c5 S@d5 nodes 40", "go movetime 30 searchmoves S@c5",
		"go nodes", "go nodes x", "go nodes 0", "go depth 0", "go frobnicate 3", "go movetime", "go searchmoves a1a8 nodes 20", "go wtime x btime y",
	} {
		s := start(t)
		s.send(setup, "position startpos moves e2e4", command)
		l, before := s.until("bestmove ")
		l = strings.Join(strings.Fields(l)[:2], " ")
		info := before[len(before)-1]
		for _, want := range []string{"info depth ", " nodes ", " seldepth ", " multipv 1 ", " score ", " wdl ", " nps ", " hashfull ", " time ", " pv "} {
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
