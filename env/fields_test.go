package env

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// fieldValues lists values of every field but name and start. Random rule sets are drawn from them, each field on its
// own.
var fieldValues = map[string][]string{
	"horse":               {"blockable", "leaper"},
	"horse_letter":        {"h", "n"},
	"cannon":              {"xiangqi", "janggi"},
	"elephant":            {"blockable", "leaper"},
	"elephant_region":     {"all", "5-8", "3-8", "c8 g8 e6 a6 c4"},
	"advisor":             {"diagonal", "king"},
	"advisor_region":      {"all", "7-8", "d7 e7 f7 d8 e8 f8"},
	"soldier_promotion":   {"must", "may", "never"},
	"soldier_promotes_to": {"rhcea", "r", "ea", "hc"},
	"pawn_promotes_to":    {"qrbn", "q", "bn"},
	"drop_region":         {"all", "5", "1-4", "d4 e4", "8"},
	"faceoff":             {"loses", "illegal", "none"},
	"faceoff_lines":       {"file", "file-or-rank"},
	"campmate":            {"true", "false"},
	"stalemate":           {"draw", "loss"},
	"perpetual_check":     {"draw", "loss"},
	"soldier_step_resets": {"true", "false"},
	"no_progress_plies":   {"20", "35", "60", "119"},
	"campmate_rank":       {"2", "5", "6", "8"},
}

// randomRules draws every field of a rule set but its start, until the combination can be played.
func randomRules(rng *rand.Rand) *Rules {
	pick := func(texts []string) string { return texts[rng.IntN(len(texts))] }
	for {
		base, err := Builtin(pick(BuiltinNames()))
		if err != nil {
			panic(err)
		}
		changes := map[string]any{"name": "random"}
		for i := range fields {
			if values := fieldValues[fields[i].key]; values != nil {
				changes[fields[i].key] = pick(values)
			}
		}
		if r, err := base.With(changes); err == nil {
			return r
		}
	}
}

// Every field has a row in docs/rules.md, in its order, is among the fields of the example that claims to have all,
// and has values here.
func TestFieldsAreListed(t *testing.T) {
	page, err := os.ReadFile("../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("../configs/rules/all-fields.yaml")
	if err != nil {
		t.Fatal(err)
	}
	rows, lines := string(page), string(example)
	for i := range fields {
		f := &fields[i]
		_, row, ok := strings.Cut(rows, "\n| `"+f.key+"` |")
		if !ok {
			t.Errorf("docs/rules.md has no row for %s, or not in this order", f.key)
			continue
		}
		rows = "\n" + row[strings.Index(row, "\n")+1:]
		row, _, _ = strings.Cut(row, "\n")
		if later := fmt.Sprintf("since version %d; absent: `%s`", f.since, f.absent); f.since > 0 != strings.Contains(row, later) {
			t.Errorf("docs/rules.md says of %s %q; a field that came later has %q there, others do not", f.key, row, later)
		}
		_, rest, ok := strings.Cut("\n"+lines, "\n"+f.key+":")
		if lines = rest; !ok {
			t.Errorf("all-fields.yaml has no %s, or not in this order", f.key)
		}
		if fieldValues[f.key] == nil && i > 1 {
			t.Errorf("there are no values to draw for %s", f.key)
		}
	}
}

// A text without the later fields, as old games hold it, means the values that they have when absent; so does one
// that names those values, and neither the canonical text nor a hash tells which it was.
func TestLaterFieldsMayBeAbsent(t *testing.T) {
	for _, name := range BuiltinNames() {
		r := builtin(t, name)
		text := r.Canonical()
		for i := range fields {
			if f := &fields[i]; f.since > 0 {
				text += f.key + ": " + f.absent + "\n"
			}
		}
		whole, err := ParseRules([]byte(text), "with all fields")
		if err != nil {
			t.Fatal(err)
		}
		if whole.Canonical() != r.Canonical() || whole.Hash() != r.Hash() || whole.GroupHash() != r.GroupHash() || len(whole.Later()) > 0 {
			t.Errorf("%s with all fields is\n%s", name, whole.Canonical())
		}
	}
}

// A royal wins on the rank of campmate_rank and beyond, counted from its own side; with the last rank the same moves
// end nothing.
func TestCampmateRank(t *testing.T) {
	near, err := builtin(t, "pychess").With(map[string]any{"name": "near", "campmate_rank": 6})
	if err != nil {
		t.Fatal(err)
	}
	far := builtin(t, "pychess")
	for _, c := range []struct {
		fen, move string
		want      Outcome
	}{
		{"k7/8/8/4K3/8/8/8/8[] w - - 0 1", "e5e6", Outcome{WesternWins, Campmate}},
		{"k7/8/8/4K3/8/8/8/8[] w - - 0 1", "e5d5", Outcome{}},
		{"8/8/8/8/3k4/8/8/7K[] b - - 0 1", "d4d3", Outcome{EasternWins, Campmate}},
		{"8/8/8/8/3k4/8/8/7K[] b - - 0 1", "d4e4", Outcome{}},
		{"8/8/8/3k4/8/8/8/7K[] b - - 0 1", "d5d4", Outcome{}},
	} {
		for _, r := range []*Rules{near, far} {
			p := parse(t, r, c.fen)
			m, err := r.ParseMove(&p, c.move)
			if err != nil {
				t.Fatal(err)
			}
			var next Position
			r.Apply(&p, m, &next)
			want, children := c.want, 0
			if r == far {
				want = Outcome{}
			}
			if children = len(r.Legal(&next, nil)); want.Over() != (children == 0) || r.Outcome(&next) != want {
				t.Errorf("%s after %s %s: %v with %d moves, want %v", r.Name, c.fen, c.move, r.Outcome(&next), children, want)
			}
		}
	}
	p := parse(t, near, "k7/4K3/8/8/8/8/8/8[] b - - 0 1") // beyond the rank, and the game is over
	if got := near.Outcome(&p); got != (Outcome{WesternWins, Campmate}) {
		t.Errorf("the King on e7 is judged %v", got)
	}
	if _, err := near.ParseMove(&p, "a8b8"); err == nil || !strings.Contains(err.Error(), "over by campmate") {
		t.Errorf("a move after the end: %v", err)
	}
	if _, err := near.ParseFEN("k7/4K3/8/8/8/8/8/8[] w - - 0 1"); err == nil || !strings.Contains(err.Error(), "has reached its campmate already") {
		t.Errorf("a position that the mover had won before: %v", err)
	}
	if want := "campmate_rank: 6\n"; !strings.HasSuffix(near.Canonical(), want) || len(near.Later()) != 1 || near.GroupHash() == far.GroupHash() {
		t.Errorf("the rule set is\n%s", near.Canonical())
	}
	again, err := ParseRules([]byte(near.Canonical()), "its own text")
	if err != nil || again.Hash() != near.Hash() {
		t.Errorf("%v, %v", again, err)
	}
}
