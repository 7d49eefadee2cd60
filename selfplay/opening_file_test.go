package selfplay

import (
	"strings"
	"testing"
)

const (
	openingA = "1heakahr/1rc2c2/8/s5N1/Q1P5/N7/PP1PPPPP/R1B1KB1R[ssss] b KQ"
	openingB = "rheakah1/2cc4/6r1/4s3/P4P2/2P5/1P1PP1PP/RNBQKBNR[sssss] b -"
)

func TestReadOpenings(t *testing.T) {
	r := mustRules(t, "moddable")
	text := "# fair ones\n\n" + openingA + " - 1 5\n" + openingB + ` - c0 "even"; id "b";` + "\r\n" +
		`{"rules": "moddable", "fen": "` + r.Start + `", "moves": ["e2e4", "c7c4"], "cp_white": 3}` + "\n"
	all, err := ReadOpenings(r, "x", strings.NewReader(text))
	if err != nil || len(all) != 3 {
		t.Fatalf("%d openings, %v", len(all), err)
	}
	for i, want := range []string{openingA + " - 1 5", openingB + " - 0 1", "e2e4 c7c4"} {
		if got := all[i].Name(); got != want {
			t.Errorf("opening %d is %q, want %q", i, got, want)
		}
	}
}

func TestReadOpeningsWithFaults(t *testing.T) {
	r := mustRules(t, "moddable")
	mate := "4k3/8/8/8/8/8/4r3/4K2r[] w - - 0 1"
	for _, c := range []struct{ text, want string }{
		{"", "no positions"},
		{"# nothing\n", "no positions"},
		{openingA + " - 1 5\nrubbish\n", "book:2: "},
		{openingA + " - 1 5\n" + openingA + " - 7 9\n", "book:2: the position is already in line 1"},
		{mate, "book:1: "},
		{`{"rules": "pychess", "fen": "x"}`, "book:1: the position is of the rule set pychess and the match in moddable"},
		{`{"fen": ""}`, `no "fen"`},
		{`{"fen": 3}`, "not a JSON object of an opening"},
		{`{"fen": "` + r.Start + `", "moves": ["e2e5"]}`, "book:1: move e2e5 is illegal"},
		{`{"fen": "` + r.Start + `"`, "not a JSON object"},
		{strings.Repeat("x", 100_000), "book: "},
	} {
		if all, err := ReadOpenings(r, "book", strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80q: %d openings, error %v, want %q", c.text, len(all), err, c.want)
		}
	}
}
