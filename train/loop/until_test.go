package loop

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"synochess/datasets"
	"synochess/internal/progress"
)

// A run that was to stop after a generation has no proof yet, and goes on to the weights of one that was not.
func TestUntil(t *testing.T) {
	c := smallConfig(t)
	last := func(dir string) []byte {
		b, err := os.ReadFile(datasets.RunFolder(dir).WeightsOf(c.Generations))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	whole, parts := t.TempDir(), t.TempDir()
	if _, err := Run(context.Background(), c, options(whole, 2, progress.Silent())); err != nil {
		t.Fatal(err)
	}
	o := options(parts, 2, progress.Silent())
	o.Until = 1
	for range 2 { // the second time there is nothing to do
		proof, err := Run(context.Background(), c, o)
		if err != nil || proof != nil {
			t.Fatalf("proof %v, %v", proof, err)
		}
	}
	o.Until = 0
	if proof, err := Run(context.Background(), c, o); err != nil || proof == nil {
		t.Fatalf("proof %v, %v", proof, err)
	}
	if !bytes.Equal(last(whole), last(parts)) {
		t.Error("the weights differ from those of a run that did not stop")
	}
	o.Until = 1
	if _, err := Run(context.Background(), c, o); err == nil || !strings.Contains(err.Error(), "2 generations already") {
		t.Errorf("stopping in the past: %v", err)
	}
}
