package loop

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/gofrs/flock"
	"go.yaml.in/yaml/v4"

	"synochess/datasets"
	"synochess/internal/files"
)

// folder is a run's folder, held by this process alone.
type folder struct {
	dir    string
	unlock func()
}

// Identity is run.json: which run this is and what began it.
type Identity struct {
	RunID      string `json:"run_id"`
	Program    string `json:"program"`
	KernelPath string `json:"kernel_path"`
	System     string `json:"system"` // operating system/architecture
	CPUs       int    `json:"cpus"`
	Go         string `json:"go"`
}

// openFolder makes the folder's rooms and locks it. The lock goes with the process, however that ends.
func openFolder(dir string) (*folder, error) {
	for _, room := range []string{"", "journal", "games", "weights", "checkpoints", "proof"} {
		if err := os.MkdirAll(filepath.Join(dir, room), 0o755); err != nil {
			return nil, fmt.Errorf("run folder: %w", err)
		}
	}
	unlock, err := lockFolder(filepath.Join(dir, "lock"))
	if err != nil {
		return nil, err
	}
	f := &folder{dir: dir, unlock: unlock}
	for _, room := range []string{"", "games", "weights", "checkpoints", "proof"} {
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

// numbered matches the files of the rooms.
var numbered = regexp.MustCompile(`^(\d{6})\.\w+$`)

// generations lists the numbers of a room's files, in order.
func (f *folder) generations(room string) ([]int, error) {
	entries, err := os.ReadDir(f.path(room))
	if err != nil {
		return nil, fmt.Errorf("run folder: %w", err)
	}
	var all []int
	for _, e := range entries {
		if m := numbered.FindStringSubmatch(e.Name()); m != nil {
			n, _ := strconv.Atoi(m[1])
			all = append(all, n)
		}
	}
	return all, nil
}

// settle saves the configuration and identity of a new run, or compares those of an old one: a run goes
// on only with what it began with.
func (f *folder) settle(cfg *Config, program, kernelPath string) (*Identity, error) {
	text, err := yaml.Marshal(cfg)
	if err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	path := f.path("config.yaml")
	old, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		id := &Identity{
			RunID:   fmt.Sprintf("%016x", xxhash.Sum64(text)),
			Program: program, KernelPath: kernelPath, System: runtime.GOOS + "/" + runtime.GOARCH,
			CPUs: runtime.NumCPU(), Go: runtime.Version(),
		}
		if err := f.writeJSON("run.json", id); err != nil {
			return nil, err
		}
		return id, files.WriteAtomic(path, func(w io.Writer) error { _, err := w.Write(text); return err })
	case err != nil:
		return nil, fmt.Errorf("run folder: %w", err)
	case string(old) != string(text):
		return nil, fmt.Errorf("%s differs from the configuration given (%s); a run goes on with the one it began with: leave the configuration out, or take another folder",
			path, firstDifference(string(old), string(text)))
	}
	var id Identity
	if err := f.readJSON("run.json", &id); err != nil {
		return nil, err
	}
	if id.KernelPath != kernelPath {
		return nil, fmt.Errorf("%s: the run began with kernel path %s and this machine takes %s; its games would not repeat: go on where it began, or start another run",
			f.path("run.json"), id.KernelPath, kernelPath)
	}
	return &id, nil
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

// firstDifference names the first line in which two texts differ.
func firstDifference(old, given string) string {
	a, b := strings.Split(old, "\n"), strings.Split(given, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d: %q there, %q given", i+1, strings.TrimSpace(a[i]), strings.TrimSpace(b[i]))
		}
	}
	return fmt.Sprintf("%d lines there, %d given", len(a), len(b))
}
