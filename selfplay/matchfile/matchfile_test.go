package matchfile

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func record() *File {
	return &File{
		Agents: [2]Agent{
			{Name: "quick", Kind: "network", EvalID: "5f3a", Limit: "nodes=64", Settings: "gumbel"},
			{Name: "greedy", Kind: "greedy", Limit: "nodes=64"},
		},
		Rules: "moddable", RulesHash: "ab12", Openings: "100 of 4 random plies",
		Seed: 1 << 60, Program: "0.1", Machine: "a machine, avx2",
		Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Pairs: []PairScore{
			{Opening: "one", West: Score(1), East: Score(0.5)},
			{Opening: "two", West: Score(0)},
		},
	}
}

func TestRoundTrip(t *testing.T) {
	for _, finished := range []time.Time{{}, time.Date(2026, 1, 2, 4, 0, 0, 0, time.UTC)} {
		dir, want := t.TempDir(), record()
		want.Finished = finished
		if err := Write(dir, want); err != nil {
			t.Fatal(err)
		}
		got, err := Read(filepath.Join(dir, Name))
		if err != nil {
			t.Fatal(err)
		}
		if got.Version != Version || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v came back as %+v", want, got)
		}
	}
}

// How many openings there were is not part of their kind.
func TestOpeningsKind(t *testing.T) {
	for openings, want := range map[string]string{
		"10 of 4 random plies":                  "4 random plies",
		"100 of 4 random plies":                 "4 random plies",
		"100 of 14 random plies":                "14 random plies",
		"the first 79 of pychess.epd (00ff)":    "pychess.epd (00ff)",
		"the first 9 of 2 of a kind.epd (00ff)": "2 of a kind.epd (00ff)",
		"a book":                                "a book",
		"":                                      "",
	} {
		if got := (&File{Openings: openings}).OpeningsKind(); got != want {
			t.Errorf("%q is of the kind %q, want %q", openings, got, want)
		}
	}
}

func TestStats(t *testing.T) {
	pairs := record().Stats()
	if len(pairs) != 2 || pairs[0].West != 1 || pairs[0].East != 0.5 || pairs[1].West != 0 || !math.IsNaN(pairs[1].East) {
		t.Errorf("%v", pairs)
	}
}

func TestID(t *testing.T) {
	base := Agent{Name: "a", EvalID: "1", Limit: "nodes=64", Settings: "s"}
	for _, c := range []struct {
		other Agent
		same  bool
	}{
		{Agent{Name: "a", EvalID: "1", Limit: "nodes=64", Settings: "t"}, true},
		{Agent{Name: "b", EvalID: "1", Limit: "nodes=64"}, false},
		{Agent{Name: "a", EvalID: "2", Limit: "nodes=64"}, false},
		{Agent{Name: "a", EvalID: "1", Limit: "nodes=128"}, false},
	} {
		if got := base.ID() == c.other.ID(); got != c.same {
			t.Errorf("%+v and %+v are one agent: %v", base, c.other, got)
		}
	}
}

// TestBadRecords: every fault is named with the file and the key.
func TestBadRecords(t *testing.T) {
	good := t.TempDir()
	if err := Write(good, record()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(good, Name))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"version": 1`, `"version": 2`, "version is 2"},
		{`"version": 1,`, ``, "version is 0"},
		{`"name": "quick"`, `"name": ""`, "agents[0].name"},
		{`"name": "quick"`, `"name": "a\tb"`, "control character"},
		{`"name": "quick"`, `"nmae": "quick"`, `"nmae"`},
		{`"name": "quick"`, `"name": 3`, "name is a number"},
		{`"rules_hash": "ab12"`, `"rules_hash": ""`, "rules_hash"},
		{`"west": 1`, `"west": 2`, "pairs[0].west is 2"},
		{`"west": 0`, `"west": "1"`, "west is a string"},
		{`"east": 0.5`, `"east": 0.25`, "pairs[0].east is 0.25"},
		{string(text[len(text)/2:]), ``, "ends early"},
		{string(text), ``, "ends early"},
		{string(text), string(text) + "{}", "more text"},
	} {
		bad := strings.Replace(string(text), c.old, c.new, 1)
		if bad == string(text) {
			t.Fatalf("%q is not in the record", c.old)
		}
		path := filepath.Join(t.TempDir(), Name)
		if err := os.WriteFile(path, []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%q for %q: error %v, want the path and %q", c.new, c.old, err, c.want)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none.json")); err == nil {
		t.Error("a file that is not there was read")
	}
}

func TestWriteRefusesWhatReadWould(t *testing.T) {
	dir, f := t.TempDir(), record()
	f.Pairs[0].West = Score(math.NaN())
	if err := Write(dir, f); err == nil || !strings.Contains(err.Error(), "pairs[0].west") {
		t.Errorf("error %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"b", "a/deep", "."} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := Write(filepath.Join(dir, sub), record()); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Find(dir)
	want := []string{filepath.Join(dir, "a", "deep", Name), filepath.Join(dir, "b", Name), filepath.Join(dir, Name)}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	if _, err := Find(filepath.Join(dir, "none")); err == nil {
		t.Error("a folder that is not there was searched")
	}
}
