package env

import (
	"strings"
	"testing"
)

func TestParseMoveExplains(t *testing.T) {
	const start = ""
	tests := []struct{ rules, fen, move, want string }{
		{"moddable", start, "", "not of the form"},
		{"moddable", start, "e2", "not of the form"},
		{"moddable", start, "e9e4", "not of the form"},
		{"moddable", start, "E2E4", "not of the form"},
		{"moddable", start, "S@z9", "not a square"},
		{"moddable", start, "e2e4x", "not one of the Western pieces"},
		{"moddable", start, "e4e5", "e4 is empty"},
		{"moddable", start, "c7c5", "the Cannon on c7 is Eastern"},
		{"moddable", start, "a1a2", "its own army"},
		{"moddable", start, "a1a3", "the way is blocked"},
		{"moddable", start, "e2e5", "does not reach"},
		{"moddable", start, "g1g3", "does not reach"},
		{"moddable", start, "e1g1", "its own army"},
		{"moddable", start, "S@d5", "only the Eastern army drops"},
		{"moddable", start, "e2e4q", "nothing promotes"},
		{"moddable", "rheakahr/2c2c2/8/8/8/8/PPPPPPPP/RNBQKBNR[ssssss] b KQ - 0 1", "S@d4", "no Soldier can be dropped on d4"},
		{"moddable", "rheakahr/2c2c2/8/8/8/8/PPPPPPPP/RNBQKBNR[ssssss] b KQ - 0 1", "c7c2", "captures over exactly one"},
		{"moddable", "rheakahr/2c2c2/8/8/8/8/PPPPPPPP/RNBQKBNR[ssssss] b KQ - 0 1", "b8d7", "the way is blocked"},
		{"moddable", "rheakahr/2c2c2/8/4s3/8/8/PPPPPPPP/RNBQKBNR[sssss] b KQ - 0 1", "S@e5", "not empty"},
		{"moddable", "4k3/8/8/8/8/8/8/3K4[] b - - 0 1", "S@d5", "no Soldier in hand"},
		{"moddable", "4k3/8/4e3/8/8/8/8/3K4[] b - - 0 1", "e6c4", "outside its region"},
		{"moddable", "k7/8/8/8/8/4r3/4R3/4K3[] w - - 0 1", "e2d2", "it leaves the King on e1 attacked by the Chariot on e3"},
		{"moddable", "4k3/8/8/8/8/8/8/3K4[] w - - 0 1", "d1e1", "facing each other"},
		{"moddable-strict", "4k3/8/8/8/8/8/4N3/4K3[] w - - 0 1", "e2c3", "facing each other"},
		{"moddable", "4k3/P7/8/8/8/8/8/3K4[] w - - 0 1", "a7a8", "must say what"},
		{"moddable", "4k3/8/8/8/8/8/s7/3K4[] b - - 0 1", "a2a1", "must say what"},
		{"pychess", "4k3/8/8/8/8/8/s7/3K4[] b - - 0 1", "a2a1r", "does not promote to a Chariot"},
		{"moddable", "1k6/8/8/8/8/8/8/R3K2R[] w K - 0 1", "e1c1", "right to castle"},
		{"moddable", "1k6/8/8/8/8/8/8/R2QK2R[] w KQ - 0 1", "e1c1", "not empty"},
		{"moddable", "1k2r3/8/8/8/8/8/8/R3K2R[] w KQ - 0 1", "e1g1", "in check"},
		{"moddable", "1k3r2/8/8/8/8/8/8/R3K2R[] w KQ - 0 1", "e1g1", "attacked square"},
		{"pychess", "5K2/8/k7/8/8/8/8/8[] b - - 1 50", "a6a7", "campmate"},
	}
	for _, test := range tests {
		r := builtin(t, test.rules)
		p := r.StartPosition()
		if test.fen != start {
			p = parse(t, r, test.fen)
		}
		m, err := r.ParseMove(&p, test.move)
		if err == nil {
			t.Errorf("%s %s: %q was read as %s", test.rules, test.fen, test.move, r.MoveString(m))
		} else if !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %s: %q gives %v, want %q in it", test.rules, test.fen, test.move, err, test.want)
		}
	}
}

func TestMoveNotation(t *testing.T) {
	tests := []struct {
		rules, fen, text string
		want             Move
	}{
		{"moddable", "1k6/8/8/8/8/8/8/R3K2R[] w KQ - 0 1", "e1g1", NewMove(4, 6, Castling)},
		{"moddable", "1k6/8/8/8/8/8/8/R3K2R[] w KQ - 0 1", "e1c1", NewMove(4, 2, Castling)},
		{"moddable", "1k6/8/8/8/8/8/8/R3K2R[] w KQ - 0 1", "e1f1", NewMove(4, 5, Plain)},
		{"moddable", "4k3/P7/8/8/8/8/8/3K4[] w - - 0 1", "a7a8n", NewMove(48, 56, ToKnight)},
		{"moddable", "4k3/8/8/8/8/8/s7/3K4[] b - - 0 1", "a2a1h", NewMove(8, 0, ToHorse)},
		{"moddable", "4k3/8/8/8/8/8/8/3K4[ss] b - - 0 1", "S@d5", NewMove(35, 35, Drop)},
	}
	for _, test := range tests {
		r := builtin(t, test.rules)
		p := parse(t, r, test.fen)
		m, err := r.ParseMove(&p, test.text)
		if err != nil || m != test.want || r.MoveString(m) != test.text {
			t.Errorf("%s %s is %v (%s), %v", test.fen, test.text, m, r.MoveString(m), err)
		}
	}
	n, err := builtin(t, "moddable").With(map[string]any{"horse_letter": "n"})
	if err != nil {
		t.Fatal(err)
	}
	if got := n.MoveString(NewMove(8, 0, ToHorse)); got != "a2a1n" {
		t.Errorf("a promotion to a Horse with the letter n is written %s", got)
	}
}
