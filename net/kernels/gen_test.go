package kernels

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The generators write the committed assembly, byte for byte, and pass their tests. Those for amd64 need
// modules of their own; without them their test is skipped.
func TestGeneratedFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short")
	}
	t.Run("amd64", func(t *testing.T) {
		if text, err := generator("mod", "download"); err != nil {
			t.Skipf("skipped: the generator's modules cannot be had: %v: %s", err, text)
		}
		if text, err := generator("test", "./..."); err != nil {
			t.Errorf("the generators' tests: %v\n%s", err, text)
		}
		generatedFiles(t, ".")
		generatedFiles(t, "./train")
	})
	t.Run("arm64", func(t *testing.T) { generatedFiles(t, "./neon") })
}

// generator runs a go command in the generators' module, for this machine whatever the test is built for.
func generator(args ...string) ([]byte, error) {
	c := exec.Command("go", append([]string{"-C", "gen"}, args...)...)
	c.Env = append(os.Environ(), "GOOS=", "GOARCH=")
	return c.CombinedOutput()
}

func generatedFiles(t *testing.T, name string) {
	folder := t.TempDir()
	for _, sub := range []string{"inference", "training"} {
		if err := os.Mkdir(filepath.Join(folder, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := generator("run", name, "-folder", folder); err != nil {
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
