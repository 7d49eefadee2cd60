package loop

import (
	"slices"
	"testing"

	"synochess/datasets"
	"synochess/env"
	"synochess/train"
)

// What bn_from: window measures on is of all games of the window alike, also a part of it; and weights differ from
// those of bn_from: recent in nothing but their batch-norm statistics.
func TestSpreadSamples(t *testing.T) {
	c := shortConfig(t)
	c.Generations = 3
	dir := t.TempDir()
	runs(t, c, dir)
	catalogue := datasets.NewCatalogue()
	if _, err := catalogue.AddDir(dir + "/games"); err != nil {
		t.Fatal(err)
	}
	window := catalogue.Window(1<<20, nil)
	l := &learner{run: &run{cfg: c}, rules: map[uint64]*env.Rules{}}
	c.Train.BNBatches = 1000
	samples, err := l.spread(5, window, nil)
	if err != nil || len(samples) != window.MaxSamples(1) {
		t.Fatalf("%d samples of %d, %v", len(samples), window.MaxSamples(1), err)
	}
	met := map[uint64]bool{}
	for _, s := range samples[len(samples)/2:] {
		met[s.Game/10] = true
	}
	if len(met) != 3 {
		t.Errorf("half of the samples are of %d of 3 generations", len(met))
	}
	recent := []*train.Sample{{}}
	c.Train.Batch = 1 << 15
	if got, err := l.spread(5, window, recent); err != nil || !slices.Equal(got, recent) {
		t.Errorf("a window of less than a batch: %d samples, %v", len(got), err)
	}

	c = shortConfig(t)
	recently, widely := t.TempDir(), t.TempDir()
	runs(t, c, recently)
	c.Train.BNFrom = train.BNWindow
	runs(t, c, widely)
	a, b := loaded(t, recently, "000001"), loaded(t, widely, "000001")
	differ := 0
	for i := range a.Tensors {
		if slices.Equal(a.Tensors[i].Data, b.Tensors[i].Data) {
			continue
		}
		differ++
		if name := a.Tensors[i].Name; name[len(name)-4:] != "mean" && name[len(name)-4:] != ".var" {
			t.Errorf("%s differs", name)
		}
	}
	if differ == 0 {
		t.Error("the statistics are the same")
	}
}
