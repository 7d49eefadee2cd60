package datasets

import (
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"synochess/env"
)

// syntheticGame returns a valid, quantised game whose moves are no moves of any rule set: enough for
// everything but Verify.
func syntheticGame(t testing.TB, rng *rand.Rand, number uint64, plies int) *Game {
	t.Helper()
	g := &Game{
		RunID: "run-1", Number: number, Generation: uint32(number / 100), Seed: rng.Uint64(),
		KernelPath: "portable", Program: "test",
		Rules: strings.Repeat("field: value\n", 20), RulesHash: 11, GroupHash: 7,
		StartFEN: "8/8/8/8/8/8/8/8[] " + []string{"w", "b"}[rng.IntN(2)] + " - - 0 1", Family: number,
		Opening: []string{"", "open-7"}[rng.IntN(2)], Pair: rng.Uint64N(3), Note: []string{"", "crash: it has ended"}[rng.IntN(2)],
		Agents: [2]AgentInfo{{"network", "id-a", "visits: 64"}, {"greedy", "", "visits: 16"}},
		Ending: Ending(rng.IntN(len(endingNames))),
	}
	if rng.IntN(4) == 0 && number > 0 {
		g.Start, g.ForkOf, g.ForkPly, g.Family = FromFork, number-1, rng.Uint32N(9), number-1
	}
	if g.HasResult() {
		g.Result = env.WesternWins + env.Result(rng.IntN(3))
	}
	if g.Ending == ByRules {
		g.Reason = 1 + env.Reason(rng.IntN(int(env.NumReasons)-1))
	}
	for range plies {
		g.Plies = append(g.Plies, syntheticPly(t, rng))
	}
	if err := g.Validate(); err != nil {
		t.Fatal(err)
	}
	return g
}

func syntheticPly(t testing.TB, rng *rand.Rand) Ply {
	t.Helper()
	p := Ply{
		Chance: 1, Search: SearchKind(rng.IntN(3)), Chosen: Chosen(rng.IntN(3)),
		SampleWeight: float32(rng.IntN(2)), ValueWeight: rng.Float32(),
		Proven: Unproven, Visits: rng.Uint32N(1000),
	}
	if p.Chosen == Sampled {
		p.Chance = 1 - rng.Float32()
	}
	first, step := rng.IntN(1<<12), 1+2*rng.IntN(1<<10) // an odd step meets no move twice
	p.Move = env.Move(max(1, first))
	if p.Search == NoSearch {
		p.Visits = 0
		return p
	}
	if p.Search == FullSearch {
		p.PolicyWeight = 1
	}
	p.Proven = Proven(rng.IntN(4))
	p.Before, p.After = randomWDL(rng), randomWDL(rng)
	sum := float32(0)
	for i := range 1 + rng.IntN(60) {
		a := Action{Move: env.Move((first + i*step) % (1 << 14)), Logit: float32(rng.NormFloat64() * 5), Policy: rng.Float32(), Q: 2*rng.Float32() - 1}
		if a.Move == env.NoMove || i == 0 {
			a.Move = p.Move
		}
		if i > 0 && a.Move == p.Move {
			continue
		}
		if rng.IntN(2) == 0 {
			a.Visits = rng.Uint32N(30)
		}
		sum += a.Policy
		p.Actions = append(p.Actions, a)
	}
	for i := range p.Actions {
		p.Actions[i].Policy /= sum
	}
	if err := p.Quantise(); err != nil {
		t.Fatal(err)
	}
	return p
}

func randomWDL(rng *rand.Rand) [3]float32 {
	a, b := rng.Float32(), rng.Float32()
	return [3]float32{a * b, a * (1 - b), 1 - a}
}

// syntheticGames returns games numbered from first on, of 0 to maxPlies plies.
func syntheticGames(t testing.TB, seed, first uint64, n, maxPlies int) []*Game {
	rng := rand.New(rand.NewPCG(seed, 1))
	var games []*Game
	for i := range n {
		games = append(games, syntheticGame(t, rng, first+uint64(i), rng.IntN(maxPlies+1)))
	}
	return games
}

// each iterates over games as a journal does.
func each(games []*Game) iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		for _, g := range games {
			if !yield(g, nil) {
				return
			}
		}
	}
}

// collect gathers what an iteration yields up to its first error.
func collect(seq iter.Seq2[*Game, error]) ([]*Game, error) {
	var games []*Game
	for g, err := range seq {
		if err != nil {
			return games, err
		}
		games = append(games, g)
	}
	return games, nil
}
