package play

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"synochess/env"
)

// first plays the first legal move, so that games are the same each time.
func first(_ context.Context, g *env.Game) (Advice, error) {
	m := g.LegalMoves()[0]
	return Advice{Best: m, Line: []env.Move{m}, Win: 0.5, Draw: 0.25, Loss: 0.25}, nil
}

func play(t *testing.T, fen string, human [2]bool, input string) string {
	t.Helper()
	r, err := env.Builtin("moddable")
	if err != nil {
		t.Fatal(err)
	}
	start := r.StartPosition()
	if fen != "" {
		if start, err = r.ParseFEN(fen); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	cfg := Config{Rules: r, Start: start, Human: human, Think: first}
	if err := Run(t.Context(), cfg, strings.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestSession(t *testing.T) {
	both := [2]bool{true, true}
	west := [2]bool{true, false}
	for _, c := range []struct {
		name, fen, input string
		human            [2]bool
		want             []string // in this order
	}{
		{"moves and drop", "", "e2e4\nS@e5\nfen\nquit\n", both, []string{
			"Western to move", "Eastern to move", "rheakahr/2c2c2/8/4s3/4P3/8/PPPP1PPP/RNBQKBNR[sssss] w KQ - 0 2"}},
		{"illegal moves are explained", "", "e2e5\nhello\nS@d4\n", both, []string{"e2e5", "hello", "S@d4"}},
		{"program answers", "", "e2e4\nquit\n", west, []string{"Eastern plays ", "its chances: win 50%", "Western to move"}},
		{"undo goes back to the person's turn", "", "e2e4\nundo\nfen\nundo\n", west, []string{
			"Eastern plays", "PPPPPPPP/RNBQKBNR[ssssss] w KQ - 0 1", "There is no move of yours to take back"}},
		{"undo both", "", "e2e4\nundo\nfen\n", both, []string{"PPPPPPPP/RNBQKBNR[ssssss] w KQ - 0 1"}},
		{"hint", "", "hint\n", west, []string{"It would play ", "expecting "}},
		{"moves", "", "moves b1\nmoves h8\n", both, []string{"b1a3 b1c3", "no such legal move"}},
		{"the end", "8/1k6/8/K7/8/8/2s5/4r3[] w - - 98 51", "a5a4\ne1a1\na4a5\nundo\nfen\n", both, []string{
			"Eastern wins, 0-1 (checkmate)", "The game is over", "8/1k6/8/8/K7/8/2s5/4r3[] b"}},
		{"help, flip, new", "", "help\nflip\nnew\nboard\n\n", both, []string{"take back", "1 |  R   N", "1 |  R   N"}},
		{"program against itself", "8/8/8/8/1k6/1r6/8/K7[] b - - 98 51", "", [2]bool{}, []string{"Eastern plays", "The game is over"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := play(t, c.fen, c.human, c.input)
			rest := got
			for _, want := range c.want {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Fatalf("output lacks %q (in this order):\n%s", want, got)
				}
				rest = after
			}
		})
	}
}
