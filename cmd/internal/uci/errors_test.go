package uci

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
		{"setoption name UCI_Variant value chess", "error: option UCI_Variant: no built-in rule set is called \"chess\""},
		{"setoption name RulesFile value /nowhere/x.yaml", "/nowhere/x.yaml"},
		{"setoption name RulesFile value " + rules, "horsee"},
		{"setoption name WeightsFile value bad.weights", "bad.weights"},
		{"setoption name Precision value finest", "there are: exact coarse"},
		{"setoption name Precision", "error: option Precision"},
		{"setoption name Hash value 0", "error: option Hash: \"0\": want a whole number from 1 to "},
		{"setoption name MultiPV value many", "error: option MultiPV: \"many\": want a whole number from 1 to 500"},
		{"setoption name UCI_ShowWDL value yes", "error: option UCI_ShowWDL: \"yes\": want true or false"},
		{"setoption name Contempt value 5", "No such option: Contempt"},
		{"setoption", "error: setoption: want"},
		{"setoption Hash 5", "error: setoption: want"},
		{"go perft 99", "error: go: perft 99: want a whole number from 1 to 20"},
		{"xyzzy plugh", "Unknown command: 'xyzzy plugh'. Type help for more information."},
		{"help", "commands: uci isready"},
	} {
		if strings.HasPrefix(c.command, "go") {
			s.send(c.command, "stop")
		} else {
			s.send(c.command)
		}
		if l := s.next(); !strings.Contains(l, c.want) {
			t.Errorf("%s: got %q, want %q", c.command, l, c.want)
		}
		if now, _, _ := s.state(); now != fen {
			t.Fatalf("%s changed the position to %s", c.command, now)
		}
	}
}

// After a position that was refused nothing is answered for the one before.
func TestRefusedPositions(t *testing.T) {
	s := start(t)
	for _, c := range []struct{ command, want string }{
		{"position startpos moves e2e5", "e2e5"},
		{"position startpos moves e2e4 e2e4", "move 2"},
		{"position fen", "error"},
		{"position fen 8/8/8/8/8/8/8/8[] w - - 0 1", "King"},
		{"position fen " + startFEN + " extra", "error"},
		{"position fen 8/1k6/8/K7/8/8/2s5/4r3[] w - - 98 51 moves a5a4 e1a1 a4a5", "after the end of the game"},
		{"position", "startpos"},
		{"position nowhere", "nowhere"},
	} {
		s.send("position startpos moves e2e4", c.command, "go nodes 5", "d")
		if l := s.next(); !strings.HasPrefix(l, "info string error: ") || !strings.Contains(l, c.want) {
			t.Errorf("%s: got %q, want an error naming %q", c.command, l, c.want)
		}
		for _, want := range []string{"info string error: there is no position", "bestmove (none)", "info string error: there is no position"} {
			if l := s.next(); !strings.HasPrefix(l, want) {
				t.Errorf("%s: then %q, want %q", c.command, l, want)
			}
		}
	}
	s.send("ucinewgame", "go nodes 5")
	if l := s.want("bestmove "); l == noMove {
		t.Error("no move after ucinewgame")
	}
}
