package datasets

import (
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"synochess/internal/files"
)

// groupRows is the number of rows after which a row group is closed; a game is never divided, so groups
// hold a little less or, where one game is longer, more. It bounds the memory of writers and readers.
const groupRows = 16384

// The keys of a file's metadata.
const (
	metaSchema      = "synochess.schema" // SchemaVersion
	metaProgram     = "synochess.program"
	metaRun         = "synochess.run"
	metaPurpose     = "synochess.purpose"
	metaScaleLogit  = "synochess.scale.logit" // value = code / scale
	metaScaleShares = "synochess.scale.shares"
	metaScaleQ      = "synochess.scale.q"
)

// FileInfo says what a file holds.
type FileInfo struct {
	Path    string
	Program string // program version that wrote it
	RunID   string
	Purpose Purpose
	Games   int
	Rows    int
}

// GenerationFile returns the name of the file that a generation's games are compacted to.
func GenerationFile(dir string, generation uint32) string {
	return filepath.Join(dir, fmt.Sprintf("gen-%06d.parquet", generation))
}

// GenerationFiles returns the files in a folder that GenerationFile names, oldest generation first.
func GenerationFiles(dir string) ([]string, error) {
	return filepath.Glob(filepath.Join(dir, "gen-*.parquet"))
}

// Compact writes all games of a journal to a Parquet file, as WriteFile does. The journal is left as it
// is; Finish removes it too.
func Compact(j *Journal, path, program string) (FileInfo, error) {
	return WriteFile(path, program, j.Games())
}

// Finish moves all games of the journal to a Parquet file, as WriteFile writes it, and closes and removes the journal.
func (j *Journal) Finish(path, program string) error {
	if _, err := Compact(j, path, program); err != nil {
		return err
	}
	if err := j.Close(); err != nil {
		return err
	}
	return os.Remove(j.path)
}

// WriteFile writes games to a Parquet file that appears whole or not at all, and replaces a file of that
// name. The games must be valid, of one run and one purpose, ascending by number, and at least one. One
// row group is held in memory. The same games and program version give the same bytes.
func WriteFile(path, program string, games iter.Seq2[*Game, error]) (FileInfo, error) {
	info := FileInfo{Path: path, Program: program}
	err := files.WriteAtomic(path, func(w io.Writer) error {
		return writeGames(w, &info, games)
	})
	return info, err
}

func writeGames(w io.Writer, info *FileInfo, games iter.Seq2[*Game, error]) error {
	var out *parquet.GenericWriter[Row]
	var rows []Row
	inGroup, last := 0, uint64(0)
	for g, err := range games {
		if err != nil {
			return err
		}
		if err := g.Validate(); err != nil {
			return err
		}
		if out == nil {
			info.RunID, info.Purpose = g.RunID, g.Purpose
			out = newWriter(w, info)
		} else if g.Number <= last || g.RunID != info.RunID || g.Purpose != info.Purpose {
			return fmt.Errorf("game %d of run %q (%s) follows game %d of run %q (%s): want one run, one purpose, ascending numbers",
				g.Number, g.RunID, g.Purpose, last, info.RunID, info.Purpose)
		}
		last = g.Number
		rows = appendRows(rows[:0], g)
		if inGroup > 0 && inGroup+len(rows) > groupRows {
			if err := out.Flush(); err != nil {
				return err
			}
			inGroup = 0
		}
		if _, err := out.Write(rows); err != nil {
			return err
		}
		inGroup += len(rows)
		info.Rows += len(rows)
		info.Games++
	}
	if out == nil {
		return fmt.Errorf("no games to write")
	}
	return out.Close()
}

// appendRows appends the rows of a game, reusing the memory of the lists beyond len(rows).
func appendRows(rows []Row, g *Game) []Row {
	game := gameColumns(g)
	for n := range max(1, len(g.Plies)) {
		if n < cap(rows) {
			rows = rows[:n+1]
		} else {
			rows = append(rows, Row{})
		}
		row := &rows[n]
		row.GameColumns = game
		if len(g.Plies) == 0 {
			row.PlyColumns = noPly(g)
			break
		}
		row.PlyColumns = plyColumns(&g.Plies[n], n, g.Mover(n), row.Actions[:0])
	}
	return rows
}

// noPly returns the ply columns of the row that stands for a game without plies.
func noPly(g *Game) PlyColumns {
	return plyColumns(&Ply{Chance: 1, Chosen: Forced}, 0, g.FirstMover(), nil)
}

func newWriter(w io.Writer, info *FileInfo) *parquet.GenericWriter[Row] {
	return parquet.NewGenericWriter[Row](w,
		parquet.CreatedBy("synochess", info.Program, ""),
		parquet.Compression(&checkedZstd{}),
		parquet.DataPageVersion(2),
		parquet.MaxRowsPerRowGroup(maxPlies),
		parquet.SortingWriterConfig(parquet.SortingColumns(parquet.Ascending("game"), parquet.Ascending("ply"))),
		parquet.KeyValueMetadata(metaSchema, strconv.Itoa(SchemaVersion)),
		parquet.KeyValueMetadata(metaProgram, info.Program),
		parquet.KeyValueMetadata(metaRun, info.RunID),
		parquet.KeyValueMetadata(metaPurpose, info.Purpose.String()),
		parquet.KeyValueMetadata(metaScaleLogit, strconv.Itoa(LogitScale)),
		parquet.KeyValueMetadata(metaScaleShares, strconv.Itoa(ShareScale)),
		parquet.KeyValueMetadata(metaScaleQ, strconv.Itoa(QScale)),
	)
}
