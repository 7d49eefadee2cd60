package datasets

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// FileError says which file is bad, so that it can be set aside.
type FileError struct {
	Path string
	Err  error
}

// Error names the file and what is wrong with it.
func (e *FileError) Error() string { return fmt.Sprintf("%s: %v", e.Path, e.Err) }

// Unwrap returns what is wrong.
func (e *FileError) Unwrap() error { return e.Err }

// Reader reads a Parquet file of games by row group. It belongs to one goroutine.
type Reader struct {
	Info FileInfo // Games is not filled in

	file   *os.File
	groups []parquet.RowGroup
	rows   []Row // memory for one batch of rows, used again
}

// errNewer marks files that a later version of the program wrote.
var errNewer = errors.New("use a newer program")

// readBatch is the number of rows converted at a time.
const readBatch = 256

// OpenFile opens a Parquet file of games. Errors are *FileError: the file cannot be read, holds no games of this
// program, or is newer than this program.
func OpenFile(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &FileError{path, err}
	}
	r := &Reader{Info: FileInfo{Path: path}, file: f}
	if err := guard(path, r.open); err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

// guard turns an error of fn, or a panic of the Parquet library over damaged bytes, into a *FileError.
func guard(path string, fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &FileError{path, fmt.Errorf("damaged: %v", p)}
		}
	}()
	if err := fn(); err != nil {
		return &FileError{path, err}
	}
	return nil
}

func (r *Reader) open() error {
	info, err := r.file.Stat()
	if err != nil {
		return err
	}
	// A section answers offsets outside the file, as damage asks for, by EOF and not by a system error.
	section := io.NewSectionReader(r.file, 0, info.Size())
	pf, err := parquet.OpenFile(section, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	meta := map[string]string{}
	for _, kv := range pf.Metadata().KeyValueMetadata {
		meta[kv.Key] = kv.Value
	}
	version, err := strconv.Atoi(meta[metaSchema])
	switch {
	case err != nil:
		return errors.New("a Parquet file, but not of Synochess games")
	case version > SchemaVersion:
		return fmt.Errorf("schema version %d, this program reads up to %d: %w", version, SchemaVersion, errNewer)
	case version < 1 || !parquet.EqualNodes(pf.Schema(), schemaOf(version)):
		return fmt.Errorf("its columns are not those of schema version %d", version)
	}
	r.Info.Program, r.Info.RunID = meta[metaProgram], meta[metaRun]
	if r.Info.Purpose, err = parse[Purpose](purposeNames, metaPurpose, meta[metaPurpose]); err != nil {
		return err
	}
	r.groups = pf.RowGroups()
	for i, g := range r.groups {
		if n := g.NumRows(); n < 1 || n > groupRows+maxPlies {
			return fmt.Errorf("row group %d has %d rows", i, n)
		}
	}
	r.Info.Rows = int(pf.NumRows())
	return nil
}

// NumGroups returns the number of row groups, each of whole games.
func (r *Reader) NumGroups() int { return len(r.groups) }

// Group reads the games of a row group, ascending by number. All are valid and belong to the file's run
// and purpose. Errors are *FileError.
func (r *Reader) Group(group int) (games []*Game, err error) {
	err = guard(r.Info.Path, func() error {
		in := parquet.NewGenericRowGroupReader[Row](r.groups[group])
		defer in.Close()
		if r.rows == nil {
			r.rows = make([]Row, readBatch)
		}
		var a assembler
		for {
			n, err := in.Read(r.rows)
			for i := range r.rows[:n] {
				if err := a.add(&r.rows[i]); err != nil {
					return fmt.Errorf("row group %d: %w", group, err)
				}
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				return fmt.Errorf("row group %d: %w", group, err)
			}
		}
		games, err = a.finish()
		for _, g := range games {
			if g.RunID != r.Info.RunID || g.Purpose != r.Info.Purpose {
				return fmt.Errorf("row group %d: game %d is of run %q (%s), the file of %q (%s)", group, g.Number, g.RunID, g.Purpose, r.Info.RunID, r.Info.Purpose)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return games, nil
}

// Close closes the file.
func (r *Reader) Close() error { return r.file.Close() }

// ReadFile reads the games of a file in order, holding one row group. It ends after an error, which is a
// *FileError.
func ReadFile(path string) iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		r, err := OpenFile(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer r.Close()
		for i := range r.NumGroups() {
			games, err := r.Group(i)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, g := range games {
				if !yield(g, nil) {
					return
				}
			}
		}
	}
}

// assembler makes games from their rows, which it takes in the order of the file.
type assembler struct {
	games []*Game
	head  GameColumns // of the last game
}

func (a *assembler) add(row *Row) error {
	g := a.last()
	if g == nil || row.Game != g.Number {
		if err := a.whole(); err != nil {
			return err
		}
		if g != nil && row.Game < g.Number {
			return fmt.Errorf("game %d follows game %d", row.Game, g.Number)
		}
		var err error
		if g, err = row.game(); err != nil {
			return fmt.Errorf("game %d: %w", row.Game, err)
		}
		if row.Plies > maxPlies {
			return fmt.Errorf("game %d has %d plies", row.Game, row.Plies)
		}
		a.games, a.head = append(a.games, g), row.GameColumns
		if row.Plies == 0 {
			return nil
		}
		g.Plies = make([]Ply, 0, min(row.Plies, groupRows))
	}
	if row.GameColumns != a.head {
		return fmt.Errorf("game %d, ply %d: the columns of the game differ from its first row", row.Game, row.Ply)
	}
	if int(row.Ply) != len(g.Plies) || row.Ply >= row.Plies {
		return fmt.Errorf("game %d: row of ply %d of %d follows %d plies", row.Game, row.Ply, row.Plies, len(g.Plies))
	}
	p, err := row.ply(g.Mover(len(g.Plies)))
	if err != nil {
		return fmt.Errorf("game %d, ply %d: %w", row.Game, row.Ply, err)
	}
	g.Plies = append(g.Plies, p)
	return nil
}

func (a *assembler) last() *Game {
	if len(a.games) == 0 {
		return nil
	}
	return a.games[len(a.games)-1]
}

// whole checks the last game once all its rows are there.
func (a *assembler) whole() error {
	g := a.last()
	if g == nil {
		return nil
	}
	if len(g.Plies) != int(a.head.Plies) {
		return fmt.Errorf("game %d has %d of %d plies", g.Number, len(g.Plies), a.head.Plies)
	}
	return g.Validate()
}

func (a *assembler) finish() ([]*Game, error) { return a.games, a.whole() }
