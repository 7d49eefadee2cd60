package loop

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synochess/datasets"
	"synochess/internal/progress"
	"synochess/net"
	"synochess/net/fast"
)

// begins runs c in dir from weights (Config.Start), games or both.
func begins(c *Config, dir, start, gamesFrom string) error {
	begun := *c
	begun.Start = start
	o := options(dir, 2, progress.Silent())
	o.GamesFrom = gamesFrom
	_, err := Run(context.Background(), &begun, o)
	return err
}

func loaded(t *testing.T, dir, name string) *net.Weights {
	t.Helper()
	w, err := net.Load(filepath.Join(dir, "weights", name+".weights"))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// A run begins with another's weights and games: it plays with the former, learns from the latter too, and needs
// neither folder afterwards.
func TestARunBeginsWithAnother(t *testing.T) {
	c := shortConfig(t)
	c.Window.MinPositions = 40 // less than a generation's
	first := t.TempDir()
	c.Generations = 2
	runs(t, c, first)
	w := loaded(t, first, "000002")

	c.Seed, c.Generations = 12, 1
	weightsOnly, both, alone := t.TempDir(), t.TempDir(), t.TempDir()
	for dir, games := range map[string]string{weightsOnly: "", both: first} {
		if err := begins(c, dir, first, games); err != nil {
			t.Fatal(err)
		}
		if got := loaded(t, dir, "000000").EvalID(); got != w.EvalID() {
			t.Errorf("it began with %s, want %s", got, w.EvalID())
		}
		proof, err := ReadProof(datasets.RunFolder(dir))
		if err != nil || proof.Matches[0].Second != "start" {
			t.Errorf("proof: %+v, %v", proof, err)
		}
		if !strings.Contains(string(loaded(t, dir, "000001").Record.Training), `"from":"`+w.EvalID()+`"`) {
			t.Error("the weights do not tell what they began with")
		}
	}
	runs(t, c, alone)

	// Of the first run's two generations the newer one fills the window; numbers go on after its own.
	id, err := readIdentity(datasets.RunFolder(both))
	if err != nil {
		t.Fatal(err)
	}
	newest, err := readAll(datasets.GenerationFile(filepath.Join(first, "games"), 2))
	if err != nil {
		t.Fatal(err)
	}
	taken, err := filepath.Glob(filepath.Join(both, "inherited", "*"))
	if err != nil || len(taken) != 1 || filepath.Base(taken[0]) != "gen-000002.parquet" {
		t.Errorf("taken over: %v, %v", taken, err)
	}
	if in := id.Inherited; in.FirstGame != 20 || in.RunID != newest[0].RunID || in.RunID == id.RunID || in.Left == 0 || in.Left >= in.Positions {
		t.Errorf("inherited: %+v", in)
	}
	own, err := readAll(datasets.GenerationFile(filepath.Join(both, "games"), 1))
	if err != nil || len(own) != 10 || own[0].Number != 20 || own[0].Agents[0].EvalID != w.EvalID() {
		t.Errorf("own games: %d from %d on, %v", len(own), own[0].Number, err)
	}
	if loaded(t, both, "000001").EvalID() == loaded(t, weightsOnly, "000001").EvalID() {
		t.Error("the other run's games change nothing")
	}

	// It goes on without the other run, and with no other beginning.
	if err := os.RemoveAll(first); err != nil {
		t.Fatal(err)
	}
	before := digest(t, both)
	if err := begins(c, both, first, ""); err != nil || digest(t, both) != before {
		t.Errorf("named again: %v", err)
	}
	if err := begins(c, both, alone, ""); err == nil || !strings.Contains(err.Error(), "another setting (start: "+first+" -> "+alone+")") {
		t.Errorf("other weights: %v", err)
	}
	if err := begins(c, alone, both, ""); err == nil || !strings.Contains(err.Error(), "began with untrained weights, and start is") {
		t.Errorf("weights for an untrained run: %v", err)
	}
	if err := begins(c, alone, "", both); err == nil || !strings.Contains(err.Error(), "began without another run's games") {
		t.Errorf("games for a run without: %v", err)
	}
	if err := begins(c, both, first, alone); err == nil || !strings.Contains(err.Error(), "began with games of run "+id.Inherited.RunID) {
		t.Errorf("other games: %v", err)
	}
	c.Generations = 2
	if err := begins(c, both, first, ""); err != nil {
		t.Error(err)
	}
}

// A larger network begins as that of another run and goes on from there. Interrupted again and again, and with the other
// run gone, it gives the same bytes; weights and checkpoint alone tell what it began with.
func TestARunGrowsAnother(t *testing.T) {
	c := shortConfig(t)
	small := filepath.Join(t.TempDir(), "small")
	runs(t, c, small)
	w := loaded(t, small, "000001")

	c.Start, c.Seed, c.Generations, c.Precision = small, 12, 2, fast.Int16
	c.Net.Blocks, c.Net.Width, c.Net.FromTo = 2, 32, 4
	gone := func() {
		if err := os.RemoveAll(small); err != nil {
			t.Fatal(err)
		}
	}
	dir := interruptedAfterwards(t, c, gone)
	first := loaded(t, dir, "000000")
	want, err := net.Grow(w, c.Net, c.Seed)
	if err != nil || first.EvalID() != want.EvalID() || first.Quantisation() == nil {
		t.Errorf("it begins with %s, want %s with a quantisation, %v", first.EvalID(), want.EvalID(), err)
	}
	f := datasets.RunFolder(dir)
	id, err := readIdentity(f)
	if err != nil || id.From != w.EvalID() {
		t.Errorf("run.json says that it began with %s, want %s, %v", id.From, w.EvalID(), err)
	}
	if last := loaded(t, dir, "000002"); !strings.Contains(string(last.Record.Training), `"from":"`+w.EvalID()+`"`) || last.EvalID() == first.EvalID() {
		t.Error("the last weights do not tell what they began with, or learned nothing")
	}
	proof, err := ReadProof(f)
	if err != nil || proof.Matches[0].Second != "start" {
		t.Errorf("proof: %+v, %v", proof, err)
	}
	for _, path := range []string{f.Identity(), f.Config(), f.History()} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	runs(t, c, dir)
	if again, err := readIdentity(f); err != nil || again.From != id.From || again.RunID != id.RunID {
		t.Errorf("without run.json it is %+v, was %+v, %v", again, id, err)
	}
	if err := os.Remove(f.WeightsOf(0)); err != nil {
		t.Fatal(err)
	}
	if _, err := tries(c, dir); err == nil || !strings.Contains(err.Error(), "000000.weights is gone") {
		t.Errorf("without what it began with: %v", err)
	}
	// The weights that it was grown from make it again, and others do not.
	if err := w.Save(small); err != nil {
		t.Fatal(err)
	}
	runs(t, c, dir)
	if again := loaded(t, dir, "000000"); again.EvalID() != first.EvalID() {
		t.Error("the network that it began with was made again as another")
	}
	if err := errors.Join(os.Remove(f.WeightsOf(0)), net.New(w.Arch, 99).Save(small)); err != nil {
		t.Fatal(err)
	}
	if _, err := tries(c, dir); err == nil || !strings.Contains(err.Error(), "grown from those of evaluation id "+w.EvalID()) {
		t.Errorf("with other weights in their place: %v", err)
	}
}

func TestABeginningThatCannotBe(t *testing.T) {
	c := shortConfig(t)
	other := c.Net
	other.Blocks, other.Width = 2, 32
	path := filepath.Join(t.TempDir(), "large.weights")
	if err := net.New(other, 1).Save(path); err != nil {
		t.Fatal(err)
	}
	for start, want := range map[string]string{
		path:                               "start: " + path + ": net.blocks is 1, but the network to begin with has 2, and a network only grows; use 2 or more\nnet.width is 16,",
		filepath.Join(t.TempDir(), "none"): `none" is neither a weights file nor a run's folder`,
		t.TempDir():                        "is a folder, but not a run's",
	} {
		if err := begins(c, t.TempDir(), start, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", start, err, want)
		}
	}
	if err := begins(c, t.TempDir(), "", t.TempDir()); err == nil || !strings.Contains(err.Error(), "no games of a run in it") {
		t.Errorf("no games: %v", err)
	}
	bad := t.TempDir()
	if err := os.WriteFile(datasets.GenerationFile(bad, 1), []byte("PAR1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := begins(c, t.TempDir(), "", bad); err == nil || !strings.Contains(err.Error(), "gen-000001.parquet") {
		t.Errorf("bad games: %v", err)
	}
	if _, err := os.Stat(datasets.GenerationFile(bad, 1)); err != nil {
		t.Error("another run's file was moved")
	}
}
