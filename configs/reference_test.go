package configs

import (
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"synochess/datasets"
	"synochess/internal/setting"
	"synochess/mcts"
	"synochess/net/fast"
	"synochess/train"
	"synochess/train/loop"
)

var update = flag.Bool("update", false, "write docs/configuration.md and schema.json")

// key is a YAML key of the configuration.
type key struct {
	setting.Field
	path    string // "train.batch", "rules[].weight", "anchor.engines.NAME.command"
	meaning string
	entry   bool // whether it stands in the entries of a list or mapping, so that it has no default
}

// keysBelow lists the keys of a struct type and of all that it holds, in their order. What a key means is its comment in the
// root preset; of one that the preset does not name, its tag.
func keysBelow(means map[string]string, t reflect.Type, path string, entry bool) []key {
	var all []key
	for _, f := range setting.Fields(t) {
		k := key{f, strings.TrimPrefix(path+"."+f.Key, "."), "", entry}
		k.meaning = means[strings.ReplaceAll(k.path, "[]", "[0]")]
		if k.meaning == "" {
			k.meaning = f.Doc
		}
		all = append(all, k)
		if isLeaf(f.Type) {
			continue
		}
		switch f.Type.Kind() {
		case reflect.Struct:
			all = append(all, keysBelow(means, f.Type, k.path, entry)...)
		case reflect.Slice, reflect.Map:
			name := map[reflect.Kind]string{reflect.Slice: "[]", reflect.Map: ".NAME"}[f.Type.Kind()]
			if f.Type.Elem().Kind() == reflect.Struct {
				all = append(all, keysBelow(means, f.Type.Elem(), k.path+name, true)...)
			}
		}
	}
	return all
}

// allKeys lists the keys of a configuration's file.
func allKeys(t *testing.T) []key {
	t.Helper()
	means, err := meanings()
	if err != nil {
		t.Fatal(err)
	}
	return keysBelow(means, reflect.TypeFor[layer](), "", false)
}

// in returns the key's value in a configuration; it must not stand in entries.
func (k *key) in(c *Config) reflect.Value {
	v := reflect.ValueOf(&c.Run).Elem()
	for _, name := range strings.Split(k.path, ".") {
		v = fieldByKey(v, name)
	}
	return v
}

func resolved(t *testing.T, name string) *Config {
	t.Helper()
	c, err := Resolve(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The root preset must name every key: a key it lacks would be 0 in every run. Every key is described once, and every
// number has a range, but for seeds, which may be any.
func TestEveryKeyIsDescribed(t *testing.T) {
	c := resolved(t, root)
	for _, k := range allKeys(t) {
		named := k.meaning != k.Doc
		switch {
		case !k.entry && isLeaf(k.Type) && k.path != "base" && c.loader.origin[k.path] == "":
			t.Errorf("%s.yaml does not name %s", root, k.path)
		case k.meaning == "":
			t.Errorf("nothing says what %s means: write it beside the key in %s.yaml", k.path, root)
		case named && k.Doc != "":
			t.Errorf("%s has both a comment in %s.yaml and a tag doc; leave out one", k.path, root)
		}
		switch k.Type.Kind() {
		case reflect.Int, reflect.Int64, reflect.Float64:
			if k.Range == nil {
				t.Errorf("%s has no range; give its field one", k.path)
			}
		}
	}
}

// A word that the program compares with is one that the configuration allows, and the other way round.
func TestWordsAreTheProgramsConstants(t *testing.T) {
	want := map[string][]string{
		"precision":       {string(fast.Auto), string(fast.Float32), string(fast.Int16)},
		"search.mode":     {mcts.ModeAuto, mcts.ModeGumbel, mcts.ModePUCT},
		"window.mode":     {datasets.WindowFraction, datasets.WindowPower},
		"train.optimizer": {train.AdamW, train.SGD},
		"train.schedule":  {train.Linear, train.Cosine},
		"anchor.against":  {loop.AgainstGreedy, loop.AgainstEarlier, "uci:..."},
	}
	for _, k := range allKeys(t) {
		if !slices.Equal(k.OneOf, want[k.path]) {
			t.Errorf("%s: the tag allows %q, the program knows %q", k.path, k.OneOf, want[k.path])
		}
	}
}

// same compares a generated file with the one that is there, or writes it.
func same(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != want {
		t.Errorf("%s is not what the code and %s.yaml say (%v): run go generate ./configs", path, root, err)
	}
}
