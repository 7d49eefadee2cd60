package loop

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/gofrs/flock"

	"synochess/datasets"
	"synochess/internal/files"
)

// folder is a run's folder, held by this process alone.
type folder struct {
	dir    string
	unlock func()
}

// openFolder makes the folder's rooms and locks it. The lock goes with the process, however that ends.
func openFolder(dir string) (*folder, error) {
	for _, room := range []string{"", "journal", "games", "weights", "checkpoints", "anchors", "proof"} {
		if err := os.MkdirAll(filepath.Join(dir, room), 0o755); err != nil {
			return nil, fmt.Errorf("run folder: %w", err)
		}
	}
	unlock, err := lockFolder(filepath.Join(dir, "lock"))
	if err != nil {
		return nil, err
	}
	f := &folder{dir: dir, unlock: unlock}
	for _, room := range []string{"", "games", "weights", "checkpoints", "anchors", "proof"} {
		if err := files.RemoveTemporaries(f.path(room)); err != nil {
			unlock()
			return nil, fmt.Errorf("run folder: %w", err)
		}
	}
	return f, nil
}

// lockFolder takes the folder's lock or says who else must be stopped.
func lockFolder(path string) (func(), error) {
	lock := flock.New(path)
	got, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("run folder: lock %s: %w", path, err)
	}
	if !got {
		return nil, fmt.Errorf("run folder: another process is using it (it holds %s); stop that one first", path)
	}
	return func() { lock.Unlock() }, nil
}

func (f *folder) path(elem ...string) string {
	return filepath.Join(append([]string{f.dir}, elem...)...)
}

func (f *folder) journal(generation int) string {
	return f.path("journal", fmt.Sprintf("%06d.journal", generation))
}
func (f *folder) games(generation int) string {
	return datasets.GenerationFile(f.path("games"), uint32(generation))
}
func (f *folder) weights(generation int) string {
	return f.path("weights", fmt.Sprintf("%06d.weights", generation))
}
func (f *folder) checkpoint(generation int) string {
	return f.path("checkpoints", fmt.Sprintf("%06d.ckpt", generation))
}

// numbered matches the names of checkpoints.
var numbered = regexp.MustCompile(`^(\d{6})\.ckpt$`)

// complete returns the newest generation that counts, 0 if none does.
func (f *folder) complete() (int, error) {
	entries, err := os.ReadDir(f.path("checkpoints"))
	if err != nil {
		return 0, fmt.Errorf("run folder: %w", err)
	}
	newest := 0
	for _, e := range entries {
		if m := numbered.FindStringSubmatch(e.Name()); m != nil {
			n, _ := strconv.Atoi(m[1])
			newest = max(newest, n)
		}
	}
	return newest, nil
}

func (f *folder) writeJSON(name string, v any) error {
	return files.WriteAtomic(f.path(name), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(v)
	})
}

func (f *folder) readJSON(name string, v any) error {
	b, err := os.ReadFile(f.path(name))
	if err != nil {
		return fmt.Errorf("run folder: %w", err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%s: %w; restore it or start another run", f.path(name), err)
	}
	return nil
}
