package configs

import (
	"strings"
	"testing"
	"time"
)

type inner struct {
	Batch  int     `yaml:"batch"`
	Rate   float64 `yaml:"learning_rate"`
	Nested struct {
		On bool `yaml:"on"`
	} `yaml:"nested"`
}

type Common struct {
	Visits int `yaml:"visits"`
}

type outer struct {
	Name   string         `yaml:"name"`
	Seed   uint64         `yaml:"seed"`
	Small  int8           `yaml:"small"`
	Train  inner          `yaml:"train"`
	List   []inner        `yaml:"list"`
	Extra  map[string]any `yaml:"extra"`
	Wait   time.Duration  `yaml:"wait"`
	Common `yaml:",inline"`
	Hidden int `yaml:"-"`
}

func load(t *testing.T, text string, sets ...string) (outer, *loader, error) {
	t.Helper()
	var o outer
	l := newLoader()
	err := l.apply(&o, "a.yaml", []byte(text))
	for _, s := range sets {
		if err == nil {
			err = l.set(&o, s)
		}
	}
	return o, l, err
}

func TestLayers(t *testing.T) {
	var o outer
	l := newLoader()
	base := "name: base\ntrain: {batch: 1, learning_rate: 0.5}\nlist: [{batch: 1}, {batch: 2}]\nextra: {a: 1, b: 2}\n"
	over := "train:\n  batch: 3\nlist:\n- batch: 9\nextra: {b: [x]}\nvisits: 7\n"
	for _, text := range []string{base, over} {
		if err := l.apply(&o, "x.yaml", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range []string{"train.nested.on=true", "seed=18446744073709551615", "wait=5s"} {
		if err := l.set(&o, s); err != nil {
			t.Fatal(err)
		}
	}
	if o.Name != "base" || o.Train.Batch != 3 || o.Train.Rate != 0.5 || len(o.List) != 1 || o.List[0].Batch != 9 ||
		o.Extra["a"] != 1 || o.Visits != 7 || !o.Train.Nested.On || o.Seed != 1<<64-1 || o.Wait != 5*time.Second {
		t.Errorf("wrong values: %+v", o)
	}
	if got := l.origin["train.batch"]; got != "x.yaml:2" {
		t.Errorf("origin of train.batch is %q", got)
	}
}

func TestLoaderErrors(t *testing.T) {
	for _, c := range []struct{ name, text, set, want string }{
		{"unknown, near", "train:\n  bacth: 3\n", "", `a.yaml:2: train.bacth: unknown key; did you mean "batch"?`},
		{"unknown, far", "name: x\nzzz: 1\n", "", "a.yaml:2: zzz: unknown key; there are: name, seed, small, train, list, extra, wait, visits"},
		{"hidden", "hidden: 1\n", "", "unknown key"},
		{"in list", "list:\n- batch: 1\n- bath: 2\n", "", `a.yaml:3: list[1].bath: unknown key; did you mean "batch"?`},
		{"float for int", "train: {batch: 1.5}\n", "", `a.yaml:1: train.batch: needs a whole number, got "1.5"`},
		{"too large", "small: 300\n", "", `needs a whole number of 8 bits, got "300"`},
		{"negative", "seed: -1\n", "", `needs a whole number of at least 0, got "-1"`},
		{"yes", "train: {nested: {on: yes}}\n", "", `needs true or false, got "yes"`},
		{"list for value", "train: {batch: [1]}\n", "", "train.batch: needs a whole number, got a list"},
		{"value for section", "train: 3\n", "", `train: needs keys (batch, learning_rate, nested), got "3"`},
		{"value for list", "list: 3\n", "", `list: needs a list, got "3"`},
		{"no value", "train:\n  batch:\n", "", "a.yaml:2: train.batch: has no value"},
		{"twice", "name: a\nname: b\n", "", "a.yaml:2: name: the key appears twice"},
		{"second document", "name: a\n---\nname: b\n", "", "a second YAML document"},
		{"not yaml", "name: [a\n", "", "not YAML"},
		{"duration", "wait: soon\n", "", `wait: needs a duration such as 30s, got "soon"`},
		{"set unknown", "", "train.batchh=1", `--set train.batchh=1: train.batchh: unknown key; did you mean "batch"?`},
		{"set type", "", "train.batch=x", `--set train.batch=x: train.batch: needs a whole number, got "x"`},
		{"set form", "", "train.batch", "want KEY=VALUE"},
		{"set empty", "", "train.batch=", "no value after '='"},
		{"set through value", "", "name.x=1", "name: needs text, got keys with values"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var sets []string
			if c.set != "" {
				sets = []string{c.set}
			}
			_, _, err := load(t, c.text, sets...)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
		})
	}
}

// A printed config must say the same when it is read again, and name what was overridden.
func TestPrintRoundTrip(t *testing.T) {
	o, l, err := load(t, "name: a # what it is called\ntrain:\n  # positions a step\n  batch: 5\nlist: [{batch: 1}]\n", "visits=9")
	if err != nil {
		t.Fatal(err)
	}
	text, err := l.print(o, func(from string) bool { return strings.HasPrefix(from, "a.yaml") })
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"name: a # what it is called\n", "batch: 5 # positions a step\n", "visits: 9 # [--set visits=9]\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("printed config lacks %q:\n%s", want, text)
		}
	}
	again, _, err := load(t, string(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if again.Name != o.Name || again.Train != o.Train || again.Visits != 9 || len(again.List) != 1 {
		t.Errorf("read back %+v, want %+v", again, o)
	}
}

func FuzzLoader(f *testing.F) {
	f.Add("name: a\ntrain: {batch: 1}\n")
	f.Add("list: [{batch: 1}]\nextra: {a: [1, {b: c}]}\n")
	f.Add("&a name: *a\n")
	f.Fuzz(func(t *testing.T, text string) {
		var o outer
		_ = newLoader().apply(&o, "fuzz.yaml", []byte(text)) // an error or none, never a panic
	})
}
