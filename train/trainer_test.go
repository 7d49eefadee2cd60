package train

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synochess/net"
	"synochess/net/kernels"
)

// stateBytes is what a checkpoint of the trainer holds.
func stateBytes(tb testing.TB, t *Trainer) []byte {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "c")
	if err := t.Save(path); err != nil {
		tb.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func TestSameOnAnyNumberOfThreads(t *testing.T) {
	samples := knownSamples(t, 1, 400)
	c := testConfig()
	c.Batch = 40
	var want []byte
	var wantAveraged string
	for _, threads := range []int{1, 2, 3} {
		tr := newTrainer(t, c, threads)
		steps(t, tr, samples, 12)
		w, err := tr.Averaged(samples)
		if err != nil {
			t.Fatal(err)
		}
		got := stateBytes(t, tr)
		if want == nil {
			want, wantAveraged = got, w.EvalID()
		}
		if !bytes.Equal(got, want) || w.EvalID() != wantAveraged {
			t.Errorf("%d threads give other weights than 1", threads)
		}
	}
}

func TestResume(t *testing.T) {
	for _, kind := range []string{AdamW, SGD} {
		t.Run(kind, func(t *testing.T) {
			c := testConfig()
			c.Optimizer = kind
			samples := knownSamples(t, 1, 400)
			whole := newTrainer(t, c, 1)
			steps(t, whole, samples, 30)

			path := filepath.Join(t.TempDir(), "checkpoint")
			part := newTrainer(t, c, 1)
			steps(t, part, samples, 13)
			// Looking at the averaged weights between steps must leave no trace.
			w, err := part.Averaged(samples)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := part.Measure(w, samples[:50]); err != nil {
				t.Fatal(err)
			}
			if err := part.Save(path); err != nil {
				t.Fatal(err)
			}
			resumed, err := Load(path, c, smallArch(), kernels.Best(), 2)
			if err != nil {
				t.Fatal(err)
			}
			defer resumed.Close()
			if resumed.Steps() != 13 {
				t.Errorf("resumed at step %d, want 13", resumed.Steps())
			}
			steps(t, resumed, samples, 17)
			steps(t, part, samples, 17)
			want := stateBytes(t, whole)
			if !bytes.Equal(stateBytes(t, resumed), want) {
				t.Error("the resumed trainer has other weights than the one that was not interrupted")
			}
			if !bytes.Equal(stateBytes(t, part), want) {
				t.Error("measuring and saving changed the weights")
			}
		})
	}
}

func TestBadCheckpoints(t *testing.T) {
	c := testConfig()
	tr := newTrainer(t, c, 1)
	good := stateBytes(t, tr)
	other, sgd := smallArch(), c
	other.Width++
	sgd.Optimizer = SGD
	flip := func(at int) []byte {
		b := bytes.Clone(good)
		b[at] ^= 1
		return b
	}
	for _, k := range []struct {
		name string
		data []byte
		c    Config
		arch net.Arch
		want string
	}{
		{"empty", nil, c, smallArch(), "not a checkpoint"},
		{"foreign", []byte(strings.Repeat("PAR1", 20)), c, smallArch(), "not a checkpoint"},
		{"newer", flip(len(checkpointMagic) + 1), c, smallArch(), "version"},
		{"cut off", good[:len(good)-5], c, smallArch(), "checksum"},
		{"flipped bit", flip(len(good) / 2), c, smallArch(), "checksum"},
		{"architecture", good, c, other, "architecture"},
		{"optimizer", good, sgd, smallArch(), "optimizer"},
	} {
		t.Run(k.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "checkpoint")
			if err := os.WriteFile(path, k.data, 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := Load(path, k.c, k.arch, kernels.Best(), 1)
			if err == nil || !strings.Contains(err.Error(), k.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v, want one with the path and %q", err, k.want)
			}
		})
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none"), c, smallArch(), kernels.Best(), 1); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// TestAveragedStatistics: averaged weights are other weights, and the last batch norms' statistics do
// not fit them. Losses of several networks are added up, because those of one are a matter of luck.
func TestAveragedStatistics(t *testing.T) {
	c := testConfig()
	c.LearningRate, c.FinalRate, c.WarmupSteps, c.Average = 0.03, 1, 0, 0.99
	samples, unseen := knownSamples(t, 1, 1000), knownSamples(t, 2, 200)
	var estimated, stale float64
	for seed := range uint64(4) {
		tr, err := New(c, net.New(smallArch(), seed), kernels.Best(), 2)
		if err != nil {
			t.Fatal(err)
		}
		steps(t, tr, samples, 12)
		averaged, err := tr.Averaged(samples)
		if err != nil {
			t.Fatal(err)
		}
		current, err := tr.Weights()
		if err != nil {
			t.Fatal(err)
		}
		forgotten := averaged.Clone()
		for _, s := range forgotten.Tensors {
			if strings.HasSuffix(s.Name, ".mean") || strings.HasSuffix(s.Name, ".var") {
				copy(s.Data, current.Tensor(s.Name).Data)
			}
		}
		if forgotten.EvalID() == averaged.EvalID() {
			t.Fatal("the statistics were not estimated again")
		}
		for w, sum := range map[*net.Weights]*float64{averaged: &estimated, forgotten: &stale} {
			l, err := tr.Measure(w, unseen)
			if err != nil {
				t.Fatal(err)
			}
			*sum += l.Policy + l.Value
		}
		if _, err := tr.Averaged(samples[:c.Batch-1]); err == nil {
			t.Error("statistics were estimated on less than a batch")
		}
		tr.Close()
	}
	if stale < 1.5*estimated {
		t.Errorf("losses %.3f with estimated statistics, %.3f with stale ones; they should matter", estimated, stale)
	}
}

func TestNotFinite(t *testing.T) {
	for _, k := range []struct {
		name   string
		poison func(tr *Trainer, s *Sample)
		want   string
	}{
		{"a target", func(_ *Trainer, s *Sample) { s.WDL[1] = float32(math.NaN()) }, `"target.value"`},
		{"a weight", func(tr *Trainer, _ *Sample) {
			floats(tr.graph.Params()[2].Value())[0] = float32(math.Inf(1))
		}, `"stem.bn.scale"`},
		{"the step", func(tr *Trainer, _ *Sample) { tr.cfg.LearningRate = 1e39 }, "not finite after the step"},
		{"the remedy", func(tr *Trainer, _ *Sample) { tr.cfg.LearningRate = 1e39 }, "(loss of step 3: "},
		{"the setting", func(tr *Trainer, _ *Sample) { tr.cfg.LearningRate = 1e39 }, "take a smaller train.learning_rate (now 1e+39)"},
	} {
		t.Run(k.name, func(t *testing.T) {
			tr := newTrainer(t, testConfig(), 1)
			samples := knownSamples(t, 1, 200)
			steps(t, tr, samples, 3)
			path := filepath.Join(t.TempDir(), "checkpoint")
			k.poison(tr, samples[5])
			samples[5].Game = 4711
			_, err := tr.Step(samples[:16], 0)
			if err == nil || !strings.Contains(err.Error(), k.want) || !strings.Contains(err.Error(), "4711") {
				t.Fatalf("error %v, want one with %s and game 4711", err, k.want)
			}
			_, stepErr := tr.Step(knownSamples(t, 3, 16), 0)
			_, weightsErr := tr.Weights()
			_, averagedErr := tr.Averaged(samples)
			for _, err := range []error{stepErr, weightsErr, averagedErr, tr.Save(path)} {
				if err == nil {
					t.Error("a broken trainer went on")
				}
			}
			if _, err := os.Stat(path); err == nil {
				t.Error("a broken trainer wrote a checkpoint")
			}
		})
	}
}

// Weights that are finite and whose outputs are not must not become the next network.
func TestAveragedIsFinite(t *testing.T) {
	tr := newTrainer(t, testConfig(), 1)
	samples := knownSamples(t, 1, 200)
	steps(t, tr, samples, 3)
	for i, p := range tr.graph.Params() {
		if strings.HasPrefix(paramName(p), "value.fc") && strings.HasSuffix(paramName(p), ".weight") {
			for j := range tr.average[i] {
				tr.average[i][j] *= 1e30
			}
		}
	}
	_, err := tr.Averaged(samples)
	if err == nil || !strings.Contains(err.Error(), "after step 3") || !strings.Contains(err.Error(), "averaged weights") || !strings.Contains(err.Error(), "smaller train.learning_rate") {
		t.Fatalf("error %v", err)
	}
	if err := tr.Save(filepath.Join(t.TempDir(), "checkpoint")); err == nil {
		t.Error("a trainer whose averaged weights are not finite wrote a checkpoint")
	}
}

func TestShortBatch(t *testing.T) {
	tr := newTrainer(t, testConfig(), 1)
	before := stateBytes(t, tr)
	if _, err := tr.Step(knownSamples(t, 1, 15), 0); err == nil {
		t.Error("15 samples were trained as a batch of 16")
	}
	if !bytes.Equal(stateBytes(t, tr), before) {
		t.Error("a refused batch changed the weights")
	}
}

func TestMetrics(t *testing.T) {
	c := testConfig()
	c.ValueWeight = 0.5
	tr := newTrainer(t, c, 1)
	samples := knownSamples(t, 1, 16)
	for i, s := range samples {
		if i%2 == 0 {
			s.PolicyWeight = 0
		}
	}
	samples[1].ValueWeight = 0
	m, err := tr.Step(samples, 0)
	if err != nil {
		t.Fatal(err)
	}
	if m.Step != 1 || m.Samples != 16 || m.PolicySamples != 8 || m.ValueSamples != 15 || m.GradNorm <= 0 {
		t.Errorf("%+v", m)
	}
	if want := c.LearningRate / 5; math.Abs(m.LearningRate-want) > 1e-12 {
		t.Errorf("rate %v in the first of 5 warm-up steps, want %v", m.LearningRate, want)
	}
	// An untrained network knows next to nothing: the uniform policy's loss and entropy, ln 3 for the value.
	var uniform float64
	for i := 1; i < 16; i += 2 {
		uniform += math.Log(float64(len(samples[i].Moves))) / 8
	}
	if math.Abs(m.Policy-uniform) > 0.05 || math.Abs(m.Entropy-uniform) > 0.05 || math.Abs(m.Value-math.Log(3)) > 0.05 {
		t.Errorf("losses %v and %v, entropy %v; want about %v, ln 3, %v", m.Policy, m.Value, m.Entropy, uniform, uniform)
	}
	if want := m.Policy*8/16 + 0.5*m.Value*15/16; math.Abs(m.Loss-want) > 1e-6 {
		t.Errorf("loss %v, want %v", m.Loss, want)
	}
}
