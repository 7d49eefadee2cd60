package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"synochess/internal/files"
)

// Catalogue knows the training games of a run's files: for each game its number, its place and how much
// it weighs in sampling, some 48 bytes a game. A file is read as a whole when it is added, so that
// damage shows then and not in the middle of a training step. A Catalogue belongs to one goroutine and
// lives as long as the run; adding is all that changes it.
type Catalogue struct {
	runs  map[string]string // folder -> run of its games
	known map[string]bool   // paths that were looked at
	paths []string
	games []gameEntry // ascending by number
	cache *groupCache // of the newest games
}

// gameEntry is a game's line in the catalogue.
type gameEntry struct {
	number, family uint64
	weight         uint64 // sum of its positions' sample weights, in 1/256
	heaviest       uint32 // the greatest of them
	positions      int32  // positions of weight above 0
	rows           int32  // rows of the file
	file, group    int32  // index in paths, row group
}

// Problem is a file that could not be used.
type Problem struct {
	Path    string
	MovedTo string // where it was set aside; "" if it was left in place
	Err     error
}

// String says what happened to which file and why, for a log.
func (p Problem) String() string {
	if p.MovedTo == "" {
		return fmt.Sprintf("left out %v", p.Err)
	}
	return fmt.Sprintf("set aside as %s: %v", filepath.Base(p.MovedTo), p.Err)
}

// NewCatalogue returns an empty catalogue.
func NewCatalogue() *Catalogue {
	return &Catalogue{runs: map[string]string{}, known: map[string]bool{}, cache: newGroupCache(CacheBytes)}
}

// AddDir adds the files of a folder (gen-*.parquet) that it does not know yet, in the order of their names. The games
// of a folder are those of one run. Files that cannot be used are named in problems. Damaged ones are also set aside,
// by renaming them to *.bad. Those that are newer than the program, of another run or purpose, or that the system
// cannot read are left in place. Only a folder that cannot be listed is an error.
func (c *Catalogue) AddDir(dir string) (problems []Problem, err error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("games folder: %w", err)
	}
	paths, err := GenerationFiles(dir)
	if err != nil {
		return nil, fmt.Errorf("games folder %s: %w", dir, err)
	}
	for _, path := range paths {
		if c.known[path] {
			continue
		}
		c.known[path] = true
		err := c.add(path)
		if err == nil {
			continue
		}
		p := Problem{Path: path, Err: err}
		if isDamage(err) {
			if moved, err := setAside(path); err == nil {
				p.MovedTo = moved
			}
		}
		problems = append(problems, p)
	}
	return problems, nil
}

// errLeaveOut marks files that are whole but not for this catalogue.
var errLeaveOut = errors.New("left out")

// isDamage reports whether an error says that a file's content is bad. It is false if the system failed to read the
// file, and if the file is whole but not for this catalogue.
func isDamage(err error) bool {
	var system *fs.PathError
	return !errors.As(err, &system) && !errors.Is(err, errNewer) && !errors.Is(err, errLeaveOut)
}

// setAside renames a bad file so that nothing takes it for data again.
func setAside(path string) (moved string, err error) {
	moved = freeName(path + ".bad")
	if err := os.Rename(path, moved); err != nil {
		return "", err
	}
	return moved, files.SyncDir(filepath.Dir(path))
}

// add reads a file as a whole and adds its games if all of it is good.
func (c *Catalogue) add(path string) error {
	r, err := OpenFile(path)
	if err != nil {
		return err
	}
	defer r.Close()
	dir := filepath.Dir(path)
	if run, ok := c.runs[dir]; ok && r.Info.RunID != run {
		return &FileError{path, fmt.Errorf("it is of run %q, not %q: %w", r.Info.RunID, run, errLeaveOut)}
	}
	if r.Info.Purpose != Training {
		return &FileError{path, fmt.Errorf("its games are for %s: %w", r.Info.Purpose, errLeaveOut)}
	}
	var found []gameEntry
	var groups [][]*packedGame
	for group := range r.NumGroups() {
		games, err := r.Group(group)
		if err != nil {
			return err
		}
		packed := make([]*packedGame, 0, len(games))
		for _, g := range games {
			e := entryOf(g)
			e.file, e.group = int32(len(c.paths)), int32(group)
			if _, there := c.find(g.Number); there {
				return &FileError{path, fmt.Errorf("its game %d is in another file already: %w", g.Number, errLeaveOut)}
			}
			found = append(found, e)
			packed = append(packed, pack(g))
		}
		groups = append(groups, packed)
	}
	for group, packed := range groups {
		c.cache.put(int32(len(c.paths)), int32(group), packed)
	}
	c.runs[dir] = r.Info.RunID
	c.paths = append(c.paths, path)
	c.games = append(c.games, found...)
	slices.SortFunc(c.games, func(a, b gameEntry) int { return cmp.Compare(a.number, b.number) })
	return nil
}

// find returns the place of a game, or where it would be, and whether it is there.
func (c *Catalogue) find(number uint64) (int, bool) {
	return slices.BinarySearchFunc(c.games, number, func(e gameEntry, n uint64) int { return cmp.Compare(e.number, n) })
}

// Positions returns the number of positions that training may draw: those of a sample weight above 0. A void game has
// none.
func (g *Game) Positions() int { return int(entryOf(g).positions) }

// entryOf adds up a game's weights. Void games weigh nothing.
func entryOf(g *Game) gameEntry {
	e := gameEntry{number: g.Number, family: g.Family, rows: int32(max(1, len(g.Plies)))}
	for i := range g.Plies {
		if w := sampleUnits(g, i); w > 0 {
			e.weight += uint64(w)
			e.heaviest = max(e.heaviest, w)
			e.positions++
		}
	}
	return e
}

// sampleUnits returns the sample weight of a position in 1/256, 0 in a void game.
func sampleUnits(g *Game, ply int) uint32 {
	if g.Ending == Void {
		return 0
	}
	return uint32(g.Plies[ply].SampleWeight * weightScale)
}

// Positions returns the number of positions that training may draw from all games, which is the total that
// WindowConfig.Size takes.
func (c *Catalogue) Positions() int {
	n := 0
	for i := range c.games {
		n += int(c.games[i].positions)
	}
	return n
}

// Window returns the newest games by number that together hold at most maxPositions positions, but at
// least one game that has any; of them those whose family keep accepts (nil: all). The window's bounds do not depend
// on keep, so the training and the held-out half of a split lie in the same games.
func (c *Catalogue) Window(maxPositions int, keep func(family uint64) bool) *Window {
	w := &Window{paths: c.paths, cache: c.cache}
	oldest := uint64(0)
	total := 0
	var chosen []gameEntry
	for i := len(c.games) - 1; i >= 0; i-- {
		e := c.games[i]
		if e.positions == 0 {
			continue
		}
		if total > 0 && total+int(e.positions) > maxPositions {
			break
		}
		total += int(e.positions)
		oldest = e.number
		if keep == nil || keep(e.family) {
			chosen = append(chosen, e)
		}
	}
	c.cache.dropBefore(oldest)
	slices.Reverse(chosen)
	w.take(chosen)
	return w
}

// Since returns the number of positions that training may draw from the games from number first on whose family keep
// accepts.
func (c *Catalogue) Since(first uint64, keep func(family uint64) bool) int {
	n := 0
	at, _ := c.find(first)
	for _, e := range c.games[at:] {
		if keep(e.family) {
			n += int(e.positions)
		}
	}
	return n
}
