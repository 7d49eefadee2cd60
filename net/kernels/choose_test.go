package kernels

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// everySet runs a test on each kernel path. Those that cannot run here are named.
func everySet(t *testing.T, f func(t *testing.T, set *Set)) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			set, err := ByName(name)
			if err != nil {
				t.Skipf("skipped: %v", err)
			}
			f(t, set)
		})
	}
}

func TestChoose(t *testing.T) {
	for _, c := range []struct{ value, want, err string }{
		{"", Best().Name, ""},
		{"portable", "portable", ""},
		{"avx3", "", Variable + `: there is no kernel path "avx3"`},
	} {
		t.Setenv(Variable, c.value)
		set, err := Choose()
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: error %v, want %q", c.value, err, c.err)
			}
		case err != nil || set.Name != c.want:
			t.Errorf("%q: %v, %v, want %s", c.value, set, err, c.want)
		}
	}
}

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
	if text, err := generator("run", name, "-folder", folder); err != nil {
		t.Fatalf("the generator fails: %v\n%s", err, text)
	}
	written, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(written) == 0 {
		t.Fatalf("the generator wrote nothing: %v", err)
	}
	for _, path := range written {
		name := filepath.Base(path)
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != string(want) {
			t.Errorf("%s is not what the generator writes (%v): run go generate ./net/kernels", name, err)
		}
	}
}
