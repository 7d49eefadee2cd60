package loop

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"synochess/datasets"
	"synochess/internal/progress"
	"synochess/net"
	"synochess/net/fast"
	"synochess/net/kernels"
	"synochess/selfplay/netagent"
)

// interrupter cancels a context after a number of reports.
type interrupter struct {
	progress.Reporter
	left   int
	cancel func()
}

func (p *interrupter) Start(name string, total int64, unit string) progress.Task {
	return interruptedTask{p.Reporter.Start(name, total, unit), p}
}

type interruptedTask struct {
	progress.Task
	p *interrupter
}

func (t interruptedTask) Set(done int64) {
	if t.p.left--; t.p.left == 0 {
		t.p.cancel()
	}
}

// digest hashes what a run must repeat.
func digest(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	for _, pattern := range []string{"games/*", "weights/*", "checkpoints/*", "proof.json"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %d files", pattern, err, len(found))
		}
		names = append(names, found...)
	}
	sort.Strings(names)
	var lines strings.Builder
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(name) == "proof.json" {
			b = withoutEvaluations(b)
		}
		rel, _ := filepath.Rel(dir, name)
		fmt.Fprintf(&lines, "%s %x\n", rel, sha256.Sum256(b))
	}
	return lines.String()
}

// withoutEvaluations leaves out the counts of evaluations, which are those of one process.
func withoutEvaluations(b []byte) []byte {
	var kept []string
	for _, line := range strings.Split(string(b), "\n") {
		if !strings.Contains(line, `"evaluations"`) {
			kept = append(kept, line)
		}
	}
	return []byte(strings.Join(kept, "\n"))
}

// TestAnInterruptedRunEndsWithTheSameBytes stops a run again and again, at other places each time and with
// other numbers of workers, and compares it with one left alone.
func TestAnInterruptedRunEndsWithTheSameBytes(t *testing.T) {
	t.Run("float32", func(t *testing.T) { interrupted(t, smallConfig(t)) })
	t.Run("int16", func(t *testing.T) {
		c := smallConfig(t)
		c.Precision, c.Games, c.Proof.Openings = fast.Int16, 16, 1
		c.Train.Batch = 16
		playedInInt16(t, interrupted(t, c))
	})
}

// interrupted runs c alone and with interruptions, and returns the folder of the latter.
func interrupted(t *testing.T, c *Config) string { return interruptedAfterwards(t, c, func() {}) }

// interruptedAfterwards calls begun once the interrupted run has begun.
func interruptedAfterwards(t *testing.T, c *Config, begun func()) string {
	t.Helper()
	alone, stopped := t.TempDir(), t.TempDir()
	if _, err := Run(context.Background(), c, options(alone, 2, progress.Silent())); err != nil {
		t.Fatal(err)
	}
	stops := 0
	for after := 1; ; after += 5 {
		if after > 500 {
			t.Fatal("the run does not come to its end")
		}
		ctx, cancel := context.WithCancel(context.Background())
		p := &interrupter{Reporter: progress.Silent(), left: after, cancel: cancel}
		_, err := Run(ctx, c, options(stopped, 1+after%3, p))
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if stops++; stops == 1 {
			begun()
		}
	}
	if stops < 5 {
		t.Errorf("only %d interruptions", stops)
	}
	if got, want := digest(t, stopped), digest(t, alone); got != want {
		t.Errorf("after %d interruptions the run holds\n%s\nwant\n%s", stops, got, want)
	}
	return stopped
}

// playedInInt16 checks that a run's weights files are calibrated and that its games tell how they were played.
func playedInInt16(t *testing.T, dir string) {
	t.Helper()
	kernelPath, err := fast.Int16.KernelPath(kernels.Best())
	if err != nil {
		t.Fatal(err)
	}
	f := datasets.RunFolder(dir)
	if id, err := readIdentity(f); err != nil || id.KernelPath != kernelPath || !strings.HasSuffix(kernelPath, "-i16") {
		t.Errorf("run.json names kernel path %q, want %q: %v", id.KernelPath, kernelPath, err)
	}
	for generation := range 3 {
		w, err := net.Load(f.WeightsOf(generation))
		if err != nil {
			t.Fatal(err)
		}
		q := w.Quantisation()
		if q == nil {
			t.Fatalf("generation %d is not calibrated", generation)
		}
		// The untrained network sees random games, the others at most the batches kept of training.
		if want := []int{netagent.CalibrationPositions, 32, 32}[generation]; q.Positions != want {
			t.Errorf("generation %d is calibrated on %d positions, want %d", generation, q.Positions, want)
		}
		if generation == 2 {
			continue // it has played no games of self-play
		}
		for g, err := range datasets.ReadFile(f.GamesOf(generation + 1)) {
			if err != nil {
				t.Fatal(err)
			}
			if g.KernelPath != kernelPath || g.Agents[0].EvalID != w.QuantisedID() {
				t.Fatalf("game %d: kernel path %s, evaluation id %s; want %s, %s", g.Number, g.KernelPath, g.Agents[0].EvalID, kernelPath, w.QuantisedID())
			}
		}
	}
}
