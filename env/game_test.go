package env

import (
	"errors"
	"strings"
	"testing"
)

// play plays moves given in UCI notation.
func play(t testing.TB, g *Game, moves string) {
	t.Helper()
	for _, text := range strings.Fields(moves) {
		if err := g.PlayUCI(text); err != nil {
			t.Fatal(err)
		}
	}
}

func TestGameRefuses(t *testing.T) {
	r := builtin(t, "moddable")
	g := NewGame(r, r.StartPosition())
	if err := g.Play(NewMove(0, 63, Plain)); err == nil || g.Ply() != 0 {
		t.Errorf("an illegal move: %v", err)
	}
	play(t, g, "f2f3 c7e7") // mate
	if want := (Outcome{EasternWins, Checkmate}); g.Outcome() != want {
		t.Fatalf("outcome is %v", g.Outcome())
	}
	before := r.FEN(g.Position())
	if err := g.Play(NewMove(8, 16, Plain)); !errors.Is(err, ErrGameOver) {
		t.Errorf("a move after the end: %v", err)
	}
	if g.Ply() != 2 || r.FEN(g.Position()) != before || len(g.LegalMoves()) != 0 {
		t.Error("a refused move has changed the game")
	}
}

// TestRepetitionVerdicts plays one game of checks under both verdicts on perpetual check.
func TestRepetitionVerdicts(t *testing.T) {
	for verdict, want := range map[string]Outcome{"draw": {Draw, Repetition}, "loss": {EasternWins, Perpetual}} {
		r, err := builtin(t, "moddable").With(map[string]any{"perpetual_check": verdict})
		if err != nil {
			t.Fatal(err)
		}
		g := NewGame(r, parse(t, r, "k7/8/8/8/7Q/8/8/6K1[] w - - 0 1"))
		play(t, g, "h4a4 a8b8 a4b4 b8a8 b4a4 a8b8 a4b4 b8a8")
		if g.Outcome().Over() || g.Repetitions() != 1 {
			t.Fatalf("%v after %d repetitions", g.Outcome(), g.Repetitions())
		}
		play(t, g, "b4a4")
		if g.Outcome() != want || g.Repetitions() != 2 {
			t.Errorf("perpetual_check %s: %v after %d repetitions, want %v", verdict, g.Outcome(), g.Repetitions(), want)
		}
	}
}

func TestHistory(t *testing.T) {
	r := builtin(t, "moddable")
	g := NewGame(r, r.StartPosition())
	play(t, g, "b1c3 a8a7 c3b1 a7a8 b1c3 a8a7") // third position after 2 and 6 plies
	var h History
	h.CopyFrom(g.History())
	if h.Len() != 7 || h.Occurrences() != 1 || h.EarlierAt(1) != 2 || h.EarlierAt(2) != -1 {
		t.Errorf("%d entries, %d occurrences, earlier at %d and %d", h.Len(), h.Occurrences(), h.EarlierAt(1), h.EarlierAt(2))
	}
	h.Pop()
	h.Pop()
	if h.Occurrences() != 1 || h.EarlierAt(1) != 0 {
		t.Errorf("the start position: %d occurrences, earlier at %d", h.Occurrences(), h.EarlierAt(1))
	}
	if g.History().Len() != 7 {
		t.Error("the copy shares its entries")
	}
	// An irreversible move hides what came before it.
	p := r.StartPosition()
	h.Push(&p, false, true)
	if h.Occurrences() != 0 {
		t.Errorf("%d occurrences across an irreversible move", h.Occurrences())
	}
}

// TestScriptedWins has a win of each army by each way of winning.
func TestScriptedWins(t *testing.T) {
	tests := []struct {
		rules, fen, moves string
		want              Outcome
	}{
		{"moddable", "k7/8/1K6/8/8/8/8/7R[] w - - 0 1", "h1h8", Outcome{WesternWins, Checkmate}},
		{"moddable", "7k/8/8/8/8/6r1/7r/K7[] b - - 0 1", "g3g1", Outcome{EasternWins, Checkmate}},
		{"moddable", "4k3/8/8/8/8/8/4N3/4K3[] w - - 0 1", "e2c3", Outcome{EasternWins, FaceoffLoss}},
		{"moddable", "4k3/8/8/8/8/8/8/3K4[] b - - 0 1", "e8d8", Outcome{WesternWins, FaceoffLoss}},
		{"pychess", "8/K7/8/8/8/8/7k/8[] w - - 0 1", "a7a8", Outcome{WesternWins, Campmate}},
		{"pychess", "8/K7/8/8/8/8/7k/8[] b - - 0 1", "h2h1", Outcome{EasternWins, Campmate}},
		{"pychess", "k7/8/1Q6/8/8/8/8/5K2[] w - - 0 1", "b6c7", Outcome{WesternWins, Stalemate}},
		{"moddable", "k7/8/1Q6/8/8/8/8/5K2[] w - - 0 1", "b6c7", Outcome{Draw, Stalemate}},
		{"moddable", "4k3/8/8/8/8/8/8/3K3R[] w - - 99 80", "h1h2", Outcome{Draw, NoProgress}},
	}
	for _, test := range tests {
		r := builtin(t, test.rules)
		g := NewGame(r, parse(t, r, test.fen))
		play(t, g, test.moves)
		if g.Outcome() != test.want {
			t.Errorf("%s %s %s: %v, want %v", test.rules, test.fen, test.moves, g.Outcome(), test.want)
		}
	}
}

func TestOpeningsAreReadable(t *testing.T) {
	for _, file := range []string{"openings-moddable.jsonl", "openings-pychess.jsonl"} {
		for _, line := range readLines[oracleLine](t, file) {
			r := builtin(t, line.Rules)
			if p := parse(t, r, line.FEN); r.Outcome(&p).Over() {
				t.Errorf("%s is over", line.FEN)
			}
		}
	}
}
