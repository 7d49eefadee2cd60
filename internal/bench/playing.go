package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"synochess/datasets"
	"synochess/env"
	"synochess/internal/eval"
	"synochess/internal/loop"
	"synochess/selfplay"
	"synochess/train"
)

const (
	sampleGames = 16              // games played to the end, for what depends on whole games
	copies      = 8               // of them in the file that is read, so that it is not tiny
	playingTime = 4 * time.Second // that steady self-play is measured
)

// meter counts the positions that its evaluators get and the time they take.
type meter struct {
	eval.Evaluator
	rows, nanos *atomic.Int64
}

func (m meter) Evaluate(b *eval.Batch) error {
	start := time.Now()
	err := m.Evaluator.Evaluate(b)
	m.nanos.Add(int64(time.Since(start)))
	m.rows.Add(int64(b.Len()))
	return err
}

// play plays games of the quick configuration with a network, until they are done or the context ends. It
// returns the positions evaluated and the seconds that all workers spent on them.
func (s *session) play(ctx context.Context, n network, workers, seats, games int, record selfplay.Record) (rows int64, seconds float64, err error) {
	rules, err := selfplay.NewRuleSource(s.Config.Rules)
	if err != nil {
		return 0, 0, err
	}
	var total, nanos atomic.Int64
	agent := loop.NetworkAgent(n.weights(), s.Config.Search)
	open := agent.NewEvaluator
	agent.NewEvaluator = func() (eval.Evaluator, error) {
		ev, err := open()
		return meter{ev, &total, &nanos}, err
	}
	g := selfplay.Generation{Config: s.Config.SelfPlay, Rules: rules, RunSeed: 1, Games: games}
	err = selfplay.Play(ctx, []selfplay.Agent{agent}, workers, seats, selfplay.Stamp{RunID: "bench", Program: s.Program}, g.Tasks(), record)
	return total.Load(), float64(nanos.Load()) / 1e9, err
}

// sample plays a few games to the end, once, and keeps them with the evaluations that a game takes.
func (s *session) sample() error {
	if s.games != nil {
		return nil
	}
	cores := s.report.Machine.Cores
	rows, _, err := s.play(s.ctx, s.networks()[0], cores, sampleGames/cores+1, sampleGames, func(g *datasets.Game, _ int) error {
		s.games = append(s.games, g)
		return nil
	})
	s.perGame = float64(rows) / sampleGames
	return err
}

// selfPlay measures steady self-play: games an hour on one worker and on all, and for each network how
// much of the time is spent outside of it.
func (s *session) selfPlay() error {
	if err := s.sample(); err != nil {
		return err
	}
	cores := s.report.Machine.Cores
	for i, n := range s.networks() {
		workers := []int{1}
		if i == 0 && cores > 1 {
			workers = append(workers, cores)
		}
		for _, count := range workers {
			ctx, cancel := context.WithTimeout(s.ctx, playingTime)
			began := time.Now()
			rows, inside, err := s.play(ctx, n, count, s.Config.SelfPlay.Seats, 1<<30, func(*datasets.Game, int) error { return nil })
			cancel()
			if s.ctx.Err() != nil {
				return s.ctx.Err()
			}
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				return err
			}
			elapsed := time.Since(began).Seconds()
			name := fmt.Sprintf("%s, %d worker(s)", n.name, count)
			add := func(rate float64, unit string) {
				s.report.Results = append(s.report.Results, Result{
					Group: "self-play", Name: name, Who: ours, Rate: rate, Low: rate, High: rate, Unit: unit, Clock: Wall, Rounds: 1,
				})
			}
			rate := float64(rows) / elapsed
			add(rate, "evaluations/s")
			add(100*(1-inside/(elapsed*float64(count))), "% outside the network")
			if i == 0 {
				add(3600*rate/s.perGame, "games/h")
			}
		}
	}
	return nil
}

// data measures writing games, reading them, and making training samples of them.
func (s *session) data() error {
	if err := s.sample(); err != nil {
		return err
	}
	var games []*datasets.Game
	plies := 0
	for i := range copies * len(s.games) {
		g := *s.games[i%len(s.games)]
		g.Number, g.Family = uint64(i), uint64(i)
		games = append(games, &g)
		plies += len(g.Plies)
	}
	path := datasets.GenerationFile(s.folder, 1)
	each := func(yield func(*datasets.Game, error) bool) {
		for _, g := range games {
			if !yield(g, nil) {
				return
			}
		}
	}
	write := func() error { _, err := datasets.WriteFile(path, s.Program, each); return err }
	read := func() error {
		for _, err := range datasets.ReadFile(path) {
			if err != nil {
				return err
			}
		}
		return nil
	}
	if err := write(); err != nil {
		return err
	}
	catalogue := datasets.NewCatalogue()
	if problems, err := catalogue.AddDir(s.folder); err != nil || len(problems) > 0 {
		return fmt.Errorf("bench: games cannot be read back: %v %w", problems, err)
	}
	window := catalogue.Window(1<<30, func(uint64) bool { return true })
	draws := window.MaxSamples(1)
	for _, c := range []struct {
		name, unit string
		units      int
		work       func() error
	}{
		{"write Parquet", "plies/s", plies, write},
		{"read Parquet", "plies/s", plies, read},
		{"draw training samples", "positions/s", draws, func() error { return drawSamples(window, draws, &s.Config.Train) }},
	} {
		err := s.hold(contest{
			group: "data", name: c.name, unit: c.unit, units: float64(c.units), budget: time.Second,
			contenders: []contender{{name: ours, clock: CPU, run: local(CPU, c.work)}},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// drawSamples does what training does before a step, for n samples.
func drawSamples(window *datasets.Window, n int, cfg *train.Config) error {
	sampler, err := window.Sampler(1, n, 1)
	if err != nil {
		return err
	}
	rules := map[uint64]*env.Rules{}
	for {
		chunk, err := sampler.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		made := make([][]train.Sample, len(chunk.Games))
		for _, pick := range chunk.Picks {
			if made[pick.Game] != nil {
				continue
			}
			g := chunk.Games[pick.Game]
			if rules[g.RulesHash] == nil {
				if rules[g.RulesHash], err = env.ParseRules([]byte(g.Rules), "games of the benchmark"); err != nil {
					return err
				}
			}
			if made[pick.Game], err = train.Targets(g, rules[g.RulesHash], cfg); err != nil {
				return err
			}
		}
	}
}
