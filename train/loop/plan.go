package loop

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"synochess/datasets"
	"synochess/env"
	"synochess/env/encode"
	"synochess/mcts"
	"synochess/net"
	"synochess/selfplay"
	"synochess/selfplay/netagent"
	"synochess/train"
)

// Plan is what a run is expected to need on this machine. It is an estimate from a few seconds of real
// self-play and training with the network that the run begins with; games get shorter or longer as the network learns.
type Plan struct {
	EvaluationsPerSecond float64 // of all workers, search included
	SamplesPerSecond     float64 // of training
	PliesPerGame         float64 // of random games, cut at the ply limit
	GamesPerHour         float64 // playing alone
	PositionsPerHour     float64 // positions to learn from, playing alone
	Play, Train          time.Duration
	Anchors, Proof       time.Duration // the matches on the way, and those at the end
	DiskBytes            int64
	MemoryBytes          int64
}

// String is the plan in a few lines.
func (p *Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "this machine: %.0f evaluations/s in self-play, %.0f positions/s in training\n", p.EvaluationsPerSecond, p.SamplesPerSecond)
	fmt.Fprintf(&b, "about %.0f games and %.0f positions an hour while playing (random games last %.0f plies)\n", p.GamesPerHour, p.PositionsPerHour, p.PliesPerGame)
	fmt.Fprintf(&b, "expected: %s (%s playing, %s training, %s of anchor matches), then %s of matches\n",
		round(p.Play+p.Train+p.Anchors), round(p.Play), round(p.Train), round(p.Anchors), round(p.Proof))
	fmt.Fprintf(&b, "disk about %.0f MB, memory about %.0f MB", float64(p.DiskBytes)/1e6, float64(p.MemoryBytes)/1e6)
	return b.String()
}

func round(d time.Duration) time.Duration {
	if d > 10*time.Minute {
		return d.Round(time.Minute)
	}
	return d.Round(time.Second)
}

// What the estimate of disk and memory rests on, measured on the quick configuration. The heap grows to twice
// what is in use before it is cleaned; the bytes in memory are those of the grown heap.
const (
	bytesPerPly     = 165.0 // in Parquet, cheap and full searches mixed
	bytesPerNode    = 1200  // of a search tree
	bytesPerRow     = 1000  // of the part of the replay window that is being learned from
	rowsInMemory    = 1 << 16
	bytesPerKeptPly = 60.0  // of a game of the window that stays in memory
	bytesPerPolicy  = 340.0 // more, where it was searched in full
	bytesPerAnswer  = 250   // of an evaluation that is remembered
	boardsPerLayer  = 6     // padded boards of activations and gradients that training keeps
	paddedSquares   = 100   // of such a board: 8x8 squares and a border
	bytesOfProgram  = 60e6
)

// Estimate measures for some seconds and plans the run.
func Estimate(ctx context.Context, cfg *Config, machine Machine) (*Plan, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	rules, err := selfplay.NewRuleSource(cfg.Rules)
	if err != nil {
		return nil, err
	}
	p := &Plan{}
	if p.PliesPerGame, err = randomPlies(rules, cfg.SelfPlay.PlyLimit); err != nil {
		return nil, err
	}
	first, _, err := cfg.first()
	if err != nil {
		return nil, err
	}
	if p.EvaluationsPerSecond, err = playingSpeed(ctx, cfg, machine, rules, first); err != nil {
		return nil, err
	}
	if p.SamplesPerSecond, err = trainingSpeed(cfg, machine, rules, first); err != nil {
		return nil, err
	}
	c := &cfg.SelfPlay
	games := float64(cfg.Games) * float64(cfg.Generations)
	perGame := p.PliesPerGame * cfg.visitsPerPly()
	positions := p.PliesPerGame * c.FullProbability
	p.GamesPerHour = 3600 * p.EvaluationsPerSecond / perGame
	p.PositionsPerHour = p.GamesPerHour * positions
	p.Play = seconds(games * perGame / p.EvaluationsPerSecond)
	p.Train = seconds(games * positions * float64(cfg.Train.Passes) / p.SamplesPerSecond)
	ruleSets := len(rules.Bases())
	p.Proof = seconds(cfg.proofVisits(ruleSets) / p.EvaluationsPerSecond)
	if every := cfg.Anchor.Every; every > 0 {
		p.Anchors = seconds(float64(cfg.Generations/every) * cfg.anchorVisits(ruleSets) / p.EvaluationsPerSecond)
	}
	p.DiskBytes = int64(games*p.PliesPerGame*bytesPerPly) + int64(4*first.Parameters()*(cfg.Generations+1+3*keptCheckpoints))
	p.MemoryBytes = memoryBytes(cfg, machine, games*p.PliesPerGame)
	return p, nil
}

// visitsPerPly returns the mean number of simulations of a move of self-play, over the whole run.
func (c *Config) visitsPerPly() float64 {
	sum := 0.0
	for generation := range c.Generations {
		s := &c.at(generation + 1).SelfPlay
		sum += s.FullProbability*float64(s.FullVisits) + (1-s.FullProbability)*float64(s.CheapVisits)
	}
	return sum / float64(c.Generations)
}

// memoryBytes estimates the most memory that a run of so many plies takes.
func memoryBytes(cfg *Config, machine Machine, plies float64) int64 {
	c := &cfg.at(cfg.Generations).SelfPlay
	layer := cfg.Train.Batch * paddedSquares * cfg.Net.Width * 4
	window := min(plies, float64(cfg.Window.Size(int(plies*c.FullProbability)))/c.FullProbability)
	kept := min(window*(bytesPerKeptPly+c.FullProbability*bytesPerPolicy), 2*datasets.CacheBytes)
	return bytesOfProgram + int64(layer*(2*cfg.Net.Blocks+1)*boardsPerLayer) + int64(kept) +
		int64(machine.Workers*c.Seats*min(cfg.Search.MaxNodes, 4*c.FullVisits))*bytesPerNode +
		int64(machine.Workers*cfg.Search.CacheEntries)*bytesPerAnswer + int64(min(plies, rowsInMemory)*bytesPerRow)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// randomPlies returns the mean length of random games under the run's rule sets.
func randomPlies(rules *selfplay.RuleSource, limit int) (float64, error) {
	rng := rand.New(rand.NewPCG(1, 2))
	const games = 40
	plies := 0
	for range games {
		r, err := rules.Draw(rng)
		if err != nil {
			return 0, err
		}
		plies += env.RandomGame(r, limit, rng).Ply()
	}
	return float64(plies) / games, nil
}

// playingTime is how long self-play is measured.
const playingTime = 3 * time.Second

// counting is an evaluator that adds the positions it evaluates to n, which all evaluators share.
type counting struct {
	mcts.Evaluator
	n *atomic.Int64
}

func (c counting) Evaluate(b *encode.Batch) error {
	c.n.Add(int64(b.Len()))
	return c.Evaluator.Evaluate(b)
}

// playingSpeed plays real games for a while and counts evaluations.
func playingSpeed(ctx context.Context, cfg *Config, machine Machine, rules *selfplay.RuleSource, w *net.Weights) (float64, error) {
	precision := cfg.Precision.For(machine.Kernels, w.Arch)
	if err := netagent.Calibrate(machine.Kernels, w, precision, rules); err != nil {
		return 0, err
	}
	agent := netagent.New(machine.Kernels, w, precision, cfg.Search)
	inner, n := agent.NewEvaluator, &atomic.Int64{}
	agent.NewEvaluator = func() (mcts.Evaluator, error) {
		ev, err := inner()
		return counting{ev, n}, err
	}
	games := selfplay.Generation{Config: cfg.SelfPlay, Rules: rules, RunSeed: cfg.Seed, Games: 1 << 30}
	timed, cancel := context.WithTimeout(ctx, playingTime)
	defer cancel()
	began := time.Now()
	err := selfplay.Play(timed, []selfplay.Agent{agent}, machine.Workers, cfg.SelfPlay.Seats, selfplay.Stamp{}, games.Tasks(),
		func(*datasets.Game, int) error { return nil })
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return 0, err
	}
	return float64(n.Load()) / time.Since(began).Seconds(), nil
}

// trainingSpeed trains on positions of random games for a few steps, in a trainer that is thrown away.
func trainingSpeed(cfg *Config, machine Machine, rules *selfplay.RuleSource, w *net.Weights) (float64, error) {
	t, err := train.New(cfg.Train, w, machine.Kernels, machine.Threads)
	if err != nil {
		return 0, err
	}
	defer t.Close()
	batch, err := randomSamples(rules, cfg.Train.Batch)
	if err != nil {
		return 0, err
	}
	const steps = 3
	var began time.Time
	for i := range steps + 1 {
		if i == 1 { // the first step also allocates
			began = time.Now()
		}
		if _, err := t.Step(batch, 0); err != nil {
			return 0, err
		}
	}
	return float64(steps*cfg.Train.Batch) / time.Since(began).Seconds(), nil
}

// randomSamples makes positions of random games whose targets say nothing.
func randomSamples(rules *selfplay.RuleSource, n int) ([]*train.Sample, error) {
	b := encode.NewBatch()
	var all []*train.Sample
	err := rules.RandomPositions(n, func(g *env.Game) {
		b.Reset()
		encode.AppendRow(b, g.Rules(), g.Position(), g.Repetitions(), g.LegalMoves())
		all = append(all, train.Neutral(b.Row(0).Clone()))
	})
	return all, err
}
