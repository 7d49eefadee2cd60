package datasets

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"synochess/env"
)

// TestFileRoundTrip also has groups that are closed early, since the games are many.
func TestFileRoundTrip(t *testing.T) {
	games := syntheticGames(t, 3, 5, 400, 150)
	path := filepath.Join(t.TempDir(), "a.parquet")
	info, err := WriteFile(path, "v1", each(games))
	if err != nil {
		t.Fatal(err)
	}
	back, err := collect(ReadFile(path))
	if err != nil {
		t.Fatal(err)
	}
	if info.Games != len(games) || !reflect.DeepEqual(back, games) {
		t.Fatalf("%d games written, %d read, equal: %v", info.Games, len(back), reflect.DeepEqual(back, games))
	}
	r, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.NumGroups() < 2 {
		t.Errorf("%d rows lie in %d row group", r.Info.Rows, r.NumGroups())
	}
	rows := 0
	for i := range r.NumGroups() {
		n := int(r.groups[i].NumRows())
		if n > groupRows {
			t.Errorf("row group %d has %d rows", i, n)
		}
		rows += n
	}
	if rows != info.Rows || r.Info.RunID != "run-1" || r.Info.Program != "v1" || r.Info.Purpose != Training {
		t.Errorf("file info %+v, %d rows in groups, written %+v", r.Info, rows, info)
	}
}

// TestRoundTripProperty writes any games through journal and Parquet and reads equal ones from both.
func TestRoundTripProperty(t *testing.T) {
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		seed := rapid.Uint64().Draw(rt, "seed")
		games := syntheticGames(t, seed, rapid.Uint64Range(0, 1<<60).Draw(rt, "first"), rapid.IntRange(1, 5).Draw(rt, "games"), rapid.IntRange(0, 20).Draw(rt, "plies"))
		j, _, err := OpenJournal(filepath.Join(dir, fmt.Sprint(n)))
		if err != nil {
			rt.Fatal(err)
		}
		defer j.Close()
		for i := range games { // backwards: the order of arrival must not matter
			if _, err := j.Append(games[len(games)-1-i]); err != nil {
				rt.Fatal(err)
			}
		}
		journalled, err := collect(j.Games())
		if err != nil || !reflect.DeepEqual(journalled, games) {
			rt.Fatalf("journal gives other games back (%v)", err)
		}
		path := filepath.Join(dir, fmt.Sprint(n, ".parquet"))
		if _, err := Compact(j, path, "v"); err != nil {
			rt.Fatal(err)
		}
		stored, err := collect(ReadFile(path))
		if err != nil || !reflect.DeepEqual(stored, games) {
			rt.Fatalf("Parquet gives other games back (%v)", err)
		}
	})
}

func TestSameGamesSameBytes(t *testing.T) {
	games := syntheticGames(t, 4, 1, 30, 40)
	dir := t.TempDir()
	var files [2][]byte
	for i := range files {
		path := filepath.Join(dir, fmt.Sprint(i))
		if _, err := WriteFile(path, "v", each(games)); err != nil {
			t.Fatal(err)
		}
		files[i], _ = os.ReadFile(path)
	}
	if len(files[0]) == 0 || !bytes.Equal(files[0], files[1]) {
		t.Errorf("the same games gave files of %d and %d bytes that differ", len(files[0]), len(files[1]))
	}
}

func TestWriteFileRefuses(t *testing.T) {
	games := syntheticGames(t, 5, 1, 3, 4)
	other, invalid := *games[2], *games[2]
	other.RunID = "run-2"
	invalid.StartFEN = ""
	for name, c := range map[string]struct {
		games []*Game
		want  string
	}{
		"nothing":   {nil, "no games"},
		"order":     {[]*Game{games[1], games[0]}, "ascending"},
		"twice":     {[]*Game{games[0], games[0]}, "ascending"},
		"other run": {[]*Game{games[0], &other}, "one run"},
		"invalid":   {[]*Game{games[0], &invalid}, "start FEN"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.parquet")
			if _, err := WriteFile(path, "v", each(c.games)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
			if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 0 {
				t.Errorf("a refused file left %v behind", left)
			}
		})
	}
}

// TestTruncatedFiles cuts a file at many offsets: always an error that names it, never a panic.
func TestTruncatedFiles(t *testing.T) {
	whole := smallFile(t)
	path := filepath.Join(t.TempDir(), "cut.parquet")
	for n := 0; n < len(whole); n += 1 + len(whole)/400 {
		os.WriteFile(path, whole[:n], 0o644)
		if _, err := collect(ReadFile(path)); err == nil || !strings.Contains(err.Error(), path) {
			t.Fatalf("cut at %d of %d: error %v", n, len(whole), err)
		}
	}
}

// TestDamagedFiles flips bits: the games come back as they were or an error names the file.
func TestDamagedFiles(t *testing.T) {
	whole := smallFile(t)
	path := filepath.Join(t.TempDir(), "bad.parquet")
	os.WriteFile(path, whole, 0o644)
	want, err := collect(ReadFile(path))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for n := 0; n < len(whole); n += 1 + len(whole)/600 {
		bad := bytes.Clone(whole)
		bad[n] ^= 1 << (n % 8)
		os.WriteFile(path, bad, 0o644)
		got, err := collect(ReadFile(path))
		if err != nil {
			found++
			if !strings.Contains(err.Error(), path) {
				t.Fatalf("error %v does not name the file", err)
			}
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("flipped bit in byte %d of %d: other games, no error", n, len(whole))
		}
	}
	if found == 0 {
		t.Error("no damage was found at all")
	}
}

func smallFile(t *testing.T) []byte {
	path := filepath.Join(t.TempDir(), "a.parquet")
	if _, err := WriteFile(path, "v", each(syntheticGames(t, 8, 1, 6, 12))); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

func TestForeignAndNewerFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	os.WriteFile(path, []byte("hello"), 0o644)
	if _, err := OpenFile(path); err == nil {
		t.Error("a text file was opened")
	}
	if _, err := OpenFile(path + ".none"); !os.IsNotExist(err) && !strings.Contains(fmt.Sprint(err), "none") {
		t.Errorf("missing file: %v", err)
	}
	newer := bytes.Replace(smallFile(t), fmt.Append(nil, metaSchema, "\x18\x01", SchemaVersion), []byte(metaSchema+"\x18\x019"), 1)
	os.WriteFile(path, newer, 0o644)
	if _, err := OpenFile(path); err == nil || !strings.Contains(err.Error(), "newer") {
		t.Errorf("newer file: %v", err)
	}
}

// TestVersion1 reads a file without the columns that are younger, which are those of its games' notes.
func TestVersion1(t *testing.T) {
	games := syntheticGames(t, 8, 1, 6, 12)
	for _, g := range games {
		g.Result, g.Reason, g.Ending, g.Note = env.Draw, env.NoReason, Forfeit, "crash: it is gone"
	}
	dir := t.TempDir()
	young, old := filepath.Join(dir, "young.parquet"), filepath.Join(dir, "old.parquet")
	if _, err := WriteFile(young, "v", each(games)); err != nil {
		t.Fatal(err)
	}
	got, err := collect(ReadFile(young))
	if err != nil || !reflect.DeepEqual(got, games) {
		t.Fatalf("with notes: other games, or error %v", err)
	}
	r, err := OpenFile(young)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	conversion, err := parquet.Convert(schemaOf(1), schemaOf(SchemaVersion))
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	w := parquet.NewWriter(&text, schemaOf(1), parquet.KeyValueMetadata(metaSchema, "1"),
		parquet.KeyValueMetadata(metaRun, games[0].RunID), parquet.KeyValueMetadata(metaPurpose, games[0].Purpose.String()))
	for _, group := range r.groups {
		if _, err := w.WriteRowGroup(parquet.ConvertRowGroup(group, conversion)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, g := range games {
		g.Note = ""
	}
	if got, err = collect(ReadFile(old)); err != nil || !reflect.DeepEqual(got, games) {
		t.Fatalf("without notes: other games, or error %v", err)
	}
}

// TestQuantiseHandComputed has values worked out by hand.
func TestQuantiseHandComputed(t *testing.T) {
	p := Ply{Search: FullSearch, SampleWeight: 0.1, Before: [3]float32{0.5, 0.25, 0.25}, Actions: []Action{
		{Logit: 1.001, Policy: 1.0 / 3, Q: 0.5},
		{Logit: float32(math.Inf(-1)), Policy: 1.0 / 3, Q: -1},
		{Logit: 100, Policy: 1.0 / 3, Q: 1},
	}}
	if err := p.Quantise(); err != nil {
		t.Fatal(err)
	}
	if got := [3]uint16{shareCode(p.Before[0]), shareCode(p.Before[1]), shareCode(p.Before[2])}; got != [3]uint16{32767, 16384, 16384} {
		t.Errorf("win, draw, loss of 1/2, 1/4, 1/4 have codes %v", got) // 32767.5 and twice 16383.75: the two largest remainders are .75
	}
	if p.SampleWeight != 26.0/256 {
		t.Errorf("sample weight 0.1 became %v", p.SampleWeight)
	}
	want := []Action{{Logit: 513.0 / 512, Q: 16384.0 / 32767}, {Logit: -64, Q: -1}, {Logit: 32767.0 / 512, Q: 1}}
	for i, a := range p.Actions {
		if a.Logit != want[i].Logit || a.Q != want[i].Q || shareCode(a.Policy) != 21845 {
			t.Errorf("action %d is %+v", i, a)
		}
	}
}

func TestQuantiseTwiceChangesNothing(t *testing.T) {
	for _, g := range syntheticGames(t, 9, 1, 40, 40) {
		for i, p := range g.Plies {
			before := p
			before.Actions = append([]Action(nil), p.Actions...)
			if err := p.Quantise(); err != nil || !reflect.DeepEqual(p, before) {
				t.Fatalf("game %d, ply %d changed when quantised again (%v)", g.Number, i, err)
			}
		}
	}
}

func TestQuantiseRefuses(t *testing.T) {
	nan := float32(math.NaN())
	for name, p := range map[string]Ply{
		"NaN logit":         {Search: FullSearch, Actions: []Action{{Logit: nan, Policy: 1}}},
		"NaN q":             {Search: FullSearch, Actions: []Action{{Q: nan, Policy: 1}}},
		"q beyond 1":        {Search: FullSearch, Actions: []Action{{Q: 1.01, Policy: 1}}},
		"NaN policy":        {Search: FullSearch, Actions: []Action{{Policy: nan}}},
		"policy of half":    {Search: FullSearch, Actions: []Action{{Policy: 0.5}}},
		"negative policy":   {Search: FullSearch, Actions: []Action{{Policy: 1.5}, {Policy: -0.5}}},
		"infinite value":    {After: [3]float32{float32(math.Inf(1)), 0, 0}},
		"value sums off":    {Before: [3]float32{0.5, 0, 0}},
		"NaN sample weight": {SampleWeight: nan},
	} {
		if err := p.Quantise(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
