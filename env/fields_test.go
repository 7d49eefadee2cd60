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
		r := rulesOf(t, name, false)
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
