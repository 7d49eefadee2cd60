package train

import (
	"math/rand/v2"
	"testing"

	"synochess/env"
	"synochess/env/encode"
	"synochess/net"
	"synochess/net/kernels"
)

// smallArch is a network that learns in moments.
func smallArch() net.Arch {
	return net.Arch{Blocks: 1, Width: 8, ValueChannels: 2, ValueHidden: 8}.Complete()
}

// validConfig returns settings that learn.
func validConfig() Config {
	return Config{
		Batch: 256, Passes: 4,
		Optimizer: AdamW, LearningRate: 2e-3, WarmupSteps: 100, Schedule: Linear, FinalRate: 0.2, Momentum: 0.9,
		WeightDecay: 0.01, ClipNorm: 4,
		Average: 0.99, BNBatches: 16,
		ValueWeight: 1, Discount: 0.995, QWeight: 0,
		HeldOut: 0.03,
	}
}

func testConfig() Config {
	c := validConfig()
	c.Batch, c.WarmupSteps, c.BNBatches = 16, 5, 4
	return c
}

// knownSamples makes samples of random positions with a known answer: play the legal move whose policy
// index is lowest; the game is won by the side to move if that is the Western army, else lost.
func knownSamples(tb testing.TB, seed uint64, n int) []*Sample {
	tb.Helper()
	r, err := env.Builtin("moddable")
	if err != nil {
		tb.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	b := encode.NewBatch()
	var samples []*Sample
	for number := uint64(1); len(samples) < n; number++ {
		g := env.NewGame(r, r.StartPosition())
		for !g.Outcome().Over() && len(samples) < n && g.Ply() < 60 {
			s := &Sample{Game: number, Ply: g.Ply()}
			s.setInputs(b, g)
			best := 0
			for i, m := range s.Moves {
				if m < s.Moves[best] {
					best = i
				}
			}
			s.Policy = make([]float32, len(s.Moves))
			s.Policy[best], s.PolicyWeight, s.ValueWeight = 1, 1, 1
			s.WDL[2*int(g.Position().SideToMove())] = 1
			samples = append(samples, s)
			g.PlayRandom(rng)
		}
	}
	rng.Shuffle(n, func(i, j int) { samples[i], samples[j] = samples[j], samples[i] })
	return samples
}

func newTrainer(tb testing.TB, c Config, threads int) *Trainer {
	tb.Helper()
	t, err := New(c, net.New(smallArch(), 1), kernels.Best(), threads)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { t.Close() })
	return t
}

// steps trains on consecutive batches, going round.
func steps(tb testing.TB, t *Trainer, samples []*Sample, n int) (last Metrics) {
	tb.Helper()
	for range n {
		at := t.Steps() * t.cfg.Batch % (len(samples) - t.cfg.Batch + 1)
		m, err := t.Step(samples[at:at+t.cfg.Batch], float64(t.Steps())/150)
		if err != nil {
			tb.Fatal(err)
		}
		last = m
	}
	return last
}

// TestLearns is the tiny task with a known answer: on positions never trained on, the network says who
// wins and names the move.
func TestLearns(t *testing.T) {
	for _, kind := range []string{AdamW, SGD} {
		t.Run(kind, func(t *testing.T) {
			c := testConfig()
			c.Optimizer = kind
			c.LearningRate = map[string]float64{AdamW: 5e-3, SGD: 0.1}[kind]
			tr := newTrainer(t, c, 2)
			samples, unseen := knownSamples(t, 1, 2000), knownSamples(t, 2, 300)
			steps(t, tr, samples, 150)
			w, err := tr.Averaged(samples)
			if err != nil {
				t.Fatal(err)
			}
			l, err := tr.Measure(w, unseen)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%+v", l)
			if l.ValueAccuracy < 0.99 || l.PolicyAccuracy < 0.75 {
				t.Errorf("value accuracy %.3f, policy accuracy %.3f; want .99 and .75", l.ValueAccuracy, l.PolicyAccuracy)
			}
		})
	}
}
