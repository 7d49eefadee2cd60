package loop

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
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
