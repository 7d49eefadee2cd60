package datasets

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

func openJournal(t testing.TB, path string) (*Journal, Recovery) {
	t.Helper()
	j, rec, err := OpenJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j, rec
}

// filledJournal writes games and returns the file's bytes and its name; the journal is closed.
func filledJournal(t testing.TB, games []*Game) (data []byte, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "games.journal")
	j, _ := openJournal(t, path)
	for _, g := range games {
		if added, err := j.Append(g); err != nil || !added {
			t.Fatalf("append game %d: added %v, %v", g.Number, added, err)
		}
	}
	j.Close()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data, path
}

func wantGames(t *testing.T, j *Journal, want []*Game) {
	t.Helper()
	got, err := collect(j.Games())
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Fatalf("journal holds %d games, want the %d that were written", len(got), len(want))
	}
}

// TestTornJournal cuts the file at every byte of the last record and of the header: the other games are
// all there, the cut is reported, and the journal takes the lost game again to the same bytes.
func TestTornJournal(t *testing.T) {
	games := syntheticGames(t, 1, 1, 3, 3)
	before, _ := filledJournal(t, games[:2])
	whole, path := filledJournal(t, games)
	cuts := []int{0, 1, 7, 8, 15}
	for n := len(before); n < len(whole); n++ {
		cuts = append(cuts, n)
	}
	for _, n := range cuts {
		left := games[:2]
		torn := n - len(before)
		if n < len(before) {
			left, torn = nil, n
		}
		if err := os.WriteFile(path, whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		j, rec, err := OpenJournal(path)
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		if rec.Games != len(left) || rec.CutBytes != int64(torn) || rec.Damaged != 0 {
			t.Fatalf("cut at %d: recovery %+v, want %d games and %d bytes cut", n, rec, len(left), torn)
		}
		wantGames(t, j, left)
		for _, g := range games {
			if added, err := j.Append(g); err != nil || added == slices.Contains(left, g) {
				t.Fatalf("cut at %d: append game %d again: added %v, %v", n, g.Number, added, err)
			}
		}
		j.Close()
		if data, _ := os.ReadFile(path); !bytes.Equal(data, whole) {
			t.Fatalf("cut at %d: the mended journal has other bytes", n)
		}
	}
}

// TestDamagedJournal damages each byte of the first of three records: the others are kept, the file is
// copied aside, and the lost game can be appended again.
func TestDamagedJournal(t *testing.T) {
	games := syntheticGames(t, 2, 1, 3, 1)
	first, _ := filledJournal(t, games[:1])
	whole, _ := filledJournal(t, games)
	for at := headerSize; at < len(first); at += 1 + len(first)/60 {
		path := filepath.Join(t.TempDir(), "games.journal")
		bad := bytes.Clone(whole)
		bad[at] ^= 0x40
		os.WriteFile(path, bad, 0o644)
		j, rec := openJournal(t, path)
		if rec.Games != 2 || rec.Damaged != 1 || rec.CutBytes != 0 {
			t.Fatalf("byte %d: recovery %+v", at, rec)
		}
		if aside, _ := os.ReadFile(rec.SetAside); !bytes.Equal(aside, bad) {
			t.Fatalf("byte %d: %q does not hold the file as it was", at, rec.SetAside)
		}
		wantGames(t, j, games[1:])
		if added, err := j.Append(games[0]); err != nil || !added {
			t.Fatalf("byte %d: append the lost game: %v, %v", at, added, err)
		}
		wantGames(t, j, games)
		j.Close()
		if _, rec := openJournal(t, path); rec.Games != 3 || rec.Damaged != 0 {
			t.Fatalf("byte %d: opened again: %+v", at, rec)
		}
	}
}

func TestJournalIsIdempotent(t *testing.T) {
	games := syntheticGames(t, 3, 1, 2, 5)
	j, _ := openJournal(t, filepath.Join(t.TempDir(), "games.journal"))
	for i, want := range []bool{true, false, false} {
		if added, err := j.Append(games[0]); added != want || err != nil {
			t.Fatalf("append %d: added %v, %v", i, added, err)
		}
	}
	changed := *games[0]
	changed.Seed++
	if _, err := j.Append(&changed); err == nil || !strings.Contains(err.Error(), "differs") {
		t.Errorf("another game of the same number: %v", err)
	}
	otherRun, match := *games[1], *games[1]
	otherRun.RunID = "another"
	match.Purpose = Match
	for _, g := range []*Game{&otherRun, &match} {
		if _, err := j.Append(g); err == nil || !strings.Contains(err.Error(), "give each its own") {
			t.Errorf("game of run %s, %s: %v", g.RunID, g.Purpose, err)
		}
	}
	wantGames(t, j, games[:1])
	if !j.Has(1) || j.Has(2) || j.Len() != 1 {
		t.Errorf("Has(1) %v, Has(2) %v, Len %d", j.Has(1), j.Has(2), j.Len())
	}
	if _, err := j.Game(2); err == nil {
		t.Error("a game that is not there was read")
	}
}

// TestJournalTakesGamesConcurrently also runs under the race detector.
func TestJournalTakesGamesConcurrently(t *testing.T) {
	games := syntheticGames(t, 4, 1, 40, 10)
	j, _ := openJournal(t, filepath.Join(t.TempDir(), "games.journal"))
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := worker / 2; i < len(games); i += 2 { // each game twice
				if _, err := j.Append(games[i]); err != nil {
					t.Error(err)
				}
				j.Has(games[i].Number)
			}
		})
	}
	wg.Wait()
	wantGames(t, j, games)
}

func TestForeignJournalIsRefusedAndKept(t *testing.T) {
	newer := header()
	newer[8] = SchemaVersion + 1
	for name, data := range map[string]string{
		"text":          "these are the notes of last week",
		"short":         "notes",
		"newer version": string(newer),
	} {
		path := filepath.Join(t.TempDir(), "games.journal")
		os.WriteFile(path, []byte(data), 0o644)
		if _, _, err := OpenJournal(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v", name, err)
		}
		if left, _ := os.ReadFile(path); string(left) != data {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

// TestJournalRefusesAGameTwice builds a file with one game in two records, which no writer makes.
func TestJournalRefusesAGameTwice(t *testing.T) {
	data, path := filledJournal(t, syntheticGames(t, 5, 1, 1, 2))
	os.WriteFile(path, append(data, data[headerSize:]...), 0o644)
	if _, _, err := OpenJournal(path); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("error %v", err)
	}
}

func TestAppendAfterCloseFails(t *testing.T) {
	games := syntheticGames(t, 6, 1, 1, 2)
	j, _ := openJournal(t, filepath.Join(t.TempDir(), "games.journal"))
	j.Close()
	if _, err := j.Append(games[0]); err == nil {
		t.Error("no error")
	}
}

// FuzzJournal reads any bytes as a journal: an error, or whole records that, written anew, are found
// again without damage, and whose games are errors or valid.
func FuzzJournal(f *testing.F) {
	whole, _ := filledJournal(f, syntheticGames(f, 7, 1, 3, 2))
	f.Add(whole)
	f.Add(whole[:len(whole)-3])
	f.Add(append(bytes.Clone(whole[:40]), whole...))
	f.Add(header())
	f.Fuzz(func(t *testing.T, data []byte) {
		size := int64(len(data))
		if fresh, err := checkHeader(bytes.NewReader(data), size); fresh || err != nil {
			return
		}
		found, err := scanFrames(bytes.NewReader(data), size)
		if err != nil {
			t.Fatal(err)
		}
		anew := header()
		for _, s := range found.spans {
			payload := data[s.offset : s.offset+int64(s.length)]
			if g, err := decodeGame(payload); err == nil {
				if err := g.Validate(); err != nil {
					t.Error(err)
				}
			}
			anew = appendFrame(anew, payload)
		}
		again, err := scanFrames(bytes.NewReader(anew), int64(len(anew)))
		if err != nil || len(again.spans) != len(found.spans) || again.damaged != 0 || again.end != int64(len(anew)) {
			t.Fatalf("%d records, written anew %+v, %v", len(found.spans), again, err)
		}
	})
}

// FuzzDecodeGame decodes any payload; what decodes is coded to bytes that decode to the same.
func FuzzDecodeGame(f *testing.F) {
	for _, g := range syntheticGames(f, 8, 1, 4, 3) {
		f.Add(encodeGame(g))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := decodeGame(data)
		if err != nil {
			return
		}
		again, err := decodeGame(encodeGame(g))
		if err != nil || fmt.Sprint(again) != fmt.Sprint(g) {
			t.Fatalf("decoded again: %v", err)
		}
	})
}
