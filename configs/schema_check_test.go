package configs

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"
)

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	file, err := os.Open("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	doc, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fits checks a text of YAML by the schema.
func fits(t *testing.T, s *jsonschema.Schema, text string) error {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	asJSON, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if v, err = jsonschema.UnmarshalJSON(strings.NewReader(string(asJSON))); err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

// The presets, and what is printed of them, are right by the schema.
func TestPresetsFitTheSchema(t *testing.T) {
	s := compileSchema(t)
	for _, name := range PresetNames() {
		_, text, err := read(name)
		if err != nil {
			t.Fatal(err)
		}
		printed, err := resolved(t, name).YAML()
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range [][]byte{text, printed} {
			if err := fits(t, s, string(text)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// What is wrong in itself is refused by the schema and by the program, and what is right by neither.
func TestSchemaAndProgramAgree(t *testing.T) {
	s := compileSchema(t)
	path := filepath.Join(t.TempDir(), "a.yaml")
	for text, good := range map[string]bool{
		"base: tiny\n":    true,
		"seed: 0\n":       true,
		"train:\n":        true, // its lines are all commented out
		"anchor: {}\n":    true,
		"games: 5\n":      true,
		"base: tinny\n":   false,
		"game: 5\n":       false,
		"games: many\n":   false,
		"games: 1.5\n":    false,
		"games:\n":        false,
		"games: [5]\n":    false,
		"seed: -1\n":      false,
		"train: 3\n":      false,
		"- train\n":       false,
		"rules: []\n":     false,
		"rules: {a: 1}":   false,
		"net: {depth: 2}": false,
		"rules: [{name: moddable, weight: 1, vary: {horse: [leaper, blockable], campmate: [true]}}]\n": true,
		"rules: [{name: moddable, weight: 0}]\n":                                                       false,
		"rules: [{name: moddable}]\n":                                                                  false,
		"rules: [{name: moddable, weight: 1, wait: 1}]\n":                                              false,
		"rules: [{name: moddable, weight: 1, vary: {horse: []}}]\n":                                    false,
		"rules: [{name: moddable, weight: 1, vary: {horse: leaper}}]\n":                                false,
		"anchor: {against: [earlier, 'uci:./engine -q', greedy]}\n":                                    true,
		"anchor: {against: [nero]}\n":                                                                  false,
		"anchor: {against: [uci]}\n":                                                                   false,
		"anchor: {against: [uci:x], engines: {x: {command: y, args: [-n, 4], options: {Hash: 64, Ponder: false}, patience: 1m30s, fresh: true}}}\n": true,
		"anchor: {against: [uci:x], engines: {x: {args: [y]}}}\n":                                                                                   false,
		"anchor: {against: [uci:x], engines: {x: {command: ''}}}\n":                                                                                 false,
		"anchor: {against: [uci:x], engines: {x: {command: y, patience: soon}}}\n":                                                                  false,
		"anchor: {against: [uci:x], engines: {x: {command: y, patience: -1s}}}\n":                                                                   false,
		"anchor: {against: [uci:x], engines: {x: {command: y, patience: 5}}}\n":                                                                     false,
		"anchor: {against: [uci:x], engines: {x: {command: y, fresh: yes}}}\n":                                                                      false,
		"anchor: {against: [uci:x], engines: {x: {command: y, option: {a: b}}}}\n":                                                                  false,
		"anchor: {against: [uci:x], engines: {x: {command: y, options: {a: [b]}}}}":                                                                 false,
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := fits(t, s, text); (err == nil) != good {
			t.Errorf("%s: by the schema %v", text, err)
		}
		if _, err := Resolve(path, nil); (err == nil) != good {
			t.Errorf("%s: by the program %v", text, err)
		}
	}
}

// At each end of a range and beyond it, with each word and another, schema and program judge alike.
func TestSchemaAndProgramAgreeOnRanges(t *testing.T) {
	s, tiny := compileSchema(t), resolved(t, "tiny")
	for _, k := range allKeys(t) {
		if k.entry {
			continue
		}
		for value, allowed := range k.atTheEnds() {
			if k.Type.Kind() == reflect.Slice {
				value = "[" + value + "]"
			}
			section, name, inside := strings.Cut(k.path, ".")
			text := fmt.Sprintf("%s: {%s: %s}", section, name, value)
			if !inside {
				text = fmt.Sprintf("%s: %s", section, value)
			}
			if err := fits(t, s, text); (err == nil) != allowed {
				t.Errorf("%s: by the schema %v", text, err)
			}
			c := tiny.Run
			if err := tiny.loader.set(&c, k.path+"="+value); err != nil {
				t.Fatal(err)
			}
			// What is allowed may not go with other settings.
			err := c.Validate()
			if refused := err != nil && strings.Contains(err.Error(), "; use ") && strings.HasSuffix(err.Error(), k.Allowed()); refused == allowed {
				t.Errorf("%s: by the program %v", text, err)
			}
		}
	}
}

// atTheEnds returns values at the ends of what the key may hold and just beyond, and whether they are allowed.
func (k *key) atTheEnds() map[string]bool {
	values := map[string]bool{}
	for _, word := range k.OneOf {
		values[strings.Replace(word, "...", "./engine", 1)], values[word[1:]] = true, false
	}
	if k.Range == nil {
		return values
	}
	step := 1.
	if k.Type.Kind() == reflect.Float64 {
		step = 1e-6
	}
	format := func(x float64) string { return fmt.Sprint(reflect.ValueOf(x).Convert(k.Type).Interface()) }
	values[format(k.Range.Low-step)], values[format(k.Range.Low)], values[format(k.Range.Low+step)] = false, !k.Range.OpenLow, true
	if high := k.Range.High; !math.IsInf(high, 1) {
		values[format(high-step)], values[format(high)], values[format(high+step)] = true, !k.Range.OpenHigh, false
	}
	return values
}
