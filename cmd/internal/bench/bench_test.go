package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"synochess/configs"
	"synochess/net"
	"synochess/net/fast"
	"synochess/net/kernels"
)

// scripted is a contender whose rounds take the given seconds; the first two are the warm-up.
func scripted(name string, rival bool, log *[]string, seconds ...float64) contender {
	return contender{name: name, rival: rival, clock: CPU, run: func(n int) (float64, error) {
		*log = append(*log, name)
		s := seconds[0]
		if len(seconds) > 1 {
			seconds = seconds[1:]
		}
		return s * float64(n), nil
	}}
}

func TestContestTakesTurnsAndMedians(t *testing.T) {
	var log []string
	c := contest{group: "g", name: "n", unit: "u/s", units: 10, budget: time.Hour, contenders: []contender{
		scripted("ours", false, &log, 1, 1, 2, 1, 4, 1, 2, 1, 1, 1), // the warm-up is the first
		scripted("rival", true, &log, 3),
	}}
	results, err := c.run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(log, " "); got != strings.TrimSpace(strings.Repeat("ours rival ", 1+maxRounds)) {
		t.Errorf("order of turns: %s", got)
	}
	own, rival := results[0], results[1]
	// A slice is a tenth of a second, so each turn is one run of the work.
	if own.Rate != 10 || own.Low != 2.5 || own.High != 10 || len(own.Rounds) != maxRounds || own.Rounds[3] != 2.5 || math.Abs(rival.Rate-10.0/3) > 1e-9 {
		t.Errorf("results: %+v", results)
	}
	if len(own.Ratios) != 1 || own.Ratios[0].To != "rival" || math.Abs(own.Ratios[0].Times-3) > 1e-9 || rival.Ratios != nil {
		t.Errorf("ratios: %+v", results)
	}
}

func TestContestKeepsToItsBudget(t *testing.T) {
	c := contest{budget: 10 * time.Second}
	for _, x := range []struct {
		rounds int
		spent  time.Duration
		want   bool
	}{
		{0, time.Hour, true}, {1, 4 * time.Second, true}, {1, 11 * time.Second, false}, {1, 9 * time.Second, true},
		{5, 15 * time.Second, true}, {5, 17 * time.Second, false}, {6, 9 * time.Second, false}, {8, 8 * time.Second, true}, {9, time.Second, false},
	} {
		if got := c.more(x.rounds, x.spent); got != x.want {
			t.Errorf("after %d rounds in %v: %v", x.rounds, x.spent, got)
		}
	}
	failing := contest{group: "g", name: "n", contenders: []contender{{name: "bad", run: func(int) (float64, error) { return 0, errors.New("broken") }}}}
	if _, err := failing.run(context.Background()); err == nil || !strings.Contains(err.Error(), "g n: bad: broken") {
		t.Errorf("error %v", err)
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want float64
	}{{[]float64{3}, 3}, {[]float64{4, 2}, 3}, {[]float64{9, 1, 5}, 5}} {
		if got := median(c.x); got != c.want {
			t.Errorf("median of %v is %v", c.x, got)
		}
	}
}

func quick(t *testing.T) Options {
	t.Helper()
	c, err := configs.Resolve("quick", []string{
		"net.blocks=1", "net.width=8", "selfplay.full_visits=8", "selfplay.cheap_visits=2", "selfplay.ply_limit=30"})
	if err != nil {
		t.Fatal(err)
	}
	return Options{Config: &c.Run, Kernels: kernels.Best(), Program: "test", Say: t.Logf}
}

func newSession(o Options) *session {
	return &session{Options: o, ctx: context.Background(), report: Report{Program: o.Program, Machine: thisMachine()}}
}

// The groups run and end up in table and file.
func TestRun(t *testing.T) {
	o := quick(t)
	o.Only = []string{"rules", "data"}
	r, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Behaviour.Same || len(r.Results) != 6 {
		t.Errorf("report %+v", r)
	}
	checkBenchmarks(t, r)
	var table bytes.Buffer
	if err := r.Table(&table); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bench.json")
	if err := r.Save(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	for i, res := range r.Results {
		if !(res.Rate > 0) || len(res.Rounds) < 1 || back.Results[i].Rate != res.Rate || !strings.Contains(table.String(), res.Name) {
			t.Errorf("result %+v, in the file %+v, table:\n%s", res, back.Results[i], table.String())
		}
	}
}

// Both precisions take part, named by their kernel paths, where the width allows it.
func TestForwardMeasuresBothPrecisions(t *testing.T) {
	for width, want := range map[int][]fast.Precision{8: {fast.Float32}, 16: {fast.Float32, fast.Int16}} {
		o := quick(t)
		o.Config.Net.Width = width
		s := newSession(o)
		n := s.networks()[0]
		w, err := n.calibrated(s.Kernels)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.forwardBatch(n, w, s.precisions(n.arch), nil, 1); err != nil {
			t.Fatal(err)
		}
		checkBenchmarks(t, &s.report)
		if len(s.report.Results) != len(want) {
			t.Fatalf("width %d: results %+v", width, s.report.Results)
		}
		for i, p := range want {
			path, err := p.KernelPath(s.Kernels)
			if r := s.report.Results[i]; err != nil || r.Who != ours+" "+path || len(r.Ratios) != i {
				t.Errorf("width %d: result %+v, want kernel path %s", width, r, path)
			}
		}
	}
}

// A precision that the kernel path which the user named has no kernels for is left out, and said to be.
func TestForcedPathWithoutInt16(t *testing.T) {
	best := kernels.Best()
	was := best.Int16
	t.Cleanup(func() { best.Int16 = was })
	best.Int16 = kernels.Arithmetic{}
	t.Setenv(kernels.Variable, best.Float.Name)
	forced, err := kernels.Choose()
	if err != nil {
		t.Fatal(err)
	}
	o := quick(t)
	var said string
	o.Kernels, o.Say = forced, func(format string, args ...any) { said = fmt.Sprintf(format, args...) }
	if got := newSession(o).precisions(net.Arch{Width: 16}); !slices.Equal(got, []fast.Precision{fast.Float32}) || !strings.Contains(said, "left out: kernel path") {
		t.Errorf("precisions %v, said %q", got, said)
	}
}

// Self-play at a table goes on in its turns only.
func TestTableWaitsForItsTurn(t *testing.T) {
	s := newSession(quick(t))
	table, err := s.start(s.networks()[0], fast.Float32, 1, 4, 1<<30, discard)
	if err != nil {
		t.Fatal(err)
	}
	defer table.close()
	time.Sleep(50 * time.Millisecond)
	if n := table.rows.Load(); n != 0 {
		t.Errorf("%d evaluations before the first turn", n)
	}
	seconds, err := table.turn(100)
	if err != nil || !(seconds > 0) {
		t.Fatal(seconds, err)
	}
	n := table.rows.Load()
	time.Sleep(50 * time.Millisecond)
	if table.rows.Load() != n || n == 0 {
		t.Errorf("%d evaluations in the turn, %d after it", n, table.rows.Load()-n)
	}
	if len(table.outside) != 1 || table.outside[0] <= 0 || table.outside[0] >= 100 {
		t.Errorf("%v%% outside the network", table.outside)
	}
}

func TestMisuse(t *testing.T) {
	o := quick(t)
	o.Only = []string{"speed"}
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "speed") {
		t.Errorf("error %v", err)
	}
	o = quick(t)
	o.Torch = filepath.Join(t.TempDir(), "python")
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "--torch") {
		t.Errorf("error %v", err)
	}
	o = quick(t)
	o.Fairy = t.TempDir()
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "npm install --prefix "+o.Fairy) {
		t.Errorf("error %v", err)
	}
}

// TestTorch checks that the script runs the same network. It needs SYNOCHESS_TORCH, a Python with PyTorch.
func TestTorch(t *testing.T) {
	python := os.Getenv("SYNOCHESS_TORCH")
	if python == "" {
		t.Skip("skipped: SYNOCHESS_TORCH does not name a Python with PyTorch (Debian: python3-torch)")
	}
	o := quick(t)
	p, err := startTorch(context.Background(), python, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	s := &session{Options: o, ctx: context.Background(), torch: p}
	n := s.networks()[0]
	w := n.weights()
	if err := p.load(n.name, w); err != nil {
		t.Fatal(err)
	}
	if err := s.forwardBatch(n, w, s.precisions(n.arch), nil, 8); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"block0.conv1.bn.mean", "policy.to.weight"} {
		other := n.weights()
		other.Tensor(name).Data[0] += 3
		if err := p.load(n.name, other); err != nil {
			t.Fatal(err)
		}
		if err := s.forwardBatch(n, w, s.precisions(n.arch), nil, 8); err == nil || !strings.Contains(err.Error(), "same network") {
			t.Errorf("another %s in PyTorch: error %v", name, err)
		}
	}
}
