package loop

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"synochess/datasets"
	"synochess/env"
	"synochess/env/encode"
	"synochess/mcts"
	"synochess/net"
	"synochess/net/fast"
	"synochess/net/kernels"
	"synochess/selfplay"
	"synochess/selfplay/netagent"
)

// BenchmarkSelfPlay plays the games of the quick configuration on one worker, with networks of three sizes in
// both precisions, and tells the processor time that goes elsewhere than into the network: search, rules,
// records, garbage collection. An operation is 1,000 evaluations; the games, and so the work, are the same
// in every run:
//
//	go test ./train/loop -run '^$' -bench SelfPlay -benchtime 100x
func BenchmarkSelfPlay(b *testing.B) {
	for _, n := range []struct {
		name          string
		blocks, width int
	}{{"quick", 2, 32}, {"S", 4, 48}, {"M", 6, 64}} {
		w := benchWeights(b, net.Arch{Blocks: n.blocks, Width: n.width, ValueChannels: 8, ValueHidden: 64})
		for _, p := range fast.Precisions {
			b.Run(fmt.Sprintf("%s/%s", n.name, p), func(b *testing.B) {
				m := &shareMeter{until: warmUp + 1000*b.N}
				m.play(b, netagent.New(kernels.Best(), w, p, benchSearch()))
				m.report(b)
			})
		}
	}
	b.Run("material", func(b *testing.B) {
		m := &shareMeter{until: warmUp + 1000*b.N}
		m.play(b, selfplay.Greedy(benchSearch()))
		m.report(b)
	})
}

// warmUp is how many evaluations are not measured: in them the first games get apart and memory grows.
const warmUp = 30_000

func benchSearch() mcts.Config {
	c := mcts.ReferenceConfig()
	c.MaxNodes = 4096
	return c
}

// benchWeights returns an untrained network that prefers some moves to others, calibrated for int16.
func benchWeights(b *testing.B, arch net.Arch) *net.Weights {
	w := net.New(arch, 1)
	for _, name := range []string{"policy.weight", "value.fc2.weight"} {
		data := w.Tensor(name).Data
		for i := range data {
			data[i] *= 50
		}
	}
	rules, err := env.Builtin("moddable")
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	rows := encode.NewBatch()
	for g := env.NewGame(rules, rules.StartPosition()); rows.Len() < 256; {
		if g.Outcome().Over() {
			g = env.NewGame(rules, rules.StartPosition())
		}
		encode.AppendRow(rows, rules, g.Position(), g.Repetitions(), g.LegalMoves())
		g.PlayRandom(rng)
	}
	if err := fast.Calibrate(kernels.Best(), w, rows); err != nil {
		b.Fatal(err)
	}
	return w
}

// shareMeter is an evaluator that counts rows and the processor time of the network within, and ends
// self-play when enough are evaluated.
type shareMeter struct {
	mcts.Evaluator
	until   int           // rows after which it stops
	rows    int           // evaluated
	network time.Duration // of the evaluations after the warm-up
	total   time.Duration // of the whole process, at the end of the warm-up; afterwards since then
}

var errEnough = errors.New("enough is evaluated")

func (m *shareMeter) Evaluate(rows *encode.Batch) error {
	if m.rows < warmUp && m.rows+rows.Len() >= warmUp {
		m.network, m.total = 0, processorTime(unix.CLOCK_PROCESS_CPUTIME_ID)
	}
	if m.rows >= m.until {
		m.total = processorTime(unix.CLOCK_PROCESS_CPUTIME_ID) - m.total
		return errEnough
	}
	m.rows += rows.Len()
	start := processorTime(unix.CLOCK_THREAD_CPUTIME_ID)
	err := m.Evaluator.Evaluate(rows)
	m.network += processorTime(unix.CLOCK_THREAD_CPUTIME_ID) - start
	return err
}

// processorTime reads a clock of Linux.
func processorTime(clock int32) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(clock, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}

// play plays as in the quick configuration until enough is evaluated.
func (m *shareMeter) play(b *testing.B, agent *selfplay.Searcher) {
	rules, err := selfplay.NewRuleSource([]selfplay.RuleEntry{{Name: "moddable", Weight: 1}})
	if err != nil {
		b.Fatal(err)
	}
	inner := agent.NewEvaluator
	agent.NewEvaluator = func() (mcts.Evaluator, error) {
		runtime.LockOSThread() // of the worker, which ends with the games
		m.Evaluator, err = inner()
		return m, err
	}
	games := selfplay.Generation{
		Config: selfplay.Config{
			Seats: 12, FullVisits: 64, CheapVisits: 16, FullProbability: 0.25, SampledPlies: 8, PlyLimit: 300,
			SoftValue: 0.95, SoftPlies: 6, SoftFull: 0.1, SoftWeight: 0.25,
		},
		Rules: rules, RunSeed: 1, Games: 1 << 30,
	}
	err = selfplay.Play(context.Background(), []selfplay.Agent{agent}, 1, games.Config.Seats, selfplay.Stamp{}, games.Tasks(),
		func(*datasets.Game, int) error { return nil })
	if !errors.Is(err, errEnough) {
		b.Fatal(err)
	}
}

// report says how fast it was, and where the time went.
func (m *shareMeter) report(b *testing.B) {
	n := float64(m.until - warmUp)
	outside := m.total - m.network
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(n/m.total.Seconds(), "evals/cpu-s")
	b.ReportMetric(outside.Seconds()*1e6/n, "µs-outside/eval")
	b.ReportMetric(100*outside.Seconds()/m.total.Seconds(), "%-outside")
}
