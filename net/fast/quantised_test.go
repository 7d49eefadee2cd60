package fast

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"synochess/env"
	"synochess/env/encode"
	"synochess/mcts"
	"synochess/mcts/evaltest"
	"synochess/net"
	"synochess/net/kernels"
)

// everyInt16Path runs a test on each path for quantised networks. Those that cannot run here are named.
func everyInt16Path(t *testing.T, f func(t *testing.T, path *kernels.Path)) {
	for _, path := range kernels.Paths() {
		if path.Int16.Name == "" {
			continue
		}
		t.Run(path.Int16.Name, func(t *testing.T) {
			if !path.Int16.Runs {
				t.Skipf("skipped: this processor does not have %s", path.Int16.Needs)
			}
			f(t, path)
		})
	}
}

func mustQuantise(t testing.TB, path *kernels.Path, w *net.Weights) *Evaluator {
	t.Helper()
	e, err := NewQuantised(path, w)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// calibrated returns trained weights that were calibrated on the batch.
func calibrated(t testing.TB, blocks, width int, seed uint64, b *encode.Batch) *net.Weights {
	t.Helper()
	w := trained(blocks, width, seed)
	if err := Calibrate(kernels.Best(), w, b); err != nil {
		t.Fatal(err)
	}
	return w
}

// gamePositions returns every third position of random games of the built-in rule sets.
func gamePositions(t testing.TB, seed uint64, rows int) *encode.Batch {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 12))
	b := encode.NewBatch()
	for {
		for _, name := range env.BuiltinNames() {
			rules, err := env.Builtin(name)
			if err != nil {
				t.Fatal(err)
			}
			g := env.NewGame(rules, rules.StartPosition())
			for ply := 0; ply < 80 && !g.Outcome().Over(); ply++ {
				if ply%3 == 0 {
					encode.AppendRow(b, rules, g.Position(), g.Repetitions(), g.LegalMoves())
				}
				if b.Len() == rows {
					return b
				}
				g.PlayRandom(r)
			}
		}
	}
}

func TestQuantisedConformance(t *testing.T) {
	everyInt16Path(t, func(t *testing.T, path *kernels.Path) {
		for _, width := range []int{16, 48} {
			w := calibrated(t, 2, width, 11, randomRows(3, 20))
			evaltest.Run(t, func() mcts.Evaluator { return mustQuantise(t, path, w) }, randomRows(1, 13))
		}
	})
}

// The limits the project sets for int16, on networks whose every tensor differs from its initial value and
// positions other than those they were calibrated on.
func TestQuantisedAccuracy(t *testing.T) {
	rows := gamePositions(t, 2, 1000)
	everyInt16Path(t, func(t *testing.T, path *kernels.Path) {
		for _, shape := range [][2]int{{2, 32}, {4, 48}, {6, 64}} {
			if path == kernels.Portable && shape[0] > 2 {
				continue // it is slow, and TestQuantisedPathsAgree covers it
			}
			w := calibrated(t, shape[0], shape[1], 5, gamePositions(t, 1, 300))
			exact, err := New(kernels.Best(), w)
			if err != nil {
				t.Fatal(err)
			}
			a, err := Compare(exact, mustQuantise(t, path, w), rows)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%dx%d: %v", shape[0], shape[1], a)
			if err := a.Check(); err != nil {
				t.Errorf("%dx%d: %v", shape[0], shape[1], err)
			}
		}
	})
}

// The trunks give the same bits for the same input. What remains is the rounding of stem and heads in
// float32, and an activation at the entrance that it tips over now and then.
func TestQuantisedPathsAgree(t *testing.T) {
	w := calibrated(t, 3, 48, 5, gamePositions(t, 1, 100))
	want, got := gamePositions(t, 2, 60), gamePositions(t, 2, 60)
	if err := mustQuantise(t, kernels.Portable, w).Evaluate(want); err != nil {
		t.Fatal(err)
	}
	everyInt16Path(t, func(t *testing.T, path *kernels.Path) {
		if err := mustQuantise(t, path, w).Evaluate(got); err != nil {
			t.Fatal(err)
		}
		worst := 0.
		for i, l := range want.Logits {
			worst = max(worst, math.Abs(float64(got.Logits[i]-l)))
		}
		t.Logf("largest difference of a logit %.1e", worst)
		if !(worst <= 0.02) {
			t.Errorf("a logit differs by %g", worst)
		}
	})
}

func TestQuantisedFileAndID(t *testing.T) {
	w := calibrated(t, 1, 16, 3, randomRows(3, 8))
	path := filepath.Join(t.TempDir(), "a.weights")
	if err := Save(path, w); err != nil {
		t.Fatal(err)
	}
	read, err := net.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	e, err := NewQuantised(kernels.Best(), read)
	if err != nil {
		t.Fatal(err)
	}
	if e.ID() != w.QuantisedID() || e.ID() == w.EvalID() || e.ID() == "" {
		t.Errorf("the id is %q, the weights' are %q and %q", e.ID(), w.QuantisedID(), w.EvalID())
	}
}

func TestQuantisedRefusals(t *testing.T) {
	rows := randomRows(3, 8)
	changed := calibrated(t, 1, 16, 3, rows)
	changed.Tensor("stem.bn.bias").Data[0]++
	for name, c := range map[string]struct {
		w    *net.Weights
		want string
	}{
		"not calibrated": {trained(1, 16, 3), "calibrate them"},
		"changed since":  {changed, "calibrate them"},
		"width":          {trained(1, 24, 3), "multiple of 16"},
		"not finite":     {damaged(calibrated(t, 1, 16, 3, rows)), "block0.conv1.weight"},
	} {
		if _, err := NewQuantised(kernels.Best(), c.w); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	overflow := trained(1, 16, 3)
	for i := range overflow.Tensor("block0.conv1.weight").Data {
		overflow.Tensor("block0.conv1.weight").Data[i] = 1e38
	}
	for name, c := range map[string]struct {
		w       *net.Weights
		batches []*encode.Batch
		want    string
	}{
		"no positions": {trained(1, 16, 3), []*encode.Batch{encode.NewBatch()}, "no positions"},
		"width":        {trained(1, 24, 3), []*encode.Batch{rows}, "multiple of 16"},
		"overflow":     {overflow, []*encode.Batch{rows}, "row 0"},
	} {
		if err := Calibrate(kernels.Best(), c.w, c.batches...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("calibrate, %s: error %v", name, err)
		}
	}
}

// A path that the user named and that has no integers is kept: int16 is an error, auto is float32.
func TestForcedPathWithoutInt16(t *testing.T) {
	best := kernels.Best()
	was := best.Int16
	t.Cleanup(func() { best.Int16 = was })
	best.Int16 = kernels.Arithmetic{}
	t.Setenv(kernels.Variable, best.Float.Name)
	path, err := kernels.Choose()
	if err != nil {
		t.Fatal(err)
	}
	w := calibrated(t, 1, 16, 3, randomRows(3, 8))
	_, opening := Int16.Open(path, w)
	_, naming := Int16.KernelPath(path)
	for _, err := range []error{opening, naming} {
		if err == nil || !strings.Contains(err.Error(), kernels.Variable) {
			t.Errorf("error %v", err)
		}
	}
	if p := Auto.For(path, w.Arch); p != Float32 {
		t.Errorf("auto is %s", p)
	}
}

func damaged(w *net.Weights) *net.Weights {
	w.Tensor("block0.conv1.weight").Data[7] = float32(math.NaN())
	return w
}

// The measuring network is the network: its answers are the exact ones.
func TestCalibrateComputesTheNetwork(t *testing.T) {
	w := trained(2, 32, 3)
	rows, want := randomRows(3, 12), randomRows(3, 12)
	if err := Calibrate(kernels.Best(), w, rows); err != nil {
		t.Fatal(err)
	}
	if err := mustNew(t, kernels.Portable, w).Evaluate(want); err != nil {
		t.Fatal(err)
	}
	for i, l := range want.Logits {
		if d := math.Abs(float64(rows.Logits[i] - l)); !(d <= 1e-4*max(1, math.Abs(float64(l)))) {
			t.Fatalf("logit %d is %g, want %g", i, rows.Logits[i], l)
		}
	}
	if q := w.Quantisation(); q == nil || q.Positions != 12 || len(q.Limits) != 4 {
		t.Errorf("quantisation %+v", q)
	}
}

func TestQuantisedDoesNotAllocate(t *testing.T) {
	everyInt16Path(t, func(t *testing.T, path *kernels.Path) {
		e := mustQuantise(t, path, calibrated(t, 1, 16, 1, randomRows(3, 8)))
		b := randomRows(2, 9)
		if n := testing.AllocsPerRun(5, func() {
			if err := e.Evaluate(b); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%v allocations an evaluation", n)
		}
	})
}
