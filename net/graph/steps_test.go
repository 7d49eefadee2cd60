package graph

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"synochess/net"
	"synochess/net/kernels"
)

// train moves the weights of g a few steps downhill.
func train(t *testing.T, g *Graph, r *rand.Rand, steps int) {
	t.Helper()
	rows := randomRows(r, g.arch, g.batch)
	for range steps {
		if err := g.SetRows(rows); err != nil {
			t.Fatal(err)
		}
		if _, err := g.Gradients(); err != nil {
			t.Fatal(err)
		}
		for _, p := range g.Params() {
			grad, err := p.Grad()
			if err != nil {
				t.Fatal(err)
			}
			w := floats(p.Value())
			for i, v := range floats(grad) {
				w[i] -= 0.2 * v
			}
		}
	}
}

// eachPath runs a test on every kernel path. Those that cannot run here are named.
func eachPath(t *testing.T, f func(t *testing.T, path *kernels.Path)) {
	for _, path := range kernels.Paths() {
		t.Run(path.Float.Name, func(t *testing.T) {
			if !path.Float.Runs {
				t.Skipf("skipped: this processor does not have %s", path.Float.Needs)
			}
			f(t, path)
		})
	}
}

func TestThreads(t *testing.T) { eachPath(t, testThreads) }

func testThreads(t *testing.T, path *kernels.Path) {
	w := net.New(net.Arch{Blocks: 1, Width: 16, ValueChannels: 2, ValueHidden: 8, FromTo: 4}, 1)
	var want *net.Weights
	for _, threads := range []int{1, 2, 3} {
		g := build(t, path, w, 40, threads)
		train(t, g, rand.New(rand.NewPCG(1, 2)), 5)
		got := w.Clone()
		if err := g.Store(got); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if got.EvalID() != want.EvalID() {
			t.Errorf("%d threads give other weights than 1", threads)
		}
	}
	if want.EvalID() == w.EvalID() {
		t.Error("training changed nothing")
	}
}

// TestMemory: steps leave nothing behind.
func TestMemory(t *testing.T) { eachPath(t, leavesNothing) }

func leavesNothing(t *testing.T, path *kernels.Path) {
	w := net.New(net.Arch{Blocks: 1, Width: 16, ValueChannels: 1, ValueHidden: 2, FromTo: 3}, 1)
	g := build(t, path, w, 16, 2)
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	r := rand.New(rand.NewPCG(9, 9))
	train(t, g, r, 20)
	before := heap()
	train(t, g, r, 300)
	if after := heap(); after > before+1<<18 {
		t.Errorf("300 steps left %d bytes behind", after-before)
	}
}
