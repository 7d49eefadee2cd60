package fast

import (
	"math"
	"strings"
	"testing"

	"synochess/env/encode"
	"synochess/mcts"
	"synochess/mcts/evaltest"
	"synochess/net"
	"synochess/net/kernels"
	"synochess/net/kernels/inference"
)

func randomRows(seed uint64, rows int) *encode.Batch {
	return evaltest.Random(seed, rows, encode.NumPlanes, encode.NumScalars, encode.PolicySize)
}

func mustNew(t testing.TB, path *kernels.Path, w *net.Weights) *Evaluator {
	t.Helper()
	e, err := New(path, w)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// everyPath runs a test on each kernel path. Those that cannot run here are named.
func everyPath(t *testing.T, f func(t *testing.T, path *kernels.Path)) {
	for _, path := range kernels.Paths() {
		t.Run(path.Float.Name, func(t *testing.T) {
			if !path.Float.Runs {
				t.Skipf("skipped: this processor does not have %s", path.Float.Needs)
			}
			f(t, path)
		})
	}
}

// direct returns an evaluator whose convolutions are computed from their definition.
func direct(w *net.Weights) *Evaluator {
	return assemble(w, kernels.Portable, inference.NewDirect(w.Arch.Width, foldTrunk(w)))
}

func TestConformance(t *testing.T) {
	everyPath(t, func(t *testing.T, path *kernels.Path) {
		for _, c := range [][3]int{{1, 16, 0}, {2, 5, 16}, {2, 16, 0}, {2, 16, 16}, {2, 48, 24}} {
			w := trainedOf(c[0], 2, c[1], c[2], 11)
			evaltest.Run(t, func() mcts.Evaluator { return mustNew(t, path, w) }, randomRows(1, 13))
		}
	})
}

// Every path agrees with the portable one, on random weights and on such as training leaves.
func TestAgreesWithPortable(t *testing.T) {
	everyPath(t, func(t *testing.T, path *kernels.Path) {
		for _, shape := range [][2]int{{4, 48}, {6, 64}, {1, 16}, {2, 80}, {2, 20}} {
			plain := net.New(net.Arch{Blocks: shape[0], Width: shape[1], ValueChannels: 8, ValueHidden: 64}, 3)
			for kind, w := range map[string]*net.Weights{"random": plain, "trained": trained(shape[0], shape[1], 5)} {
				want, got := randomRows(8, 12), randomRows(8, 12)
				if err := mustNew(t, kernels.Portable, w).Evaluate(want); err != nil {
					t.Fatal(err)
				}
				if err := mustNew(t, path, w).Evaluate(got); err != nil {
					t.Fatal(err)
				}
				worst := 0.0
				for i, l := range want.Logits {
					worst = max(worst, math.Abs(float64(got.Logits[i]-l))/max(1, math.Abs(float64(l))))
				}
				for i, p := range want.WDL {
					worst = max(worst, math.Abs(float64(got.WDL[i]-p)))
				}
				t.Logf("%v %s: largest difference %.1e", shape, kind, worst)
				if !(worst <= 1e-4) {
					t.Errorf("%v %s: differs by %g", shape, kind, worst)
				}
			}
		}
	})
}

func TestKernelPath(t *testing.T) {
	everyPath(t, func(t *testing.T, path *kernels.Path) {
		if e := mustNew(t, path, trained(0, 4, 1)); e.KernelPath() != path.Float.Name {
			t.Errorf("the evaluator runs on %s", e.KernelPath())
		}
	})
}

// The network as defined, in float64, against every set of kernels.
func TestMatchesDefinition(t *testing.T) {
	check := func(t *testing.T, evaluator func(w *net.Weights) *Evaluator) {
		for i, shape := range [][3]int{{0, 3, 0}, {1, 8, 1}, {2, 17, 5}, {2, 16, 16}, {1, 48, 40}, {1, 48, 0}, {1, 16, 16}} {
			w := trainedOf(1+i%2, shape[0], shape[1], shape[2], 4)
			b := randomRows(8, 5)
			if err := evaluator(w).Evaluate(b); err != nil {
				t.Fatal(err)
			}
			for row := range b.Len() {
				logits, wdl := reference{w, w.Arch}.row(b, row)
				for i, index := range b.Moves(row) {
					want := logits[int(index&63)*w.Arch.PolicyPlanes+int(index>>6)]
					if got := float64(b.RowLogits(row)[i]); math.Abs(got-want) > 2e-5*max(1, math.Abs(want)) {
						t.Fatalf("%v row %d: logit of index %d is %v, want %v", shape, row, index, got, want)
					}
				}
				for i, want := range wdl {
					if got := float64(b.RowWDL(row)[i]); math.Abs(got-want) > 1e-5 {
						t.Fatalf("%v row %d: WDL is %v, want %v", shape, row, b.RowWDL(row), wdl)
					}
				}
			}
		}
	}
	t.Run("direct", func(t *testing.T) { check(t, direct) })
	everyPath(t, func(t *testing.T, path *kernels.Path) {
		check(t, func(w *net.Weights) *Evaluator { return mustNew(t, path, w) })
	})
}

// set writes one value of a tensor.
func set(w *net.Weights, name string, value float32, index ...int) {
	t := w.Tensor(name)
	at := 0
	for i, n := range index {
		at = at*t.Shape[i] + n
	}
	t.Data[at] = value
}

// A network of one filter, all weights zero but those below, computed by hand for a pawn on e4 (28) and
// 8 of 16 soldiers in hand:
//
//	stem     e4: (2*1 + 0.5*1 - 0.5)/sqrt(4) = 1     elsewhere: (0.5 - 0.5)/2 = 0
//	conv1    the tap above (ky=2) reads the rank above, so e3 gets 3*1; its bias -1 leaves e3 = 2
//	conv2    centre tap 0.25: e3 = 0.5, plus the skip: e4 = 1, e3 = 0.5
//	policy   plane 7: 4x - 1: e4 3, e3 1, a1 -1, to squares that hold 0
//	         the others 0, and from-to, of 4 channels: 2x[from] * 3x[to] / sqrt(4): e3e4 2*0.5 * 3*1 / 2 = 1.5,
//	         a drop on e4 2*1 * 3*1 / 2 = 3, and e4 to e5, which holds 0, 0
//	value    conv 1x: fc1 sees e3 with weight 2, e4 with weight 3: 2*0.5 + 3*1 - 1 = 3
//	         fc2 win weight 0.5, loss bias 0.5: logits 1.5, 0, 0.5
//	         e^1.5 = 4.481689, 1, e^0.5 = 1.648721; sum 7.130410
func TestHandComputed(t *testing.T) {
	w := net.New(net.Arch{Blocks: 1, Width: 1, ValueChannels: 1, ValueHidden: 1, FromTo: 4}, 1)
	for _, tensor := range w.Tensors {
		clear(tensor.Data)
		if strings.HasSuffix(tensor.Name, ".scale") || strings.HasSuffix(tensor.Name, ".var") {
			tensor.Data[0] = 1
		}
	}
	const pawns, centre, above, e3, e4 = 0, 4, 7, 20, 28
	set(w, "stem.conv.weight", 2, centre*w.Arch.InputPlanes()+pawns, 0)
	set(w, "stem.vector.weight", 1, encode.ScalarHand-net.ScalarPlanes, 0)
	set(w, "stem.bn.mean", 0.5, 0)
	set(w, "stem.bn.var", 4, 0)
	set(w, "block0.conv1.weight", 3, above, 0)
	set(w, "block0.conv1.bn.bias", -1, 0)
	set(w, "block0.conv2.weight", 0.25, centre, 0)
	set(w, "policy.weight", 4, 0, 7)
	set(w, "policy.bias", -1, 7)
	set(w, "policy.from.weight", 2, 0, 3)
	set(w, "policy.to.weight", 3, 0, 3)
	set(w, "value.conv.weight", 1, 0, 0)
	set(w, "value.fc1.weight", 2, e3, 0)
	set(w, "value.fc1.weight", 3, e4, 0)
	set(w, "value.fc1.bias", -1, 0)
	set(w, "value.fc2.weight", 0.5, 0, 0)
	set(w, "value.fc2.bias", 0.5, 2)

	b := encode.NewBatch()
	planes, scalars, scales := b.AddRow(1)
	planes[pawns] = 1 << e4
	for i := range scales {
		scales[i] = 1
	}
	scalars[encode.ScalarHand], scales[encode.ScalarHand] = 8, 16
	const north, northEast, drop = 0 * 64, 7 * 64, 64 * 64
	for _, index := range []uint16{northEast + e4, northEast + e3, northEast + 0, north + e3, drop + e4, north + e4} {
		b.AddMove(index)
	}
	if err := mustNew(t, kernels.Portable, w).Evaluate(b); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{3, 1, -1, 1.5, 3, 0} {
		if math.Abs(float64(b.Logits[i])-want) > 1e-4 {
			t.Errorf("logit %d is %v, want %v", i, b.Logits[i], want)
		}
	}
	for i, want := range []float64{0.628532, 0.140244, 0.231224} {
		if math.Abs(float64(b.WDL[i])-want) > 1e-5 {
			t.Errorf("WDL is %v, want %v at %d", b.WDL, want, i)
		}
	}
}

func TestEvaluateDoesNotAllocate(t *testing.T) {
	everyPath(t, func(t *testing.T, path *kernels.Path) {
		e := mustNew(t, path, trained(1, 16, 1))
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

func TestRefusals(t *testing.T) {
	good := trained(1, 4, 1)
	for name, c := range map[string]struct {
		change func(w *net.Weights)
		want   string
	}{
		"NaN":            {func(w *net.Weights) { w.Tensor("block0.conv2.weight").Data[5] = float32(math.NaN()) }, "block0.conv2.weight"},
		"Inf":            {func(w *net.Weights) { w.Tensor("value.fc1.bias").Data[1] = float32(math.Inf(-1)) }, "value.fc1.bias"},
		"variance":       {func(w *net.Weights) { w.Tensor("stem.bn.var").Data[0] = -1 }, "stem.bn.var"},
		"newer encoding": {func(w *net.Weights) { w.Arch.EncodingVersion++ }, "newer synochess"},
		"shape":          {func(w *net.Weights) { w.Tensors[0].Data = w.Tensors[0].Data[1:] }, "stem.conv.weight"},
		"missing":        {func(w *net.Weights) { w.Tensors = w.Tensors[:3] }, "stem.bn.bias"},
	} {
		w := good.Clone()
		c.change(w)
		if _, err := New(kernels.Best(), w); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not name %q", name, err, c.want)
		}
	}
	if _, err := New(kernels.Best(), good); err != nil {
		t.Error(err)
	}
}

// Finite weights whose products overflow must not end as a number nobody notices.
func TestOverflowIsAnError(t *testing.T) { everyPath(t, overflowIsAnError) }

func overflowIsAnError(t *testing.T, path *kernels.Path) {
	w := trained(1, 16, 1)
	for i := range w.Tensor("block0.conv1.weight").Data {
		w.Tensor("block0.conv1.weight").Data[i] = 1e30
		w.Tensor("block0.conv2.weight").Data[i] = -1e30
	}
	if err := mustNew(t, path, w).Evaluate(randomRows(1, 3)); err == nil || !strings.Contains(err.Error(), "row 0") {
		t.Errorf("error %v", err)
	}
}

func TestBadBatches(t *testing.T) {
	e := mustNew(t, kernels.Portable, trained(0, 4, 1))
	for name, change := range map[string]func(b *encode.Batch){
		"planes":       func(b *encode.Batch) { b.NumPlanes-- },
		"policy index": func(b *encode.Batch) { b.Indices[1] = encode.PolicySize },
		"scale":        func(b *encode.Batch) { b.Scales[3] = 0 },
		"scalar":       func(b *encode.Batch) { b.Scalars[3] = b.Scales[3] + 1 },
	} {
		b := randomRows(1, 2)
		change(b)
		if e.Evaluate(b) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
