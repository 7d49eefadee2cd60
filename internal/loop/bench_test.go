package loop

import (
	"context"
	"sync/atomic"
	"testing"

	"synochess/datasets"
	"synochess/internal/eval"
	"synochess/mcts"
	"synochess/net"
	"synochess/selfplay"
)

// BenchmarkSelfPlay plays games of the quick configuration on one worker, with the untrained network and
// with an evaluator that costs nothing: the difference is the network.
func BenchmarkSelfPlay(b *testing.B) {
	rules, err := selfplay.NewRuleSource([]selfplay.RuleEntry{{Name: "moddable", Weight: 1}})
	if err != nil {
		b.Fatal(err)
	}
	w := net.New(net.Arch{Blocks: 2, Width: 32, ValueChannels: 8, ValueHidden: 64}, 1)
	search := mcts.DefaultConfig()
	search.MaxNodes = 4096
	for _, c := range []struct {
		name  string
		agent *selfplay.Searcher
	}{{"network", NetworkAgent(w, Float32, search)}, {"material", GreedyAgent(search)}} {
		b.Run(c.name, func(b *testing.B) {
			var n atomic.Int64
			inner := c.agent.NewEvaluator
			agent := *c.agent
			agent.NewEvaluator = func() (eval.Evaluator, error) {
				ev, err := inner()
				return counting{ev, &n}, err
			}
			games := selfplay.Generation{
				Config: selfplay.Config{Seats: 24, FullVisits: 64, CheapVisits: 16, FullProbability: 0.25, SampledPlies: 8, PlyLimit: 100, SoftValue: 1, SoftPlies: 1},
				Rules:  rules, Games: b.N,
			}
			err := selfplay.Play(context.Background(), []selfplay.Agent{&agent}, 1, 24, selfplay.Stamp{}, games.Tasks(),
				func(*datasets.Game, int) error { return nil })
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(n.Load())/b.Elapsed().Seconds(), "evals/s")
		})
	}
}
