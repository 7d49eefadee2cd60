package uci

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"synochess/env"
	"synochess/mcts"
)

// long finds numbers that ask for more work than a fuzz target has time for.
var long = regexp.MustCompile(`[0-9]{4}`)

// Whatever is said, nothing panics, and each go is answered by one bestmove before the engine ends.
func FuzzCommands(f *testing.F) {
	for _, seed := range []string{
		"uci\nisready\nd\n", "position startpos moves e2e4\ngo nodes 3\nd", "go perft 1\nstop\nquit",
		"setoption name UCI_Variant value pychess\nposition fen 8/1k6/8/K7/8/8/2s5/4r3[] w - - 98 51\ngo depth 1",
		"setoption name Threads value 2\nsetoption name MultiPV value 3\ngo wtime 9 btime 9\nponderhit\ngo ponder\nponderhit\ngo\nstop",
		"position fen x\ngo infinite\nucinewgame\ngo searchmoves e2e4 d2d4 movetime -1 nodes\ngo mate 2\nstop\nstop",
		"setoption name Hash value\nsetoption name WeightsFile value\ngo nodes 90\nisready\nposition startpos moves e2e4\ngo\tinfinite\n\tquit",
	} {
		f.Add(seed)
	}
	r, err := env.Builtin("moddable")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, script string) {
		if strings.Contains(script, "File value") || strings.Contains(script, "perft") || long.MatchString(script) || len(script) > 2000 {
			t.Skip() // no files of the machine, no long counts
		}
		asked := 0
		for line := range strings.Lines(script) {
			word, _ := cutWord(line)
			if word == "quit" {
				break
			}
			if word == "go" {
				asked++
			}
		}
		search := mcts.ReferenceConfig()
		search.MaxNodes, search.CacheEntries = 200, 0
		var out strings.Builder
		began := time.Now()
		if err := New(testConfig(search, r)).Run(t.Context(), strings.NewReader(script), &out); err != nil {
			return // a line that is too long
		}
		if got := strings.Count("\n"+out.String(), "\nbestmove "); got != asked {
			t.Errorf("%d bestmoves for %d gos in %v:\n%s\n->\n%s", got, asked, time.Since(began), script, out.String())
		}
	})
}
