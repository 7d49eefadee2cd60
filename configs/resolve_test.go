package configs

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"synochess/env"
)

// Every preset must resolve, and what it prints must resolve to the same again.
func TestPresets(t *testing.T) {
	for _, name := range PresetNames() {
		t.Run(name, func(t *testing.T) {
			c, err := Resolve(name, nil)
			if err != nil {
				t.Fatal(err)
			}
			text, err := c.YAML()
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "again.yaml")
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Fatal(err)
			}
			again, err := Resolve(path, nil)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if !reflect.DeepEqual(again.Run, c.Run) {
				t.Errorf("printed and read back:\n%+v\nwant\n%+v", again.Run, c.Run)
			}
		})
	}
}

func TestResolveLayers(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "mine.yaml")
	if err := os.WriteFile(path, []byte("games: 7\nselfplay:\n  ply_limit: 99\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := Resolve(path, []string{"selfplay.ply_limit=88", "rules=[{name: pychess, weight: 2}]"})
	if err != nil {
		t.Fatal(err)
	}
	quick, err := Resolve("quick", nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Run.Games != 7 || c.Run.SelfPlay.PlyLimit != 88 || len(c.Run.Rules) != 1 || c.Run.Rules[0].Name != "pychess" {
		t.Errorf("wrong: %+v", c.Run)
	}
	if c.Run.Net != quick.Run.Net {
		t.Error("what the file does not name must come from quick")
	}
	text, err := c.YAML()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"[" + path + ":1]", "[--set selfplay.ply_limit=88]"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the printed config does not say where a value is from; want %q", want)
		}
	}
}

func TestResolveErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		config string
		set    string
		want   string
	}{
		{"quik", "", `did you mean "quick"?`},
		{"nothing-like-it", "", "there are: "},
		{filepath.Join(dir, "absent.yaml"), "", "absent.yaml"},
		{write("base.yaml", "base: ./quick.yaml\n"), "", "base: "},
		{write("nobase.yaml", "base: quik\n"), "", `did you mean "quick"?`},
		{write("bad.yaml", "games: 3\ngame: 4\n"), "", `bad.yaml:2: game: unknown key; did you mean "games"?`},
		{"quick", "base=play", "base: unknown key"},
		{"quick", "games=0", "--set games=0: games is 0; use 1 to 1000000 (self-play games of one generation)"},
		{write("low.yaml", "base: standard\ngames: 500\nselfplay:\n  full_visits: 1 # or none\n"), "",
			"low.yaml:4: selfplay.full_visits is 1; use 2 to 1000000 (simulations of a full search, whose policy is learned)"},
		{write("two.yaml", "train:\n  batch: 0\n  passes: 101\n"), "", "two.yaml:3: train.passes is 101; use 1 to 100 ("},
		{write("cheap.yaml", "selfplay: {full_visits: 8}\n"), "", "cheap.yaml: selfplay.cheap_visits is 16; use 1 to full_visits (8) ("},
		{write("nero.yaml", "anchor:\n  against:\n  - nero\n"), "", `nero.yaml:3: anchor.against[0] is "nero"; use greedy, earlier or uci:... (opponents: `},
		{write("odd.yaml", "anchor:\n  against: [uci:odd]\n  engines:\n    odd: {args: [x]}\n"), "", "odd.yaml:4: anchor.engines.odd.command is missing ("},
		{"quick", "rules=[{name: moddable, weight: 1}, {name: pychess, weight: 0}]", "rules[1].weight is 0; use a number above 0 (how often it"},
		{"quick", "rules=[{name: chess, weight: 1}]", "chess"},
		{"quick", "rules=[]", "rules"},
	} {
		var sets []string
		if c.set != "" {
			sets = []string{c.set}
		}
		if _, err := Resolve(c.config, sets); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: got %v, want %q", c.config, c.set, err, c.want)
		}
	}
}

func TestExampleRules(t *testing.T) {
	paths, err := filepath.Glob("rules/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, path := range paths {
		r, err := env.LoadRules(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if want := strings.TrimSuffix(filepath.Base(path), ".yaml"); r.Name != want {
			t.Errorf("%s is called %s", path, r.Name)
		}
		if r.Name == "all-fields" { // it claims to be moddable, field by field
			moddable, err := env.Builtin("moddable")
			if err != nil {
				t.Fatal(err)
			}
			if r.Hash() != moddable.Hash() {
				t.Errorf("all-fields.yaml differs from moddable:\n%s\n%s", r.Canonical(), moddable.Canonical())
			}
		}
	}
}

// A rules file is found beside the config that names it, whatever the working directory, and is not needed any
// more afterwards: what was resolved holds the rule set, and so does what is printed.
func TestRulesFilesAreTakenIn(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	rules, config := filepath.Join(dir, "sub", "mine.yaml"), filepath.Join(dir, "mine.yaml")
	if err := os.Mkdir(filepath.Dir(rules), 0o755); err != nil {
		t.Fatal(err)
	}
	write(rules, "base: moddable\nname: mine\nfaceoff: none\n")
	write(config, "rules:\n- {name: sub/mine.yaml, weight: 1}\n- {name: pychess, weight: 2}\n")
	t.Chdir(elsewhere)
	c, err := Resolve(config, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := env.LoadRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Run.Rules[0]; got.Name != "mine" || got.Text != r.Canonical() || got.Weight != 1 {
		t.Errorf("wrong: %+v", got)
	}
	if got := c.Run.Rules[1]; got.Name != "pychess" || got.Text != "" {
		t.Errorf("a built-in rule set: %+v", got)
	}
	printed, err := c.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(rules); err != nil {
		t.Fatal(err)
	}
	write("again.yaml", string(printed))
	again, err := Resolve("./again.yaml", nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	if !reflect.DeepEqual(again.Run.Rules, c.Run.Rules) {
		t.Errorf("printed and read back: %+v, want %+v", again.Run.Rules, c.Run.Rules)
	}
	// A path of --set is one of the working directory, and so is one that is not beside its config.
	write("here.yaml", "base: moddable\nname: here\nfaceoff: none\n")
	if c, err = Resolve("quick", []string{"rules=[{name: here.yaml, weight: 1}]"}); err != nil || c.Run.Rules[0].Name != "here" {
		t.Errorf("--set: %v", err)
	}
	write(config, "rules:\n- {name: here.yaml, weight: 1}\n")
	if c, err = Resolve(config, nil); err != nil || c.Run.Rules[0].Name != "here" {
		t.Errorf("a file of the working directory: %v", err)
	}
	write(config, "rules:\n- {name: yours, text: 'base: moddable', weight: 1}\n")
	if _, err = Resolve(config, nil); err == nil || !strings.Contains(err.Error(), `rules[0].name is "yours"`) {
		t.Errorf("a name that is not the text's: %v", err)
	}
	write(config, "rules:\n- {text: 'base: nothing', weight: 1}\n")
	if _, err = Resolve(config, nil); err == nil || !strings.Contains(err.Error(), "rules[0].text: ") {
		t.Errorf("a bad text: %v", err)
	}
}
