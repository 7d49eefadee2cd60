package training

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"synochess/net/kernels"
)

// towerRun does a step of a tower and returns all that it computed.
func towerRun(t *testing.T, path *kernels.Path, threads int, s TowerShape, steps int) [][]float32 {
	t.Helper()
	r := rand.New(rand.NewPCG(11, 12))
	tower := NewTower(NewPool(path, threads), s)
	x, dy := randomBoards(r, s.Batch, s.In), randomBoards(r, s.Batch, s.Width)
	add := randomData(r, s.Batch*s.Width, 1, 0)
	var params []LayerParams
	for _, l := range tower.Layers {
		params = append(params, LayerParams{randomData(r, 9*l.In*l.Out, 0.1, 0), randomData(r, l.Out, 0.3, 1), randomData(r, l.Out, 0.3, 0)})
	}
	for range steps {
		if err := tower.Forward(x, add, params); err != nil {
			t.Fatal(err)
		}
		tower.Backward(x, params, dy)
	}
	results := [][]float32{slices.Clone(tower.Y), tower.DAdd}
	for _, l := range tower.Layers {
		results = append(results, l.DW, l.DScale, l.DBias, l.RunMean, l.RunVar)
	}
	tower.SetTraining(false)
	if err := tower.Forward(x, add, params); err != nil {
		t.Fatal(err)
	}
	return append(results, tower.Y)
}

// TestTower: all paths compute what the portable one does, and the same bits on
// any number of threads and at every step.
func TestTower(t *testing.T) {
	for _, s := range []TowerShape{
		{Batch: 37, In: 5, Width: 16, Blocks: 0, Epsilon: testEpsilon},
		{Batch: 37, In: 21, Width: 16, Blocks: 1, Epsilon: testEpsilon},
		{Batch: 33, In: 5, Width: 32, Blocks: 3, Epsilon: testEpsilon},
		{Batch: 17, In: 16, Width: 80, Blocks: 1, Epsilon: testEpsilon},
		{Batch: 9, In: 5, Width: 12, Blocks: 2, Epsilon: testEpsilon},
	} {
		truth := towerRun(t, kernels.Portable, 2, s, 1)
		eachPath(t, fmt.Sprint(s), func(t *testing.T, path *kernels.Path) {
			want := towerRun(t, path, 1, s, 1)
			for i, got := range want {
				checkClose(t, fmt.Sprint("tensor ", i), got, double(truth[i]), 1e-3)
			}
			for _, threads := range []int{2, 3} {
				for i, got := range towerRun(t, path, threads, s, 1) {
					if !slices.Equal(got, want[i]) {
						t.Errorf("%d threads: tensor %d differs", threads, i)
					}
				}
			}
			// Boards that layers share carry nothing from step to step; only the running statistics move.
			again := towerRun(t, path, 1, s, 3)
			for i := range 2 + 5*(2*s.Blocks+1) {
				if statistic := i >= 2 && (i-2)%5 >= 3; !statistic && !slices.Equal(again[i], want[i]) {
					t.Errorf("third step: tensor %d differs", i)
				}
			}
		})
	}
}

// TestTowerAllocations: a step takes no memory but a few closures.
func TestTowerAllocations(t *testing.T) {
	eachPath(t, "", func(t *testing.T, path *kernels.Path) {
		s := TowerShape{Batch: 16, In: 5, Width: 16, Blocks: 1, Epsilon: testEpsilon}
		tower := NewTower(NewPool(path, 1), s)
		x, dy, add := make([]float32, s.Batch*boardArea*s.In), make([]float32, s.Batch*boardArea*s.Width), make([]float32, s.Batch*s.Width)
		params := make([]LayerParams, len(tower.Layers))
		for i, l := range tower.Layers {
			params[i] = LayerParams{make([]float32, 9*l.In*l.Out), make([]float32, l.Out), make([]float32, l.Out)}
		}
		step := func() {
			if err := tower.Forward(x, add, params); err != nil {
				t.Fatal(err)
			}
			tower.Backward(x, params, dy)
		}
		step()
		if n := testing.AllocsPerRun(5, step); n > float64(10*len(tower.Layers)) {
			t.Errorf("%g allocations a step", n)
		}
	})
}

func TestAdamW(t *testing.T) {
	a := &AdamW{Scale: 0.5, Beta1: 0.9, Rest1: 0.1, Beta2: 0.99, Rest2: 0.01, Correction: 3, Rate: 0.1, Keep: 0.999, Epsilon: 1e-8}
	run := func(path *kernels.Path) [][]float32 {
		r := rand.New(rand.NewPCG(1, 1))
		w, g, m, v := randomData(r, 53, 1, 0), randomData(r, 53, 1, 0), make([]float32, 53), make([]float32, 53)
		g[3] = 0 // never a gradient: the weight only decays
		for range 4 {
			a.Step(path, w, g, m, v)
		}
		return [][]float32{w, m, v}
	}
	truth := run(kernels.Portable)
	eachPath(t, "", func(t *testing.T, path *kernels.Path) {
		for i, got := range run(path) {
			checkClose(t, fmt.Sprint("tensor ", i), got, double(truth[i]), 1e-6)
		}
	})
}
