package kernels

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The generator for arm64 writes the committed assembly, byte for byte. It needs no module but the program's.
func TestGeneratedFilesARM64(t *testing.T) {
	// Without -count=1 a result may come from go's cache, which does not look at files outside the generator's module.
	if text, err := generator("test", "-count=1", "./neon"); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}

// The whole generator writes the committed assembly, byte for byte, and passes its tests. For amd64 it needs avo.
func TestGeneratedFiles(t *testing.T) {
	if text, err := generator("mod", "download"); err != nil {
		t.Fatalf("missing: the generator's modules, which go -C net/kernels/gen mod download gets from a module proxy: %v\n%s", err, text)
	}
	if text, err := generator("test", "./..."); err != nil {
		t.Errorf("the generator's tests: %v\n%s", err, text)
	}
	folder := t.TempDir()
	if text, err := generator("run", ".", "-folder", folder); err != nil {
		t.Fatalf("the generator fails: %v\n%s", err, text)
	}
	written := 0
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		written++
		want, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != string(want) {
			t.Errorf("%s is not what the generator writes (%v): run go generate ./net/kernels", name, err)
		}
		return nil
	})
	if err != nil || written == 0 {
		t.Fatalf("the generator wrote %d files: %v", written, err)
	}
}

// generator runs a go command in the generator's module, for this machine whatever the test is built for.
func generator(args ...string) ([]byte, error) {
	c := exec.Command("go", append([]string{"-C", "gen"}, args...)...)
	c.Env = append(os.Environ(), "GOOS=", "GOARCH=")
	return c.CombinedOutput()
}
