package uci

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

// want each script's answers in order; a line of the script that begins with "< " is read until it comes.
func (s *session) follow(script string) {
	s.t.Helper()
	for _, line := range strings.Split(strings.TrimSpace(script), "\n") {
		line = strings.TrimSpace(line)
		if answer, ok := strings.CutPrefix(line, "< "); ok {
			s.want(answer)
		} else {
			s.send(line)
		}
	}
}

// The orders in which boards and match runners say things.
func TestScriptsOfGUIs(t *testing.T) {
	for name, script := range map[string]string{
		"a match runner in the manner of cutechess": `
			uci
			< uciok
			setoption name Hash value 16
			setoption name UCI_Variant value synochess
			< info string variant pychess
			isready
			< readyok
			ucinewgame
			position startpos
			isready
			< readyok
			go wtime 2000 btime 2000 winc 20 binc 20
			< bestmove
			position startpos moves a2a3 S@b5
			go wtime 1900 btime 1950 winc 20 binc 20
			< bestmove
			quit`,
		"a match runner in the manner of fastchess": `
			uci
			< uciok
			isready
			< readyok
			ucinewgame
			isready
			< readyok
			position fen rheakahr/2c2c2/8/8/8/8/PPPPPPPP/RNBQKBNR[ssssss] w KQ - 0 1 moves e2e4
			go movetime 40
			< bestmove
			stop
			isready
			< readyok
			quit`,
		"an adapter in the manner of PolyGlot": `
			uci
			< uciok
			setoption name Ponder value true
			setoption name MultiPV value 1
			ucinewgame
			isready
			< readyok
			position startpos moves e2e4
			go wtime 3000 btime 3000 movestogo 40
			< bestmove
			position startpos moves e2e4 S@e5 d2d4
			go ponder wtime 2900 btime 2900 movestogo 39
			ponderhit
			< bestmove
			position startpos moves e2e4 S@e5 d2d4 S@d5
			go ponder wtime 2900 btime 2900 movestogo 39
			stop
			< bestmove
			position startpos moves e2e4
			go infinite
			isready
			< readyok
			stop
			< bestmove
			quit`,
		"a board that analyses": `
			uci
			< uciok
			setoption name UCI_AnalyseMode value true
			< No such option: UCI_AnalyseMode
			setoption name MultiPV value 3
			setoption name UCI_ShowWDL value false
			isready
			< readyok
			position fen rheakahr/2c2c2/8/8/8/8/PPPPPPPP/RNBQKBNR[ssssss] w KQ -
			go infinite
			stop
			< info depth
			< bestmove
			go nodes 60
			< info depth
			< bestmove
			quit`,
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			s.follow(script)
			if err := <-s.done; err != nil {
				t.Error(err)
			}
		})
	}
}

// Nothing is said of a ponder search before ponderhit, whatever its limits, and then its clock begins.
func TestPonder(t *testing.T) {
	s := start(t)
	s.send("position startpos moves e2e4", "go ponder movetime 5000 nodes 2000")
	time.Sleep(60 * time.Millisecond)
	s.send("isready")
	if _, before := s.until("readyok"); strings.Contains(strings.Join(before, "\n"), "bestmove") {
		t.Fatal("a move before ponderhit")
	}
	s.send("ponderhit", "ponderhit")
	if l := s.want("bestmove "); !strings.Contains(l, " ponder ") {
		t.Errorf("%q names no move to ponder on", l)
	}
}

// A position that has ended by repetition or for want of progress is searched, and moves after it are taken:
// who asks did not claim the draw.
func TestPlaysOnAfterADraw(t *testing.T) {
	const there, back = " b1c3 e8e7 c3b1 e7e8", "position startpos moves e2e4 S@h5"
	s := start(t)
	threefold := back + there + there
	s.send(threefold)
	if _, _, result := s.state(); result != "1/2-1/2 repetition" {
		t.Fatalf("result %q", result)
	}
	for _, command := range []string{threefold, threefold + " a2a3", "position fen 8/1k6/8/8/K7/8/2s5/4r3[] w - - 100 52"} {
		s.send(command, "go nodes 10")
		if l := s.want("bestmove "); l == noMove {
			t.Errorf("%s: no move", command)
		}
	}
}

// What is over stays over: there is no move, and an infinite search says so after stop.
func TestFinishedGame(t *testing.T) {
	s := start(t)
	for _, command := range []string{"go nodes 10", "go wtime 100 btime 100", "go mate 3"} {
		s.send("position fen 8/1k6/8/8/K7/8/2s5/r7[] w - - 3 52", command)
		if l := s.next(); l != noMove {
			t.Errorf("%s: %q", command, l)
		}
	}
	s.send("go infinite")
	time.Sleep(30 * time.Millisecond)
	s.send("isready")
	if l := s.next(); l != "readyok" {
		t.Errorf("%q before stop", l)
	}
	s.send("stop")
	s.want(noMove)
}

// MultiPV shows so many different moves, the one to play first.
func TestMultiPV(t *testing.T) {
	s := start(t)
	s.send("setoption name MultiPV value 4", "setoption name UCI_ShowWDL value false", "go nodes 200")
	best, lines := s.until("bestmove ")
	lines = lines[len(lines)-4:]
	seen := map[string]bool{}
	for i, l := range lines {
		if !strings.Contains(l, " multipv "+string(rune('1'+i))+" ") || strings.Contains(l, " wdl ") {
			t.Errorf("line %d: %s", i+1, l)
		}
		_, pv, _ := strings.Cut(l, " pv ")
		seen[strings.Fields(pv)[0]] = true
	}
	if len(seen) != 4 || !strings.Contains(lines[0], " pv "+strings.Fields(best)[1]) {
		t.Errorf("%s after\n%s", best, strings.Join(lines, "\n"))
	}
}

// searchmoves is obeyed, be the moves as bad as they are.
func TestSearchMoves(t *testing.T) {
	s := start(t)
	for range 2 { // again with what the first search left
		s.send("position startpos moves e2e4 S@e5", "go nodes 300")
		s.want("bestmove ")
		s.send("go nodes 100 searchmoves h2h3 a2a4")
		if l := strings.Fields(s.want("bestmove "))[1]; l != "h2h3" && l != "a2a4" {
			t.Errorf("plays %s", l)
		}
	}
}

// quit waits for what was asked before it in a pipe.
func TestQuitComesLast(t *testing.T) {
	s := start(t)
	s.send("go nodes 500", "position startpos moves e2e4", "d", "go infinite", "go wtime 600000 btime 600000", "go movetime 100", "quit")
	_, before := s.until("bestmove ")
	if last := before[len(before)-1]; !strings.Contains(last, " nodes 500 ") {
		t.Errorf("the first search ended with %s", last)
	}
	s.want("Fen: rheakahr/2c2c2/8/8/4P3/8/PPPP1PPP/RNBQKBNR[ssssss] b")
	s.want("bestmove ")
	s.want("bestmove ")
	_, before = s.until("bestmove ")
	_, after, _ := strings.Cut(before[len(before)-1], " time ")
	if ms, err := strconv.Atoi(strings.Fields(after)[0]); err != nil || ms < 50 {
		t.Errorf("a search of 100 ms was cut after %d", ms)
	}
	if err := <-s.done; err != nil {
		t.Error(err)
	}
}

// A count that would take for ever can be stopped.
func TestPerftStops(t *testing.T) {
	s := start(t)
	s.send("go perft 12")
	s.send("stop")
	s.want("info string error: perft was stopped")
	s.send("go perft 12", "go infinite", "quit", "stop") // whether they wait or run
	if err := <-s.done; err != nil {
		t.Error(err)
	}
}
