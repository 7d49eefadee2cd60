package netagent

import (
	"fmt"
	"testing"

	"synochess/env"
	"synochess/mcts"
	"synochess/net"
	"synochess/net/fast"
	"synochess/net/kernels"
)

// BenchmarkCrew searches the start position with one hand and with two, with batches of two sizes. An operation is a
// simulation:
//
//	go test ./selfplay/netagent -run '^$' -bench Crew -benchtime 40000x
func BenchmarkCrew(b *testing.B) {
	rules, err := env.Builtin("moddable")
	if err != nil {
		b.Fatal(err)
	}
	for _, size := range []struct {
		name          string
		blocks, width int
	}{{"quick", 2, 32}, {"S", 4, 48}, {"M", 6, 64}} {
		w := net.New(net.Arch{Blocks: size.blocks, Width: size.width, FromTo: 16, ValueChannels: 8, ValueHidden: 64}, 1)
		for _, leaves := range []int{16, 32} {
			for _, hands := range []int{1, 2} {
				b.Run(fmt.Sprintf("%s/leaves=%d/hands=%d", size.name, leaves, hands), func(b *testing.B) {
					first, err := fast.Float32.Open(kernels.Best(), w)
					if err != nil {
						b.Fatal(err)
					}
					evs := []mcts.Evaluator{first}
					for range hands - 1 {
						evs = append(evs, first.Twin())
					}
					cfg := mcts.ReferenceConfig()
					cfg.LeavesPerStep, cfg.MaxNodes = leaves, 400_000
					crew := mcts.NewCrew(evs...)
					defer crew.Close()
					s := mcts.New(cfg, nil)
					if err := s.Start(env.NewGame(rules, rules.StartPosition()), mcts.Options{Visits: max(b.N, 500)}); err != nil {
						b.Fatal(err)
					}
					for done := false; !done; {
						if done, err = crew.Advance(s); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
