package uci

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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

// A level bounds the search, and the full one lets it go on.
func TestSkillLevel(t *testing.T) {
	s := start(t)
	s.send("setoption name Skill Level value 1", "position startpos moves e2e4", "go movetime 10000")
	if _, lines := s.until("bestmove "); !strings.Contains(lines[len(lines)-1], " nodes 1 ") {
		t.Errorf("level 1: %q", lines)
	}
	moves := map[string]bool{}
	for range 20 {
		s.send("go movetime 10000")
		moves[s.want("bestmove ")] = true
	}
	if len(moves) < 2 {
		t.Errorf("level 1 played the same move 20 times: %v", moves)
	}
	s.send("setoption name Skill Level value 0")
	s.want("info string error: option Skill Level: ")
	s.send("setoption name Skill Level value 9", "go nodes 500")
	if _, lines := s.until("bestmove "); !strings.Contains(lines[len(lines)-1], " nodes 500 ") {
		t.Errorf("full level: %q", lines)
	}
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
