package fast

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"synochess/internal/kernels"
	"synochess/net"
)

var update = flag.Bool("update", false, "write testdata/v1.weights anew; only while no release has its encoding version")

// A network saved by format version 1 still plays as it did then.
func TestVersion1Plays(t *testing.T) {
	path := filepath.Join("testdata", "v1.weights")
	if *update {
		if err := Save(path, trained(1, 3, 21)); err != nil {
			t.Fatal(err)
		}
	}
	w, err := net.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Vectors()) == 0 {
		t.Fatal("the fixture has no test vectors")
	}
	e, err := New(w)
	if err != nil {
		t.Fatal(err)
	}
	if e.ID() != w.EvalID() {
		t.Errorf("evaluator %s, weights %s", e.ID(), w.EvalID())
	}
}

func TestSavedVectorsAreChecked(t *testing.T) {
	w := trained(1, 6, 3)
	path := filepath.Join(t.TempDir(), "a.weights")
	if err := Save(path, w); err != nil {
		t.Fatal(err)
	}
	read, err := net.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Vectors()) < 4 {
		t.Fatalf("%d test vectors", len(read.Vectors()))
	}
	for _, set := range []*kernels.Set{kernels.Portable(), kernels.Direct()} {
		if _, err := NewOn(set, read); err != nil {
			t.Errorf("%s: %v", set.Name, err)
		}
	}
	for name, change := range map[string]func(v *net.TestVector){
		"logit": func(v *net.TestVector) { v.Logits[1] += 0.01 },
		"wdl":   func(v *net.TestVector) { v.WDL[0] += 0.01 },
		"input": func(v *net.TestVector) { v.Planes[0] ^= 1 << 30 },
		"shape": func(v *net.TestVector) { v.Planes = v.Planes[1:] },
		"moves": func(v *net.TestVector) { v.Moves = nil },
	} {
		bad, err := net.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		vectors := bad.Vectors()
		change(&vectors[1])
		bad.SetVectors(vectors)
		if _, err := New(bad); err == nil || !strings.Contains(err.Error(), "test vector") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
