package datasets

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"synochess/env"
)

// TestInspectCounts compares a report with counts made directly, among them two duplicates.
func TestInspectCounts(t *testing.T) {
	games := playedGames(t)
	for i := range 2 { // the same moves under another number and seed
		again := *games[i]
		again.Number, again.Family, again.Seed = uint64(len(games)+1), uint64(len(games)+1), 5
		games = append(games, &again)
	}
	fork := *games[0]
	fork.Number, fork.Start, fork.ForkOf, fork.ForkPly, fork.Family = uint64(len(games)+1), FromFork, 1, 3, 1
	fork.StartFEN = strings.Replace(fork.StartFEN, " 0 1", " 3 2", 1)
	games = append(games, &fork)
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "a.parquet"), filepath.Join(dir, "b.parquet")
	if _, err := WriteFile(good, "v", each(games)); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(bad, []byte("nothing"), 0o644)
	rep := Inspect([]string{good, bad})
	if len(rep.Problems) != 1 || rep.Games != len(games) || rep.Files != 2 || len(rep.Groups) != 2 {
		t.Fatalf("%d problems, %d games, %d files, %d groups", len(rep.Problems), rep.Games, rep.Files, len(rep.Groups))
	}
	for _, r := range rep.Groups {
		var want GroupReport
		for _, g := range games {
			if g.GroupHash != r.GroupHash {
				continue
			}
			want.Games++
			want.Plies += len(g.Plies)
			want.Endings[g.Ending]++
			want.Starts[g.Start]++
			want.Results[g.Result]++
			want.Lengths = append(want.Lengths, len(g.Plies))
		}
		slices.Sort(want.Lengths)
		want.Results[env.Undecided] = 0
		if r.Games != want.Games || r.Plies != want.Plies || r.Endings != want.Endings || r.Starts != want.Starts ||
			r.Results != want.Results || !slices.Equal(r.Lengths, want.Lengths) {
			t.Errorf("%s: report %+v, want %+v", r.Rules[0].Name, r, want)
		}
		if r.Duplicates() != 1 {
			t.Errorf("%s: %d duplicates, want 1", r.Rules[0].Name, r.Duplicates())
		}
		if n := want.Lengths[len(want.Lengths)-1]; r.Length(1) != n || r.Length(0) != want.Lengths[0] {
			t.Errorf("%s: longest %d, want %d", r.Rules[0].Name, r.Length(1), n)
		}
		sum := 0
		for _, byResult := range r.Reasons {
			for _, n := range byResult {
				sum += n
			}
		}
		if sum != r.Endings[ByRules] {
			t.Errorf("%s: %d reasons of %d games ended by the rules", r.Rules[0].Name, sum, r.Endings[ByRules])
		}
	}
	if got := []string{rep.Groups[0].Rules[0].Name, rep.Groups[1].Rules[0].Name}; !slices.Contains(got, "moddable") || !slices.Contains(got, "pychess") {
		t.Errorf("rule sets %v", got)
	}
	var text strings.Builder
	if err := rep.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Rules moddable", "Rules pychess", "duplicates 1", "fork 1", "network vs random", "BAD FILE " + bad, "without result", "entropy"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in the text:\n%s", want, text.String())
		}
	}
}

// TestInspectTellsRuleSetsApart: rule sets that differ in their start alone stand in one group, and each has
// its own score there.
func TestInspectTellsRuleSetsApart(t *testing.T) {
	base, err := env.Builtin("moddable")
	if err != nil {
		t.Fatal(err)
	}
	handicap, err := base.With(map[string]any{"name": "no-queen", "start": strings.Replace(base.Start, "RNBQ", "RNB1", 1)})
	if err != nil {
		t.Fatal(err)
	}
	games := syntheticGames(t, 1, 7, 3, 2)
	for i, g := range games { // two Western wins from the base, an Eastern one from the other
		r, result := base, env.WesternWins
		if i == 2 {
			r, result = handicap, env.EasternWins
		}
		g.Rules, g.RulesHash, g.GroupHash = r.Canonical(), r.Hash(), r.GroupHash()
		g.Result, g.Reason, g.Ending, g.Note = result, env.NoReason, Adjudicated, ""
	}
	path := filepath.Join(t.TempDir(), "a.parquet")
	if _, err := WriteFile(path, "v", each(games)); err != nil {
		t.Fatal(err)
	}
	rep := Inspect([]string{path})
	if len(rep.Groups) != 1 || len(rep.Groups[0].Rules) != 2 {
		t.Fatalf("%d groups, want one of two rule sets", len(rep.Groups))
	}
	for i, want := range []struct {
		name  string
		games int
		score float64
	}{{"moddable", 2, 1}, {"no-queen", 1, 0}} {
		if r := rep.Groups[0].Rules[i]; r.Name != want.name || r.Games != want.games || r.WesternScore().Estimate != want.score {
			t.Errorf("rule set %d: %+v, want %+v", i, r, want)
		}
	}
	var text strings.Builder
	if err := rep.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Rules moddable and 1 more that differ in their start alone", "no-queen  1", "RNB1KBNR"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in the text:\n%s", want, text.String())
		}
	}
}

// TestOpeningEntropy: four games with first moves a a b c have 1/2 ln 2 + 2 * 1/4 ln 4 = 1.5 ln 2 nats.
func TestOpeningEntropy(t *testing.T) {
	var games []*Game
	for i, first := range []env.Move{1, 1, 2, 3} {
		g := syntheticGames(t, 1, uint64(i+1), 1, 0)[0]
		g.Start, g.ForkOf, g.ForkPly, g.Family = FromStart, 0, 0, g.Number
		g.Plies = []Ply{{Move: first, Chosen: Forced, Chance: 1}, {Move: env.Move(10 + i), Chosen: Forced, Chance: 1}}
		games = append(games, g)
	}
	path := filepath.Join(t.TempDir(), "a.parquet")
	if _, err := WriteFile(path, "v", each(games)); err != nil {
		t.Fatal(err)
	}
	r := Inspect([]string{path}).Groups[0]
	for plies, want := range map[int]float64{1: 1.5 * math.Ln2, 2: math.Log(4), 8: math.Log(4)} {
		if h, n := r.OpeningEntropy(plies); math.Abs(h-want) > 1e-12 || n != 4 {
			t.Errorf("%d plies: entropy %v of %d games, want %v", plies, h, n, want)
		}
	}
	if h, n := r.OpeningEntropy(3); !math.IsNaN(h) || n != 0 {
		t.Errorf("3 plies: %v, %d", h, n)
	}
}
