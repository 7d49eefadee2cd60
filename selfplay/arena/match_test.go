package arena

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"synochess/datasets"
	"synochess/env"
	"synochess/internal/stats"
	"synochess/mcts"
	"synochess/selfplay"
	"synochess/selfplay/matchfile"
)

func greedy() selfplay.Agent {
	return &selfplay.Searcher{
		Kind: "greedy", EvalID: "material-1", Search: mcts.ReferenceConfig(),
		NewEvaluator: func() (mcts.Evaluator, error) { return selfplay.NewMaterial(), nil },
	}
}

// newMatch is greedy against random in some openings.
func newMatch(t *testing.T, openings int) *Match {
	t.Helper()
	r, err := env.Builtin("moddable")
	if err != nil {
		t.Fatal(err)
	}
	m := &Match{Kinds: [2]string{"greedy", "random"}, Rules: r, OpeningsAre: "some", Machine: "a machine"}
	m.Config = selfplay.MatchConfig{Openings: openings, Plies: 2, Visits: 16, Seed: 3, Seats: 2}
	m.Name, m.Workers = "greedy against random", 1
	m.Agents = [2]selfplay.Agent{greedy(), selfplay.Random()}
	m.Stamp = selfplay.Stamp{Program: "test", KernelPath: "portable"}
	if m.Openings, err = selfplay.RandomOpenings(r, openings, 2, 3); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestAMatchGoesOn(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "whole")
	want, err := Play(context.Background(), whole, newMatch(t, 4), nil)
	if err != nil {
		t.Fatal(err)
	}
	// The same, interrupted after three games.
	dir := filepath.Join(t.TempDir(), "parts")
	ctx, cancel := context.WithCancel(context.Background())
	if _, err = Play(ctx, dir, newMatch(t, 4), func(games int) {
		if games == 3 {
			cancel()
		}
	}); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	half, err := matchfile.Read(filepath.Join(dir, matchfile.Name))
	if err != nil || !half.Finished.IsZero() || len(half.Pairs) != 4 {
		t.Fatalf("record of half a match: %+v, %v", half, err)
	}
	played := 0
	for _, p := range half.Pairs {
		if p.West != nil {
			played++
		}
		if p.East != nil {
			played++
		}
	}
	if played != 3 {
		t.Errorf("the record holds %d games, 3 have ended", played)
	}
	first := 0
	got, err := Play(context.Background(), dir, newMatch(t, 4), func(games int) {
		if first == 0 {
			first = games
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if first != 4 || !reflect.DeepEqual(got.Pairs(), want.Pairs()) || got.Games != want.Games || got.Distinct != want.Distinct {
		t.Errorf("went on with game %d; %+v, want %+v", first, got, want)
	}
	for _, name := range []string{"games.parquet", "games.txt"} {
		a, err1 := os.ReadFile(filepath.Join(whole, name))
		b, err2 := os.ReadFile(filepath.Join(dir, name))
		if err1 != nil || err2 != nil || string(a) != string(b) {
			t.Errorf("%s of a match in two parts differs from one in one: %v, %v", name, err1, err2)
		}
	}
	record, err := matchfile.Read(filepath.Join(dir, matchfile.Name))
	if err != nil || record.Finished.IsZero() || !reflect.DeepEqual(record.Stats(), want.Pairs()) {
		t.Errorf("record %+v, %v", record, err)
	}
	if _, faults := datasets.Verify([]string{filepath.Join(dir, "games.parquet")}); len(faults) > 0 {
		t.Error(faults)
	}
}

func TestAFolderHoldsOneMatch(t *testing.T) {
	dir := t.TempDir()
	if _, err := Play(context.Background(), dir, newMatch(t, 1), nil); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(m *Match){
		`the seed is "3" there and "4" here`:    func(m *Match) { m.Config.Seed = 4 },
		`the first agent's limit is "nodes=16"`: func(m *Match) { m.Limits[0].Visits = 8 },
		`the list of openings is "some" there`:  func(m *Match) { m.OpeningsAre = "others" },
		`the second agent is "random" there`:    func(m *Match) { m.Agents[1] = greedy() },
		`the rule set is "moddable `:            func(m *Match) { m.Rules, _ = env.Builtin("pychess") },
	} {
		m := newMatch(t, 1)
		change(m)
		if _, err := Play(context.Background(), dir, m, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if err := os.Remove(filepath.Join(dir, matchfile.Name)); err != nil {
		t.Fatal(err)
	}
	if _, err := Play(context.Background(), dir, newMatch(t, 1), nil); err == nil || !strings.Contains(err.Error(), "take another folder") {
		t.Errorf("games without a record: error %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Play(context.Background(), file, newMatch(t, 1), nil); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("a file for a folder: error %v", err)
	}
	busy := t.TempDir()
	f, err := openFolder(busy, newMatch(t, 1))
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	if _, err := Play(context.Background(), busy, newMatch(t, 1), nil); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("a folder in use: error %v", err)
	}
}

// A journal with games that the match does not have is another's; nothing of the record changes.
func TestGamesOfAnotherMatch(t *testing.T) {
	dir := t.TempDir()
	if _, err := Play(context.Background(), dir, newMatch(t, 2), nil); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(dir, matchfile.Name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Play(context.Background(), dir, newMatch(t, 1), nil); err == nil || !strings.Contains(err.Error(), "is not one of the 2 of this match") {
		t.Errorf("error %v", err)
	}
	if after, err := os.ReadFile(filepath.Join(dir, matchfile.Name)); err != nil || string(after) != string(before) {
		t.Errorf("the record changed, %v:\n%s", err, after)
	}
}

// TestASequentialTestEnds: the test ends the match, and its verdict is the same on any number of workers and when
// the match is called again.
func TestASequentialTestEnds(t *testing.T) {
	test := &stats.SPRT{Elo0: 0, Elo1: 100, Alpha: 0.05, Beta: 0.05}
	var states []stats.SPRTState
	for _, workers := range []int{1, 3} {
		dir := t.TempDir()
		for range 2 {
			m := newMatch(t, 60)
			m.Workers, m.Test = workers, test
			tally, err := Play(context.Background(), dir, m, nil)
			if err != nil {
				t.Fatal(err)
			}
			if tally.Games == 120 {
				t.Error("all games were played")
			}
			s := test.Decide(tally.Prefix())
			if s.Verdict != stats.AcceptH1 {
				t.Errorf("%d workers: %+v", workers, s)
			}
			if workers == 1 {
				states = append(states, s)
			}
		}
	}
	if math.Abs(states[0].LLR-states[1].LLR) > 1e-12 {
		t.Errorf("the finished match says %+v when it is looked at again, not %+v", states[1], states[0])
	}
}

func TestGameText(t *testing.T) {
	r, err := env.Builtin("moddable")
	if err != nil {
		t.Fatal(err)
	}
	g := &datasets.Game{
		Number: 7, Rules: r.Canonical(), StartFEN: strings.TrimSuffix(strings.Replace(r.Start, " w ", " b ", 1), "1") + "7",
		Agents: [2]datasets.AgentInfo{{Kind: `a "b"`, Settings: "algorithm=gumbel nodes=64 {}"}, {Kind: "random"}},
		Result: env.EasternWins, Ending: datasets.Forfeit, Note: "crash: gone",
	}
	for _, text := range []string{"c7c4", "e2e4", "S@d5"} {
		p, err := r.ParseFEN(g.StartFEN)
		if err != nil {
			t.Fatal(err)
		}
		if text == "e2e4" {
			p = r.StartPosition()
		}
		m, err := r.ParseMove(&p, text)
		if err != nil {
			t.Fatal(err)
		}
		g.Plies = append(g.Plies, datasets.Ply{Move: m})
	}
	got, err := gameText(&matchfile.File{Agents: [2]matchfile.Agent{{Name: "x"}, {Name: "y"}}}, g)
	want := `[Event "x against y"]
[Round "7"]
[White "a \"b\", nodes=64"]
[Black "random"]
[Result "0-1"]
[Variant "moddable"]
[SetUp "1"]
[FEN "` + g.StartFEN + `"]
[Termination "forfeit, crash: gone"]
[PlyCount "3"]

7... c7c4 8. e2e4 S@d5 0-1

`
	if err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}
