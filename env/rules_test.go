package env

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestCanonicalReadsBack(t *testing.T) {
	sets, err := derivedRules()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range slices.AppendSeq(builtinRules(t), maps.Values(sets)) {
		again, err := ParseRules([]byte(r.Canonical()), "canonical text")
		if err != nil {
			t.Errorf("%s: %v\n%s", r.Name, err, r.Canonical())
			continue
		}
		if again.Canonical() != r.Canonical() || again.Hash() != r.Hash() || again.GroupHash() != r.GroupHash() {
			t.Errorf("%s comes back as\n%s", r.Name, again.Canonical())
		}
	}
}

func TestHashes(t *testing.T) {
	base := builtin(t, "moddable")
	with := func(key string, value any) *Rules {
		r, err := base.With(map[string]any{key: value})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	renamed := with("name", "another name")
	if renamed.Hash() != base.Hash() || renamed.GroupHash() != base.GroupHash() {
		t.Error("the name changes a hash")
	}
	handicap := with("start", "rheakahr/2c2c2/8/8/8/8/PPPPPPPP/RNBQKBNR[ssss] w KQ - 0 1")
	if handicap.Hash() == base.Hash() || handicap.GroupHash() != base.GroupHash() {
		t.Error("a start position must change Hash and not GroupHash")
	}
	if handicap.MaxSoldiers() != 4 || handicap.Name != "moddable+start" {
		t.Errorf("handicap has %d Soldiers and is called %q", handicap.MaxSoldiers(), handicap.Name)
	}
	seen := map[uint64]string{base.GroupHash(): "base"}
	for key, values := range fieldValues {
		changed := 0
		for _, value := range values {
			r, err := base.With(map[string]any{key: value})
			if err != nil || r.GroupHash() == base.GroupHash() { // not playable with the rest, or moddable's own value
				continue
			}
			changed++
			if other, double := seen[r.GroupHash()]; double {
				t.Errorf("%s: %s has the hash of %s", key, value, other)
			}
			seen[r.GroupHash()] = key + ": " + value
			if !strings.HasPrefix(r.Name, "moddable+"+key+"=") {
				t.Errorf("a change of %s is called %q", key, r.Name)
			}
		}
		if changed == 0 {
			t.Errorf("no value of %s changes the hash", key)
		}
	}
}

func TestParseRulesErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "is empty"},
		{"# nothing", "is empty"},
		{"- a\n- b", "not a list of fields"},
		{"just text", "not a list of fields"},
		{"base: chess", `line 1: field base: "chess" is not a built-in`},
		{"base: moddable\nname: x\nfaceof: none", `line 3: unknown field "faceof"`},
		{"base: moddable\nfaceoff: maybe", `line 2: field faceoff: "maybe" is not one of loses, illegal, none`},
		{"base: moddable\nfaceoff: none\nfaceoff: loses", "faceoff"},
		{"base: moddable\ncampmate: yes", `line 2: field campmate: "yes" is neither true nor false`},
		{"base: moddable\ncampmate:", "field campmate needs a single value"},
		{"base: moddable\ncampmate: [true]", "field campmate needs a single value"},
		{"base: moddable\nno_progress_plies: 1.5", "whole number from 20 to 1000"},
		{"base: moddable\nno_progress_plies: 19", "whole number from 20 to 1000"},
		{"base: moddable\nno_progress_plies: 1001", "whole number from 20 to 1000"},
		{"base: moddable\ndrop_region: 0-3", "is not a region"},
		{"base: moddable\ndrop_region: 8-5", "is not a region"},
		{"base: moddable\ndrop_region: ''", "is not a region"},
		{"base: moddable\ndrop_region: d7 d9", "is not a region"},
		{"base: moddable\n\ndrop_region: 1-5", "line 3: field drop_region: holds squares of rank 1"},
		{"base: moddable\nsoldier_promotes_to: '-'", "line 2: field soldier_promotes_to: names nothing that Soldiers could become"},
		{"base: moddable\npawn_promotes_to: '-'", "line 2: field pawn_promotes_to"},
		{"base: moddable\npawn_promotes_to: qk", "line 2: field pawn_promotes_to"},
		{"base: moddable\npawn_promotes_to: qq", "appears twice"},
		{"base: moddable\nhorse_letter: x", "neither h nor n"},
		{"base: moddable\nname: ''", "field name"},
		{"base: moddable\nname: moddable\nstalemate: loss", "choose another name"},
		{"base: moddable\nstart: 8/8/8/8/8/8/8/8[] w - - 0 1", "line 2: field start: FEN"},
		{"base: moddable\nstart: 4k3/8/8/8/8/8/8/4K3[] w - - 0 1", "a faceoff"},
		{"base: moddable\nstart: k7/2Q5/8/8/8/8/8/5K2[] b - - 0 1", "over before the first move"},
		{"base: moddable\nstart: rheakahr/8/ssssssss/sssssss1/8/8/PPPPPPPP/RNBQKBNR[ss] w KQ - 0 1", "17 Soldiers"},
		{"base: moddable\n---\nbase: pychess", "more than one YAML document"},
		{"base: [", "yaml"},
		{"name: x\nhorse: leaper", "these fields are missing: start, horse_letter"},
		{"base: moddable\n" + strings.Repeat("#", maxRulesSize), "not a rules file"},
	}
	for _, test := range tests {
		_, err := ParseRules([]byte(test.text), "test.yaml")
		if err == nil {
			t.Errorf("%q was accepted", test.text)
			continue
		}
		if !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "test.yaml") {
			t.Errorf("%.60q: error is %v, want %q in it", test.text, err, test.want)
		}
	}
}

func TestResolveRules(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(path, []byte("base: pychess\nname: mine\nhorse_letter: h\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := ResolveRules(path)
	if err != nil || r.Name != "mine" || !strings.HasPrefix(r.Start, "rheakehr/") {
		t.Errorf("%v, %v: the start position is not in the new letters", r, err)
	}
	if r, err := ResolveRules("pychess"); err != nil || r.Name != "pychess" {
		t.Errorf("%v, %v", r, err)
	}
	if _, err := ResolveRules("nonsense"); err == nil || !strings.Contains(err.Error(), "neither a built-in rule set") {
		t.Errorf("error is %v", err)
	}
	if _, err := Builtin("chess"); err == nil || !strings.Contains(err.Error(), "moddable-fsf") {
		t.Errorf("error is %v", err)
	}
	if _, err := r.With(map[string]any{"nonsense": 1}); err == nil || !strings.Contains(err.Error(), "unknown field") {
		t.Errorf("error is %v", err)
	}
	if names := BuiltinNames(); !slices.Equal(names, []string{"moddable", "moddable-strict", "moddable-fsf", "pychess"}) {
		t.Errorf("built-in are %v", names)
	}
}

func TestRegionText(t *testing.T) {
	for _, text := range []string{"all", "1", "8", "5-8", "2-3", "a1", "d7 e7 f7 d8 e8 f8", "a1 h8"} {
		region, err := parseRegion(text)
		if err != nil || regionText(region) != text {
			t.Errorf("%q comes back as %q, %v", text, regionText(region), err)
		}
	}
}

// TestExampleRules reads the example files of the repository.
func TestExampleRules(t *testing.T) {
	paths, err := filepath.Glob("../configs/rules/*.yaml")
	if err != nil || len(paths) < 2 {
		t.Fatalf("%d example files, %v", len(paths), err)
	}
	for _, path := range paths {
		r, err := LoadRules(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if r.Name != strings.TrimSuffix(filepath.Base(path), ".yaml") {
			t.Errorf("%s holds the rule set %q", path, r.Name)
		}
	}
}
