package datasets

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestBadFilesAreSetAside: damaged files are renamed, foreign ones left, the rest is used.
func TestBadFilesAreSetAside(t *testing.T) {
	dir, games := gamesFolder(t, 3, 20)
	whole, _ := os.ReadFile(GenerationFile(dir, 1))
	damaged := slices.Clone(whole)
	damaged[len(whole)/3] ^= 0xff
	os.WriteFile(GenerationFile(dir, 1), damaged, 0o644)
	os.WriteFile(GenerationFile(dir, 7), whole[:len(whole)/2], 0o644)
	os.WriteFile(GenerationFile(dir, 8), []byte("PAR1 what is this? PAR1"), 0o644)
	match := *games[0]
	match.Purpose = Match
	otherRun := *games[0]
	otherRun.RunID = "another"
	for i, g := range []*Game{&match, &otherRun, games[0]} {
		if _, err := WriteFile(GenerationFile(dir, uint32(10+i)), "v", each([]*Game{g})); err != nil {
			t.Fatal(err)
		}
	}
	c := NewCatalogue()
	problems, err := c.AddDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	moved := map[int]bool{1: true, 7: true, 8: true, 10: false, 11: false, 12: false}
	for i, aside := range moved {
		path := GenerationFile(dir, uint32(i))
		at := slices.IndexFunc(problems, func(p Problem) bool { return p.Path == path })
		if at < 0 || !strings.Contains(problems[at].String(), filepath.Base(path)) {
			t.Errorf("%s is not named: %v", path, problems)
			continue
		}
		_, err := os.Stat(path)
		_, errBad := os.Stat(path + ".bad")
		if os.IsNotExist(err) != aside || (errBad == nil) != aside || (problems[at].MovedTo != "") != aside {
			t.Errorf("%s: %v, set aside %v, want %v", path, problems[at], errBad == nil, aside)
		}
	}
	if len(problems) != len(moved) || len(c.games) != 20 {
		t.Errorf("%d problems, %d games, want %d and 20", len(problems), len(c.games), len(moved))
	}
	if problems, err := c.AddDir(dir); err != nil || len(problems) != 0 || len(c.games) != 20 {
		t.Errorf("added again: %v, %v, %d games", problems, err, len(c.games))
	}
	w := c.Window(1<<30, nil)
	sample(t, w, games, 1, w.Positions(), 1, 0)

	// A file that goes bad after it was taken up, and whose games did not fit in memory, is an error that
	// names it.
	c.cache.dropBefore(1 << 62)
	os.WriteFile(GenerationFile(dir, 2), whole, 0o644)
	s, err := w.Sampler(1, w.Positions(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Next(); err == nil || !strings.Contains(err.Error(), "gen-000002") {
		t.Errorf("replaced file: %v", err)
	}
	if _, err := NewCatalogue().AddDir(filepath.Join(dir, "none")); err == nil {
		t.Error("a missing folder is no error")
	}
}
