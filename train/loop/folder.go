package loop

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/gofrs/flock"

	"synochess/datasets"
	"synochess/internal/files"
)

// openFolder makes the folders of a run and locks it for this process alone. The lock goes with the process, however
// that ends.
func openFolder(f datasets.RunFolder) (unlock func(), err error) {
	tidied := []string{string(f), f.Games(), f.Weights(), f.Checkpoints(), f.Anchors(), f.Proof()}
	for _, dir := range append([]string{f.Journals()}, tidied...) {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("run folder: %w", err)
		}
	}
	if unlock, err = lockFolder(f.Lock()); err != nil {
		return nil, err
	}
	for _, dir := range tidied {
		if err := files.RemoveTemporaries(dir); err != nil {
			unlock()
			return nil, fmt.Errorf("run folder: %w", err)
		}
	}
	return unlock, nil
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

// there reports whether a file or folder exists.
func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func writeJSON(path string, v any) error {
	return files.WriteAtomic(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(v)
	})
}
