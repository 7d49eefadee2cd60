package neon

import (
	"os"
	"path/filepath"
	"testing"
)

// The committed assembly is what the generator writes, byte for byte.
func TestFiles(t *testing.T) {
	files, err := Files()
	if err != nil || len(files) == 0 {
		t.Fatalf("the generator writes %d files: %v", len(files), err)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join("..", "..", name)); err != nil || string(got) != string(want) {
			t.Errorf("%s is not what the generator writes (%v): run go generate ./net/kernels", name, err)
		}
	}
}
