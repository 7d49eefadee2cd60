package loop

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synochess/datasets"
	"synochess/internal/progress"
	"synochess/net"
)

// begins runs c in dir from weights, games or both.
func begins(c *Config, dir string, from *net.Weights, gamesFrom string) error {
	o := options(dir, 2, progress.Silent())
	o.From, o.GamesFrom = from, gamesFrom
	_, err := Run(context.Background(), c, o)
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
		if err := begins(c, dir, w, games); err != nil {
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

	// It goes on by itself, with the same beginning named or not, and with no other.
	if err := os.RemoveAll(first); err != nil {
		t.Fatal(err)
	}
	before := digest(t, both)
	if err := begins(c, both, w, ""); err != nil || digest(t, both) != before {
		t.Errorf("named again: %v", err)
	}
	runs(t, c, both)
	if err := begins(c, both, loaded(t, alone, "000001"), ""); err == nil || !strings.Contains(err.Error(), "began with weights of evaluation id "+w.EvalID()) {
		t.Errorf("other weights: %v", err)
	}
	if err := begins(c, alone, w, ""); err == nil || !strings.Contains(err.Error(), "began with untrained weights") {
		t.Errorf("weights for an untrained run: %v", err)
	}
	if err := begins(c, alone, nil, both); err == nil || !strings.Contains(err.Error(), "began without another run's games") {
		t.Errorf("games for a run without: %v", err)
	}
	if err := begins(c, both, nil, alone); err == nil || !strings.Contains(err.Error(), "began with games of run "+id.Inherited.RunID) {
		t.Errorf("other games: %v", err)
	}
	c.Generations = 2
	runs(t, c, both)
}

func TestABeginningThatCannotBe(t *testing.T) {
	c := shortConfig(t)
	other := c.Net
	other.Blocks, other.Width = 2, 32
	if err := begins(c, t.TempDir(), net.New(other, 1), ""); err == nil ||
		!strings.Contains(err.Error(), "net.blocks is 2, in the configuration 1; net.width is 32, in the configuration 16; take theirs with --set net.blocks=2 --set net.width=32") {
		t.Errorf("another architecture: %v", err)
	}
	encoded := net.New(c.Net, 1)
	encoded.Arch.EncodingVersion = 1
	if err := begins(c, t.TempDir(), encoded, ""); err == nil || !strings.Contains(err.Error(), "net.encoding is 1, in the configuration 2;") {
		t.Errorf("another encoding: %v", err)
	}
	encoded = net.New(c.Net, 1)
	encoded.Arch.Planes++
	if err := begins(c, t.TempDir(), encoded, ""); err == nil || !strings.Contains(err.Error(), "the weights have other inputs") {
		t.Errorf("other inputs: %v", err)
	}
	if err := begins(c, t.TempDir(), nil, t.TempDir()); err == nil || !strings.Contains(err.Error(), "no games of a run in it") {
		t.Errorf("no games: %v", err)
	}
	bad := t.TempDir()
	if err := os.WriteFile(datasets.GenerationFile(bad, 1), []byte("PAR1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := begins(c, t.TempDir(), nil, bad); err == nil || !strings.Contains(err.Error(), "gen-000001.parquet") {
		t.Errorf("bad games: %v", err)
	}
	if _, err := os.Stat(datasets.GenerationFile(bad, 1)); err != nil {
		t.Error("another run's file was moved")
	}
}
