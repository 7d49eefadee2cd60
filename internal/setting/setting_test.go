package setting

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

type Match struct {
	Games int `yaml:"games" range:"[1,100]"`
}

type config struct {
	Share float64       `yaml:"share" range:"(0,1)"`
	Part  float64       `yaml:"part,omitempty" range:"[0,1)" doc:"of the whole"`
	Mode  string        `yaml:"mode" oneof:"fast slow"`
	From  []string      `yaml:"from" oneof:"here uci:..."`
	Name  string        `yaml:"name" required:""`
	List  []Match       `yaml:"list" required:""`
	Wait  time.Duration `yaml:"wait" range:"[0,)"`
	Seed  uint64        `yaml:"seed"`
	Match `yaml:",inline"`
	Other int `yaml:"-" range:"[1,2]"`
	inner int
}

func valid() config {
	return config{Share: 0.5, Mode: "slow", From: []string{"uci:x", "here"}, Name: "a", List: []Match{{}}, Match: Match{Games: 1}}
}

func TestFields(t *testing.T) {
	c := config{Match: Match{Games: 7}, inner: 1}
	var all []string
	for _, f := range Fields(reflect.TypeFor[config]()) {
		all = append(all, fmt.Sprintf("%s %s %s %v %v", f.Key, f.Type, f.Allowed(), f.Required, f.In(reflect.ValueOf(c))))
		if want := map[string]string{"part": "of the whole"}[f.Key]; f.Doc != want {
			t.Errorf("%s: doc %q, want %q", f.Key, f.Doc, want)
		}
	}
	want := `share float64 above 0, below 1 true 0
part float64 0 or more, below 1 false 0
mode string fast or slow false 
from []string here or uci:... false []
name string  true 
list []setting.Match  true []
wait time.Duration 0 or more false 0s
seed uint64  false 0
games int 1 to 100 true 7`
	if got := strings.Join(all, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Every field is named that holds what it may not, by its key, with its value and what to use.
func TestCheck(t *testing.T) {
	if err := Check(valid()); err != nil {
		t.Errorf("valid: %v", err)
	}
	for want, change := range map[string]func(*config){
		"share is 0; use a number above 0, below 1":                    func(c *config) { c.Share = 0 },
		"share is 1; use a number above 0, below 1":                    func(c *config) { c.Share = 1 },
		"share is NaN; use a number above 0, below 1":                  func(c *config) { c.Share = math.NaN() },
		"part is 1; use 0 or more, below 1":                            func(c *config) { c.Part = 1 },
		`mode is ""; use fast or slow`:                                 func(c *config) { c.Mode = "" },
		`from[1] is "ucix"; use here or uci:...`:                       func(c *config) { c.From[1] = "ucix" },
		"name is missing":                                              func(c *config) { c.Name = "" },
		"list is empty; list at least one":                             func(c *config) { c.List = nil },
		"wait is -1s; use 0 or more":                                   func(c *config) { c.Wait = -time.Second },
		"games is 101; use 1 to 100":                                   func(c *config) { c.Games = 101 },
		"part is -1; use 0 or more, below 1\ngames is 0; use 1 to 100": func(c *config) { c.Part, c.Games = -1, 0 },
	} {
		c := valid()
		change(&c)
		if err := Check(&c); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestIn(t *testing.T) {
	if In("a", nil) != nil {
		t.Error("an error without a fault")
	}
	wrapped := fmt.Errorf("weights: %w", Errorf("width", "is %d", 0))
	if err := In("a", In("net", wrapped)); err.Error() != "a.net.width is 0" {
		t.Errorf("a fault of a section within a section: %v", err)
	}
	plain := errors.New("no room")
	if err := In("net", plain); !errors.Is(err, plain) || err.Error() != "net: no room" {
		t.Errorf("another error: %v", err)
	}
}

func TestBadRanges(t *testing.T) {
	for _, text := range []string{"1,2", "[1", "[1,2", "[,2]", "[2,1]", "[1,1]", "[a,2]", "[1;2]", "1", "[", "[1,2]]"} {
		if r, err := parseRange(text); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %+v, error %v", text, r, err)
		}
	}
}
