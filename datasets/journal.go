package datasets

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"synochess/internal/files"
)

// Journal is an append-only file of finished games of one run and one purpose. Each game is on disk
// (fsync) when Append returns. A Journal may be used by several goroutines; only one Journal at a time
// may be open on a file.
type Journal struct {
	mu     sync.Mutex
	file   *os.File        // guarded by mu
	path   string          // fixed
	size   int64           // bytes of header and whole records; guarded by mu
	spans  map[uint64]span // by game number; guarded by mu
	first  *Game           // head of the first game, nil while empty: run and purpose of all; guarded by mu
	failed error           // a write that could not be undone: nothing more is appended; guarded by mu
}

// span is where a record's payload lies in the file.
type span struct {
	offset int64
	length int
}

// Recovery tells what OpenJournal found and mended.
type Recovery struct {
	Games    int    // whole games that are there
	CutBytes int64  // bytes of a torn record that were cut off the end: the game being written when the program died
	Damaged  int    // stretches of damaged bytes before the end, left out
	SetAside string // copy of the file as it was, if Damaged is not 0
}

// OpenJournal opens or creates a journal. A torn record at the end, which a kill leaves, is cut off. Damage before
// that comes of a bad disk: the file is copied aside and the whole records are kept, so the games that are missing
// must be played again. A foreign or newer file is an error and stays untouched.
func OpenJournal(path string) (*Journal, Recovery, error) {
	var rec Recovery
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, rec, fmt.Errorf("open journal: %w", err)
	}
	j := &Journal{file: f, path: path, spans: map[uint64]span{}}
	if err := j.recover(&rec); err != nil {
		j.file.Close()
		return nil, rec, fmt.Errorf("open journal %s: %w", path, err)
	}
	return j, rec, nil
}

// recover reads the file and brings it to a state in which it is a header and whole records.
func (j *Journal) recover(rec *Recovery) error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	fresh, err := checkHeader(j.file, info.Size())
	if err != nil {
		return err
	}
	if fresh {
		return j.create(rec, info.Size())
	}
	records, err := scanFrames(j.file, info.Size())
	if err != nil {
		return err
	}
	rec.Damaged, rec.CutBytes = records.damaged, info.Size()-records.end
	if rec.Damaged > 0 {
		if records, err = j.rewrite(rec, records); err != nil {
			return err
		}
	}
	if err := j.index(records.spans); err != nil {
		return err
	}
	rec.Games, j.size = len(j.spans), records.end
	if rec.CutBytes == 0 {
		return nil
	}
	if err := j.file.Truncate(j.size); err != nil {
		return err
	}
	return j.file.Sync()
}

// index enters the records by the numbers of their games.
func (j *Journal) index(records []span) error {
	for _, s := range records {
		payload, err := j.read(s)
		if err != nil {
			return err
		}
		head, err := decodeHead(payload)
		if err != nil {
			return fmt.Errorf("record at byte %d: %w (written by another version of this program?)", s.offset, err)
		}
		if err := j.admit(head); err != nil {
			return err
		}
		if _, twice := j.spans[head.Number]; twice {
			return fmt.Errorf("game %d appears twice", head.Number)
		}
		j.spans[head.Number] = s
	}
	return nil
}

// create writes the header of a new file, or writes it again if the program was killed while it did.
func (j *Journal) create(rec *Recovery, size int64) error {
	rec.CutBytes, j.size = size, headerSize
	if err := j.file.Truncate(0); err != nil {
		return err
	}
	if _, err := j.file.WriteAt(header(), 0); err != nil {
		return err
	}
	if err := j.file.Sync(); err != nil {
		return err
	}
	return files.SyncDir(filepath.Dir(j.path))
}

// rewrite copies the damaged file aside, replaces it by one of its whole records and opens that.
func (j *Journal) rewrite(rec *Recovery, old frames) (frames, error) {
	whole, err := os.ReadFile(j.path)
	if err != nil {
		return frames{}, err
	}
	rec.SetAside = freeName(j.path + ".bad")
	if err := files.WriteBytes(rec.SetAside, whole); err != nil {
		return frames{}, err
	}
	good := header()
	for _, s := range old.spans {
		good = appendFrame(good, whole[s.offset:s.offset+int64(s.length)])
	}
	// The file must be closed before Windows lets another take its name.
	j.file.Close()
	if err := files.WriteBytes(j.path, good); err != nil {
		return frames{}, err
	}
	if j.file, err = os.OpenFile(j.path, os.O_RDWR, 0o644); err != nil {
		return frames{}, err
	}
	rec.CutBytes = 0 // what was torn is in the copy
	return scanFrames(j.file, int64(len(good)))
}

// admit checks that a game is of the journal's run and purpose; the first one decides what these are.
func (j *Journal) admit(g *Game) error {
	if j.first == nil {
		j.first = &Game{RunID: g.RunID, Purpose: g.Purpose}
	}
	if g.RunID != j.first.RunID || g.Purpose != j.first.Purpose {
		return fmt.Errorf("game %d is of run %q (%s), the journal holds run %q (%s): give each its own",
			g.Number, g.RunID, g.Purpose, j.first.RunID, j.first.Purpose)
	}
	return nil
}

// Append adds a finished game, which must be valid (so quantised), and returns when it is on disk. A
// game that is there already with the same bytes is ignored: added is false. The same number with other
// bytes is an error, since a game is determined by its seed. After an error the journal holds what it
// held before.
func (j *Journal) Append(g *Game) (added bool, err error) {
	if err := g.Validate(); err != nil {
		return false, err
	}
	payload := encodeGame(g)
	if len(payload) > maxRecord {
		return false, fmt.Errorf("game %d takes %d bytes, a record holds %d", g.Number, len(payload), maxRecord)
	}
	frame := appendFrame(nil, payload)

	j.mu.Lock()
	defer j.mu.Unlock()
	if j.failed != nil {
		return false, j.failed
	}
	if s, ok := j.spans[g.Number]; ok {
		old, err := j.read(s)
		if err != nil {
			return false, err
		}
		if !bytes.Equal(old, payload) {
			return false, fmt.Errorf("journal %s: game %d is already in it and differs: was it played with other weights, config or kernels?", j.path, g.Number)
		}
		return false, nil
	}
	if err := j.admit(g); err != nil {
		return false, fmt.Errorf("journal %s: %w", j.path, err)
	}
	if _, err = j.file.WriteAt(frame, j.size); err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		if undo := j.file.Truncate(j.size); undo != nil {
			j.failed = fmt.Errorf("journal %s: cannot undo a failed write: %w", j.path, undo)
		}
		return false, fmt.Errorf("journal %s: %w", j.path, err)
	}
	j.spans[g.Number] = span{j.size + frameSize, len(payload)}
	j.size += int64(len(frame))
	return true, nil
}

// read returns the payload of a record.
func (j *Journal) read(s span) ([]byte, error) {
	payload := make([]byte, s.length)
	_, err := j.file.ReadAt(payload, s.offset)
	return payload, err
}

// Len returns the number of games.
func (j *Journal) Len() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.spans)
}

// Has reports whether a game is there.
func (j *Journal) Has(number uint64) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	_, ok := j.spans[number]
	return ok
}

// Game reads one game back.
func (j *Journal) Game(number uint64) (*Game, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	s, ok := j.spans[number]
	if !ok {
		return nil, fmt.Errorf("journal %s: no game %d", j.path, number)
	}
	payload, err := j.read(s)
	if err != nil {
		return nil, fmt.Errorf("journal %s: %w", j.path, err)
	}
	g, err := decodeGame(payload)
	if err != nil {
		return nil, fmt.Errorf("journal %s, record of game %d: %w", j.path, number, err)
	}
	return g, nil
}

// Games reads the games that are there when it is called, ascending by number, and holds one at a time. It ends
// after an error.
func (j *Journal) Games() iter.Seq2[*Game, error] {
	j.mu.Lock()
	numbers := slices.Sorted(maps.Keys(j.spans))
	j.mu.Unlock()
	return func(yield func(*Game, error) bool) {
		for _, n := range numbers {
			g, err := j.Game(n)
			if !yield(g, err) || err != nil {
				return
			}
		}
	}
}

// Path returns the file's name.
func (j *Journal) Path() string { return j.path }

// Close closes the file; all that was appended is on disk already.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.failed = fmt.Errorf("journal %s is closed", j.path)
	return j.file.Close()
}
