package loop

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"synochess/datasets"
	"synochess/env"
	"synochess/env/encode"
	"synochess/internal/progress"
	"synochess/mcts"
	"synochess/net"
	"synochess/net/fast"
	"synochess/net/kernels"
	"synochess/selfplay"
	"synochess/selfplay/netagent"
	"synochess/train"
)

// raceRules is a game with a known answer: bare royals in opposite corners, and who reaches the far rank
// first has won. Neither can hinder the other, both need seven steps, so the West, who moves first, wins
// by walking straight on.
const raceRules = `base: moddable
name: race
start: "7k/8/8/8/8/8/8/K7[] w - - 0 1"
faceoff: none
campmate: true
`

// smallConfig is a loop of seconds over the race.
func smallConfig(t *testing.T) *Config {
	t.Helper()
	path := filepath.Join(t.TempDir(), "race.yaml")
	if err := os.WriteFile(path, []byte(raceRules), 0o644); err != nil {
		t.Fatal(err)
	}
	search := mcts.ReferenceConfig()
	search.MaxNodes, search.CacheEntries = 256, 4096
	c := &Config{
		Seed: 11, Generations: 2, Games: 30, Precision: fast.Float32,
		Rules:  []selfplay.RuleEntry{{Name: path, Weight: 1}},
		Net:    net.Arch{Blocks: 1, Width: 16, ValueChannels: 4, ValueHidden: 16},
		Search: search,
		SelfPlay: selfplay.Config{
			Seats: 8, FullVisits: 16, CheapVisits: 6, FullProbability: 0.5, SampledPlies: 4, ForkProbability: 0.2,
			PlyLimit: 60, SoftValue: 1, SoftPlies: 1,
		},
		Window: datasets.WindowConfig{Mode: datasets.WindowFraction, MinPositions: 20000, Fraction: 0.5, Slope: 0.4, Exponent: 0.65, Offset: 50000},
		Train:  trainConfig(),
		Proof:  selfplay.MatchConfig{Openings: 3, Plies: 2, Visits: 8, Seed: 5, Seats: 6},
	}
	c.Train.Batch, c.Train.WarmupSteps, c.Train.BNBatches, c.Train.Average = 32, 10, 2, 0.9
	c.Train.LearningRate, c.Train.HeldOut = 4e-3, 0.1
	return c
}

// trainConfig returns settings of training that learn.
func trainConfig() train.Config {
	return train.Config{
		Batch: 256, Passes: 4,
		Optimizer: train.AdamW, LearningRate: 2e-3, WarmupSteps: 100, Schedule: train.Linear, FinalRate: 0.2, Momentum: 0.9,
		WeightDecay: 0.01, ClipNorm: 4,
		Average: 0.99, BNBatches: 16,
		ValueWeight: 1, Discount: 0.995, HeldOut: 0.03,
	}
}

func options(dir string, workers int, p progress.Reporter) Options {
	return Options{Dir: dir, Program: "test", Machine: Machine{Kernels: kernels.Best(), Workers: workers, Threads: workers}, Progress: p}
}

// TestTheLoopLearnsTheRace is the answer to "a bug, or too little training?": a game whose solution is
// known must be learned from nothing. Another kernel path is like another seed; of four, the least gave a value of
// 0.59 and 0.83 of the policy.
func TestTheLoopLearnsTheRace(t *testing.T) {
	c := smallConfig(t)
	c.Generations, c.Games, c.Proof.Openings = 9, 50, 8
	// The value learned is what self-play makes of the start: where half of a game's plies are left to chance, so is
	// the value.
	c.SelfPlay.SampledPlies, c.SelfPlay.FullVisits, c.SelfPlay.FullProbability = 2, 32, 1
	dir := t.TempDir()
	proof, err := Run(context.Background(), c, options(dir, 2, progress.Silent()))
	if err != nil {
		t.Fatal(err)
	}
	before, _ := assess(t, c, filepath.Join(dir, "weights", "000000.weights"))
	value, forward := assess(t, c, filepath.Join(dir, "weights", fmt.Sprintf("%06d.weights", c.Generations)))
	t.Logf("value of the start for the West %.2f (untrained %.2f), policy on steps forward %.2f; against the untrained network %v",
		value, before, forward, proof.Matches[0].Score)
	if value < 0.4 {
		t.Errorf("the network gives the won start a value of %.2f", value)
	}
	if forward < 0.75 { // two steps of three are forward anyway: 0.67
		t.Errorf("the network puts %.2f of its policy on steps towards the far rank", forward)
	}
	if got := proof.Matches[0].Score.Estimate; got < 0.8 {
		t.Errorf("against the untrained network it scores %.2f", got)
	}
}

// assess returns win - loss of the start for the West and the policy's share of steps forward.
func assess(t *testing.T, c *Config, path string) (value, forward float64) {
	t.Helper()
	rules, err := env.LoadRules(c.Rules[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	w, err := net.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	ev, err := fast.New(kernels.Best(), w)
	if err != nil {
		t.Fatal(err)
	}
	g := env.NewGame(rules, rules.StartPosition())
	b := encode.NewBatch()
	encode.AppendRow(b, rules, g.Position(), 0, g.LegalMoves())
	if err := ev.Evaluate(b); err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i, m := range g.LegalMoves() {
		p := math.Exp(float64(b.Logits[i]))
		sum += p
		if m.To()>>3 > m.From()>>3 {
			forward += p
		}
	}
	forward /= sum
	return float64(b.WDL[0] - b.WDL[2]), forward
}

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
func interrupted(t *testing.T, c *Config) string {
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
		stops++
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
	kernelPath := fast.Int16.KernelPath(kernels.Best())
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

// TestARunGoesOnOnlyWithWhatItBeganWith checks the refusals that protect a run's folder.
func TestARunGoesOnOnlyWithWhatItBeganWith(t *testing.T) {
	c := smallConfig(t)
	c.Generations, c.Games = 1, 10
	dir := t.TempDir()
	if _, err := Run(context.Background(), c, options(dir, 1, progress.Silent())); err != nil {
		t.Fatal(err)
	}
	other := *c
	other.Train.LearningRate *= 2
	if _, err := Run(context.Background(), &other, options(dir, 1, progress.Silent())); err == nil || !strings.Contains(err.Error(), "learning_rate") {
		t.Errorf("another learning rate: %v", err)
	}
	unlock, err := openFolder(datasets.RunFolder(dir))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), c, options(dir, 1, progress.Silent())); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("a folder in use: %v", err)
	}
	unlock()
	if err := os.WriteFile(filepath.Join(dir, "run.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), c, options(dir, 1, progress.Silent())); err == nil || !strings.Contains(err.Error(), "run.json") {
		t.Errorf("a torn run.json: %v", err)
	}
}

// TestADamagedGamesFileIsPlayedAgain breaks the file of a generation that was played but not trained on yet.
func TestADamagedGamesFileIsPlayedAgain(t *testing.T) {
	c := smallConfig(t)
	alone, broken := t.TempDir(), t.TempDir()
	if _, err := Run(context.Background(), c, options(alone, 2, progress.Silent())); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), c, options(broken, 2, progress.Silent())); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(broken, "checkpoints", "000002.ckpt")); err != nil {
		t.Fatal(err)
	}
	games := datasets.GenerationFile(filepath.Join(broken, "games"), 2)
	b, err := os.ReadFile(games)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(games, b[:len(b)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), c, options(broken, 2, progress.Silent())); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(games + ".bad"); err != nil {
		t.Errorf("the damaged file was not set aside: %v", err)
	}
	if got, want := digest(t, broken), digest(t, alone); got != want {
		t.Errorf("after a damaged file the run holds\n%s\nwant\n%s", got, want)
	}
}
