package selfplay

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sort"
	"testing"

	"synochess/datasets"
	"synochess/env"
	"synochess/mcts"
)

// testConfig plays short games quickly.
var testConfig = Config{
	Seats: 4, FullVisits: 12, CheapVisits: 4, FullProbability: 0.5, SampledPlies: 6, ForkProbability: 0.3, PlyLimit: 60,
	SoftValue: 0.9, SoftPlies: 3, SoftFull: 0.25, SoftWeight: 0.5,
}

func greedy() *Searcher {
	return &Searcher{
		Kind: "greedy", EvalID: "material-1", Search: mcts.ReferenceConfig(),
		NewEvaluator: func() (mcts.Evaluator, error) { return NewMaterial(), nil },
	}
}

func mustRules(t *testing.T, name string) *env.Rules {
	t.Helper()
	r, err := env.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// generationGames plays a generation and returns its games by number.
func generationGames(t *testing.T, g Generation, workers, seats int) []*datasets.Game {
	t.Helper()
	var games []*datasets.Game
	record := func(g *datasets.Game, _ int) error { games = append(games, g); return nil }
	stamp := Stamp{RunID: "test", Program: "test", KernelPath: "portable"}
	if err := Play(context.Background(), []Agent{greedy()}, workers, seats, stamp, g.Tasks(), record); err != nil {
		t.Fatal(err)
	}
	sort.Slice(games, func(i, j int) bool { return games[i].Number < games[j].Number })
	return games
}

func testGeneration(t *testing.T) Generation {
	t.Helper()
	source, err := NewRuleSource([]RuleEntry{
		{Name: "moddable", Weight: 1},
		{Name: "pychess", Weight: 1},
		{Name: "moddable", Weight: 1, Vary: map[string][]any{
			"faceoff": {"loses", "illegal", "none"}, "campmate": {true, false},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return Generation{Config: testConfig, Rules: source, RunSeed: 7, Number: 1, First: 100, Games: 14}
}

func TestGamesDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	g := testGeneration(t)
	one := generationGames(t, g, 1, 5)
	three := generationGames(t, g, 3, 2)
	if len(one) != 14 || len(three) != 14 {
		t.Fatalf("%d and %d games, want 14", len(one), len(three))
	}
	for i := range one {
		if !reflect.DeepEqual(one[i], three[i]) {
			t.Errorf("game %d differs between 1 and 3 workers", one[i].Number)
		}
	}
	g.Number, g.First, g.Parents = 2, 200, one
	one, three = generationGames(t, g, 1, 3), generationGames(t, g, 3, 3)
	forks := 0
	for i := range one {
		if !reflect.DeepEqual(one[i], three[i]) {
			t.Errorf("game %d of generation 2 differs between 1 and 3 workers", one[i].Number)
		}
		if one[i].Start == datasets.FromFork {
			forks++
			parent := one[i].ForkOf
			if parent < 100 || parent >= 114 || one[i].Family != parent {
				t.Errorf("game %d: fork of %d, family %d; want a parent of generation 1 and its family", one[i].Number, parent, one[i].Family)
			}
		}
	}
	if forks == 0 {
		t.Error("no game of 14 is a fork at a probability of 0.3")
	}
}

func TestALostGameIsPlayedAgainToTheSameBytes(t *testing.T) {
	g := testGeneration(t)
	all := generationGames(t, g, 2, 3)
	g.Played = func(n uint64) bool { return n != 103 && n != 111 }
	again := generationGames(t, g, 1, 1)
	if len(again) != 2 || !reflect.DeepEqual(again[0], all[3]) || !reflect.DeepEqual(again[1], all[11]) {
		t.Errorf("the two missing games were not played again alike")
	}
}

func TestGamesDiffer(t *testing.T) {
	games := generationGames(t, testGeneration(t), 2, 4)
	seeds, lines := map[uint64]bool{}, map[string]bool{}
	for _, g := range games {
		seeds[g.Seed] = true
		s := g.Rules
		for _, p := range g.Plies {
			s += fmt.Sprint(" ", p.Move)
		}
		lines[s] = true
	}
	if len(seeds) != len(games) || len(lines) != len(games) {
		t.Errorf("%d games have %d seeds and %d lines of moves", len(games), len(seeds), len(lines))
	}
}

// TestRecords checks what a game's record says of its plies.
func TestRecords(t *testing.T) {
	full, cheap, sampled := 0, 0, 0
	for _, g := range generationGames(t, testGeneration(t), 2, 4) {
		if err := g.Validate(); err != nil {
			t.Fatalf("game %d: %v", g.Number, err)
		}
		if (g.Ending == datasets.Cut) != (g.Result == env.Undecided) {
			t.Errorf("game %d: ending %v with result %v", g.Number, g.Ending, g.Result)
		}
		if g.Ending == datasets.Cut && len(g.Plies) != testConfig.PlyLimit {
			t.Errorf("game %d was cut after %d plies, the limit is %d", g.Number, len(g.Plies), testConfig.PlyLimit)
		}
		for i, p := range g.Plies {
			switch p.Search {
			case datasets.FullSearch:
				full++
				if p.SampleWeight == 0 || p.PolicyWeight == 0 {
					t.Errorf("game %d ply %d: a full search without a target", g.Number, i)
				}
			case datasets.CheapSearch:
				cheap++
				if p.SampleWeight != 0 || p.PolicyWeight != 0 {
					t.Errorf("game %d ply %d: a cheap search became a target", g.Number, i)
				}
			}
			if p.Chosen == datasets.Sampled {
				sampled++
				if i >= testConfig.SampledPlies || !(p.Chance > 0 && p.Chance <= 1) {
					t.Errorf("game %d ply %d: sampled with chance %v", g.Number, i, p.Chance)
				}
			}
		}
	}
	if full == 0 || cheap == 0 || sampled == 0 {
		t.Errorf("%d full, %d cheap searches, %d sampled moves", full, cheap, sampled)
	}
}

func TestAFailingRecordStopsTheWorkers(t *testing.T) {
	broken := errors.New("disk full")
	g := testGeneration(t)
	err := Play(context.Background(), []Agent{greedy()}, 2, 3, Stamp{}, g.Tasks(), func(*datasets.Game, int) error { return broken })
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want the record's", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Play(ctx, []Agent{greedy()}, 2, 3, Stamp{}, g.Tasks(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}
