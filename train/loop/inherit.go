package loop

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"synochess/datasets"
	"synochess/internal/files"
)

// Inherited is what a run took over of another's games: the newest of them lie in inherited/ and fill its first
// window. They keep their numbers, and the run's own games are numbered after them.
type Inherited struct {
	RunID     string `json:"run_id"`    // of the other run
	Positions int    `json:"positions"` // that it had to learn from in all, for the size of the window
	Left      int    `json:"left"`      // of these, those in files that were not taken over
	FirstGame uint64 `json:"first_game"`
}

// sameGames makes sure that games named again are those of the run that it took games over from.
func (r *run) sameGames(id *Identity, dir string) error {
	if dir == "" {
		return nil
	}
	if id.Inherited == nil {
		return fmt.Errorf("the run in %s began without another run's games", r.folder)
	}
	paths, err := gameFiles(dir)
	if err != nil {
		return err
	}
	for g, err := range datasets.ReadFile(paths[len(paths)-1]) {
		if err != nil {
			return fmt.Errorf("--games-from: %w", err)
		}
		if g.RunID != id.Inherited.RunID {
			return fmt.Errorf("the run in %s began with games of run %s, and --games-from %s gives those of run %s", r.folder, id.Inherited.RunID, dir, g.RunID)
		}
		break
	}
	return nil
}

// gameFiles lists the files of games in a run's folder, or in a folder of such files, oldest first.
func gameFiles(dir string) ([]string, error) {
	if games := datasets.RunFolder(dir).Games(); there(games) {
		dir = games
	}
	paths, err := datasets.GenerationFiles(dir)
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("--games-from %s: no games of a run in it (gen-*.parquet)", dir)
	}
	return paths, nil
}

// inherit takes over the newest games of another run, as many as the first window can hold.
func (r *run) inherit(dir string) (*Inherited, error) {
	paths, err := gameFiles(dir)
	if err != nil {
		return nil, err
	}
	in := &Inherited{}
	positions := make([]int, len(paths))
	for i, path := range paths {
		for g, err := range datasets.ReadFile(path) {
			if err != nil {
				return nil, fmt.Errorf("--games-from: %w; mend it or take it out of the folder", err)
			}
			in.RunID, in.FirstGame = g.RunID, max(in.FirstGame, g.Number+1)
			positions[i] += g.Positions()
		}
		in.Positions += positions[i]
	}
	room := r.folder.Inherited()
	if err := errors.Join(os.RemoveAll(room), os.MkdirAll(room, 0o755)); err != nil {
		return nil, fmt.Errorf("run folder: %w", err)
	}
	in.Left = in.Positions
	size := r.cfg.Window.Size(in.Positions)
	for i, path := range slices.Backward(paths) {
		if in.Positions-in.Left >= size {
			break
		}
		if err := copyFile(path, filepath.Join(room, filepath.Base(path))); err != nil {
			return nil, err
		}
		in.Left -= positions[i]
	}
	return in, nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("--games-from: %w", err)
	}
	defer in.Close()
	return files.WriteAtomic(to, func(w io.Writer) error { _, err := io.Copy(w, in); return err })
}
