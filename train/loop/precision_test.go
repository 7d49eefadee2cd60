package loop

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"synochess/datasets"
	"synochess/env"
	"synochess/env/encode"
	"synochess/internal/progress"
	"synochess/net"
	"synochess/net/fast"
	"synochess/net/graph"
	"synochess/net/kernels"
	"synochess/selfplay"
	"synochess/selfplay/netagent"
	"synochess/train"
)

func TestPrecisionIsValidated(t *testing.T) {
	for _, c := range []struct {
		precision fast.Precision
		width     int
		want      string
	}{
		{fast.Float32, 16, ""}, {fast.Float32, 24, ""}, {fast.Auto, 16, ""}, {fast.Auto, 24, ""}, {fast.Int16, 16, ""}, {fast.Int16, 48, ""},
		{fast.Int16, 24, "multiple of 16"}, {"", 16, "use auto, float32 or int16"}, {"int8", 16, "use auto, float32 or int16"},
	} {
		cfg := smallConfig(t)
		cfg.Precision, cfg.Net.Width = c.precision, c.width
		err := cfg.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, width %d: error %v, want %q", c.precision, c.width, err, c.want)
		}
	}
}

// Auto is a precision that can run, and int16 only where that is not slower: never on plain Go.
func TestAutoPrecision(t *testing.T) {
	want16 := fast.Float32
	if q, err := kernels.Best().Quantised(); err == nil && q != kernels.Portable {
		want16 = fast.Int16
	}
	for width, want := range map[int]fast.Precision{16: want16, 64: want16, 24: fast.Float32, 8: fast.Float32} {
		if got := fast.Auto.For(kernels.Best(), net.Arch{Width: width}); got != want {
			t.Errorf("width %d: %s, want %s", width, got, want)
		}
	}
	for _, p := range fast.Precisions {
		if got := p.For(kernels.Best(), net.Arch{Width: 16}); got != p {
			t.Errorf("%s became %s", p, got)
		}
	}
	if got := fast.Auto.For(kernels.Portable, net.Arch{Width: 64}); got != fast.Float32 {
		t.Errorf("in plain Go: %s", got)
	}
	cfg := smallConfig(t)
	cfg.Precision = fast.Auto
	dir := filepath.Join(t.TempDir(), "r")
	o := options(dir, 1, progress.Silent())
	o.Machine.Kernels = kernels.Portable
	if _, err := Run(t.Context(), cfg, o); err != nil {
		t.Fatal(err)
	}
	games, err := datasets.OpenFile(datasets.GenerationFile(filepath.Join(dir, "games"), 1))
	if err != nil {
		t.Fatal(err)
	}
	defer games.Close()
	group, err := games.Group(0)
	if err != nil || group[0].KernelPath != "portable" {
		t.Errorf("games on %s, %v", group[0].KernelPath, err)
	}
}

func moddable(t *testing.T) *selfplay.RuleSource {
	t.Helper()
	rules, err := selfplay.NewRuleSource([]selfplay.RuleEntry{{Name: "moddable", Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// Id and kernel path must be those of the evaluator that plays.
func TestNetworkAgentPlaysInItsPrecision(t *testing.T) {
	cfg := smallConfig(t)
	w := net.New(cfg.Net, 3)
	for _, p := range fast.Precisions {
		if err := netagent.Calibrate(kernels.Best(), w, p, moddable(t)); err != nil {
			t.Fatal(err)
		}
		a := netagent.New(kernels.Best(), w, p, cfg.Search)
		ev, err := a.NewEvaluator()
		if err != nil {
			t.Fatal(err)
		}
		if path, err := p.KernelPath(kernels.Best()); err != nil || ev.KernelPath() != path || ev.ID() != a.EvalID || a.EvalID == "" {
			t.Errorf("%s: evaluator %s on %s, agent %s, precision's path %s", p, ev.ID(), ev.KernelPath(), a.EvalID, path)
		}
	}
	if fast.Int16.ID(w) == fast.Float32.ID(w) {
		t.Error("both precisions have one evaluation id")
	}
	a := netagent.New(kernels.Best(), net.New(cfg.Net, 4), fast.Int16, cfg.Search)
	games := selfplay.Generation{Config: cfg.SelfPlay, Rules: moddable(t), Games: 1}
	err := selfplay.Play(context.Background(), []selfplay.Agent{a}, 1, 1, selfplay.Stamp{}, games.Tasks(),
		func(*datasets.Game, int) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "not calibrated for int16") {
		t.Errorf("weights that are not calibrated: error %v", err)
	}
}

// Calibrating on samples must measure the positions themselves: the limits are those of a batch of them.
func TestCalibrateOnTheLastSamples(t *testing.T) {
	b, last := encode.NewBatch(), encode.NewBatch()
	var samples []*train.Sample
	n := 0
	err := moddable(t).RandomPositions(netagent.CalibrationPositions+40, func(g *env.Game) {
		to := last
		if n++; n <= 40 {
			to = encode.NewBatch()
		}
		encode.AppendRow(to, g.Rules(), g.Position(), g.Repetitions(), g.LegalMoves())
		b.Reset()
		encode.AppendRow(b, g.Rules(), g.Position(), g.Repetitions(), g.LegalMoves())
		samples = append(samples, &train.Sample{Example: graph.Example{Row: b.Row(0).Clone()}})
	})
	if err != nil {
		t.Fatal(err)
	}
	arch := smallConfig(t).Net
	got, want := net.New(arch, 3), net.New(arch, 3)
	if err := calibrateOn(kernels.Best(), fast.Int16, got, samples); err != nil {
		t.Fatal(err)
	}
	if err := fast.Calibrate(kernels.Best(), want, last); err != nil {
		t.Fatal(err)
	}
	if got.QuantisedID() != want.QuantisedID() || got.Quantisation().Positions != netagent.CalibrationPositions {
		t.Errorf("%d positions, id %s, want %s", got.Quantisation().Positions, got.QuantisedID(), want.QuantisedID())
	}
}
