package loop

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"synochess/datasets"
	"synochess/internal/progress"
	"synochess/net"
	"synochess/net/fast"
	"synochess/net/kernels"
)

// shortConfig is a loop of a second.
func shortConfig(t *testing.T) *Config {
	c := smallConfig(t)
	c.Generations, c.Games, c.Train.Batch, c.Proof.Openings = 1, 10, 16, 1
	return c
}

// runs runs c in dir and returns what was said.
func runs(t *testing.T, c *Config, dir string) string {
	t.Helper()
	said, err := tries(c, dir)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return said
}

func tries(c *Config, dir string) (said string, err error) {
	var out bytes.Buffer
	_, err = Run(context.Background(), c, options(dir, 2, progress.NewLines(&out, time.Hour, time.Now)))
	return out.String(), err
}

// refused checks that a run does not go on, says why, and leaves its files alone.
func refused(t *testing.T, c *Config, dir, want string) {
	t.Helper()
	before := digest(t, dir)
	said, err := tries(c, dir)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q\n%s", err, want, said)
	}
	if digest(t, dir) != before {
		t.Error("a refused run has changed")
	}
}

func contains(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// A finished run goes on with more generations, its proof is that of the new last one, and its history tells. Doing so
// after an interruption, or in another folder, gives the same bytes.
func TestAFinishedRunGoesOn(t *testing.T) {
	c := shortConfig(t)
	dir, other := t.TempDir(), t.TempDir()
	runs(t, c, dir)
	first, err := ReadProof(datasets.RunFolder(dir))
	if err != nil || first.Generation != 1 {
		t.Fatal(first, err)
	}
	c.Generations = 2
	contains(t, runs(t, c, dir), "going on with generations: 1 -> 2", "the learning rate follows the schedule of 2 generations from here on")
	proof, err := ReadProof(datasets.RunFolder(dir))
	if err != nil || proof.Generation != 2 || proof.Matches[0].ID == first.Matches[0].ID {
		t.Fatalf("the proof is still that of generation 1: %+v, %v", proof, err)
	}
	if games, err := readAll(filepath.Join(dir, "proof", "earlier", "trained-untrained-"+first.Matches[0].ID+".parquet")); err != nil || len(games) != 2 {
		t.Errorf("%d games of the first proof, %v", len(games), err)
	}
	if proof.Matches[2].ID != first.Matches[2].ID {
		t.Error("the untrained network's match against random is another")
	}
	w, err := net.Load(filepath.Join(dir, "weights", "000002.weights"))
	if err != nil {
		t.Fatal(err)
	}
	games, err := readAll(filepath.Join(dir, "proof", "trained-untrained-"+proof.Matches[0].ID+".parquet"))
	if err != nil || len(games) != 2 || games[0].Agents[0].EvalID != w.EvalID() {
		t.Errorf("%d games of the proof, %v", len(games), err)
	}
	legs, err := ReadHistory(datasets.RunFolder(dir))
	if err != nil || len(legs) != 2 || legs[0].From != 1 || legs[1].From != 2 {
		t.Fatalf("history: %+v, %v", legs, err)
	}

	c.Generations = 1
	runs(t, c, other)
	c.Generations = 2
	for after := 1; ; after += 7 {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := Run(ctx, c, options(other, 1, &interrupter{Reporter: progress.Silent(), left: after, cancel: cancel}))
		cancel()
		if err == nil {
			break
		}
		if ctx.Err() == nil {
			t.Fatal(err)
		}
	}
	if got, want := digest(t, other), digest(t, dir); got != want {
		t.Errorf("interrupted, the run that went on holds\n%s\nwant\n%s", got, want)
	}

	c.Generations = 1
	refused(t, c, dir, "has 2 complete ones")
	c.Generations, c.Games = 2, 11
	refused(t, c, dir, "games: 10 -> 11")
	// Another proof is another proof, and needs no other run.
	c.Games, c.Proof.Visits = 10, 4
	contains(t, runs(t, c, dir), "going on with proof.visits: 8 -> 4")
	if again, err := ReadProof(datasets.RunFolder(dir)); err != nil || again.Matches[0].Visits != 4 || again.Matches[0].ID == proof.Matches[0].ID {
		t.Errorf("the proof was not played again: %v", err)
	}
	// Back and forth: what was set aside once is set aside again.
	for _, visits := range []int{8, 4} {
		c.Proof.Visits = visits
		runs(t, c, dir)
	}
}

// A changed list is said on one line.
func TestAChangedListIsOneLine(t *testing.T) {
	c := withAnchors(shortConfig(t))
	c.Anchor.Against = []string{AgainstGreedy}
	var leg yaml.Node
	if err := leg.Encode(c); err != nil {
		t.Fatal(err)
	}
	c.Anchor.Against = append(c.Anchor.Against, AgainstEarlier)
	changed, added, err := changes(&leg, c)
	if err != nil || len(changed) != 1 || len(added) != 0 || changed[0].String() != "anchor.against: [greedy] -> [greedy, earlier]" {
		t.Errorf("changed %v, added %v, %v", changed, added, err)
	}
}

// A run moves to another kernel path, in int16 as in float32, and tells which generation was made where.
func TestARunGoesOnOnAnotherKernelPath(t *testing.T) {
	best := kernels.Best()
	if best == kernels.Portable {
		t.Skip("skipped: this machine has no other kernel path than plain Go")
	}
	here, err := fast.Auto.For(best, net.Arch{Width: 16}).KernelPath(best)
	if err != nil {
		t.Fatal(err)
	}
	c := shortConfig(t)
	c.Precision = fast.Auto
	dir := t.TempDir()
	o := options(dir, 2, progress.Silent())
	o.Machine.Kernels = kernels.Portable
	if _, err := Run(t.Context(), c, o); err != nil {
		t.Fatal(err)
	}
	c.Generations = 2
	contains(t, runs(t, c, dir), "going on on kernel path "+here+", after portable")
	if said := runs(t, c, dir); strings.Contains(said, "going on") {
		t.Errorf("nothing changed, and it said\n%s", said)
	}
	metrics, err := os.ReadFile(filepath.Join(dir, "metrics.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(metrics), `"generation":1,"kernel_path":"portable"`, `"generation":2,"kernel_path":"`+here+`"`)
	for generation, want := range map[uint32]string{1: "portable", 2: here} {
		games, err := readAll(datasets.GenerationFile(filepath.Join(dir, "games"), generation))
		if err != nil || games[0].KernelPath != want {
			t.Errorf("generation %d: %v, %v", generation, games[0].KernelPath, err)
		}
	}
	legs, err := ReadHistory(datasets.RunFolder(dir))
	if err != nil || len(legs) != 2 || legs[0].KernelPath != "portable" || legs[1].KernelPath != here {
		t.Errorf("history: %+v, %v", legs, err)
	}
}

// Weights and checkpoint alone are enough to go on.
func TestARunGoesOnWithoutItsGames(t *testing.T) {
	c := shortConfig(t)
	full, bare := t.TempDir(), t.TempDir()
	runs(t, c, full)
	for _, room := range []string{"weights", "checkpoints"} {
		if err := os.CopyFS(filepath.Join(bare, room), os.DirFS(filepath.Join(full, room))); err != nil {
			t.Fatal(err)
		}
	}
	c.Generations, c.SelfPlay.HandicapProbability = 2, 0.5
	contains(t, runs(t, c, bare), "the games of 1 of 1 earlier generations are not here: the window opens anew")
	text, err := os.ReadFile(filepath.Join(bare, "metrics.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(text), `"kind":"generation","generation":2`)
	if _, err := os.Stat(datasets.GenerationFile(filepath.Join(bare, "games"), 1)); err == nil {
		t.Error("generation 1 was played again")
	}
	// What there is to go on from is not written over: neither a run without its configuration alone ...
	if err := errors.Join(os.Remove(filepath.Join(full, "config.yaml")), os.Remove(filepath.Join(full, "history.yaml"))); err != nil {
		t.Fatal(err)
	}
	refused(t, c, full, "config.yaml is gone")
	// ... nor the trained weights that a run began with.
	started := t.TempDir()
	w := loaded(t, bare, "000002")
	c.Generations, c.Seed = 1, 5
	if err := begins(c, started, bare, ""); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"config.yaml", "history.yaml", "run.json", "proof.json"} {
		if err := os.Remove(filepath.Join(started, name)); err != nil {
			t.Fatal(err)
		}
	}
	runs(t, c, started)
	proof, err := ReadProof(datasets.RunFolder(started))
	if err != nil || proof.Matches[0].Second != "start" || loaded(t, started, "000000").EvalID() != w.EvalID() {
		t.Errorf("the beginning is another: %+v, %v", proof, err)
	}
}

// A damaged file of an earlier generation costs the handicaps its games, and nothing else.
func TestHandicapsWithoutADamagedFile(t *testing.T) {
	c := shortConfig(t)
	c.SelfPlay.HandicapProbability = 0.5
	dir := t.TempDir()
	runs(t, c, dir)
	if err := os.WriteFile(datasets.GenerationFile(filepath.Join(dir, "games"), 1), []byte("PAR1"), 0o644); err != nil {
		t.Fatal(err)
	}
	c.Generations = 2
	contains(t, runs(t, c, dir), "warning: handicaps are fitted to fewer games", "generation 2: 10 games")
}

// A run of before a part of the network was invented says how it goes on: without that part.
func TestARunWithoutASettingOfToday(t *testing.T) {
	c := shortConfig(t)
	dir := t.TempDir()
	runs(t, c, dir)
	for _, name := range []string{"config.yaml", "history.yaml"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		kept := slices.DeleteFunc(strings.SplitAfter(string(text), "\n"), func(line string) bool { return strings.Contains(line, "from_to:") })
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Join(kept, "")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c.Net.FromTo = 16
	refused(t, c, dir, "000000.weights: the weights are of another architecture: net.from_to is 0, in the configuration 16; take theirs with --set net.from_to=0")
	c.Net.FromTo = 0
	contains(t, runs(t, c, dir), "settings that the run did not know so far: net.from_to=0\n")
}
