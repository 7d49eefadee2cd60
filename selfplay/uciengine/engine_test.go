package uciengine

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"synochess/datasets"
	"synochess/env"
	"synochess/selfplay"
	"synochess/selfplay/uciengine/enginetest"
)

func TestMain(m *testing.M) { enginetest.Main(m, env.Builtin) }

// config returns the scripted engine with faults.
func config(t *testing.T, faults string) Config {
	t.Helper()
	return Config{Name: "scripted", Command: enginetest.Command(t, faults), Patience: 3 * time.Second}
}

func moddable(t *testing.T) *env.Rules {
	t.Helper()
	r, err := env.Builtin("moddable")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestProof: an engine has to show that it plays our game.
func TestProof(t *testing.T) {
	for _, c := range []struct {
		faults, want string // "" for an engine that passes
	}{
		{"", ""},
		{"lists", ""},
		{"perftless", ""},
		{"perftsilent", ""},
		{"chess", `does not know the variant "moddable"`},
		{"miscounts", "counts 12 leaves there and"},
		{"leapers", "leaves there and"},
		{"leapers perftless", "does not play by the rules of moddable: in "},
		{"mute", "`uci`: no answer"},
		{"dead", "it has ended (it says: no such library)"},
		{"unready", "`isready`: no answer"},
		{"perftless once:" + filepath.Join(t.TempDir(), "started"), "it has ended (it says: started before)"},
	} {
		cfg := config(t, c.faults)
		if strings.HasPrefix(c.want, "`") || c.faults == "perftsilent" {
			cfg.Patience = 400 * time.Millisecond // it has to run out
		}
		_, err := Open(context.Background(), cfg, moddable(t))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%q: %v", c.faults, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%q: error %v, want %q", c.faults, err, c.want)
		}
	}
}

func TestConfigErrors(t *testing.T) {
	absent := config(t, "")
	absent.Command = "/nowhere/engine"
	odd := config(t, "")
	odd.Options = map[string]string{"Hasch": "1"}
	known := config(t, "")
	known.Options = map[string]string{"hash": "1"}
	renamed := config(t, "lists")
	renamed.Variants = map[string]string{"moddable": "synochess"}
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{absent, "/nowhere/engine"},
		{odd, `no option "Hasch"; it lists: hash`},
		{known, ""},
		{renamed, `does not know the variant "synochess"`},
		{Config{Name: "none"}, "command is missing"},
		{Config{Name: "lines", Command: "x", Options: map[string]string{"a": "b\nquit"}}, "line break"},
	} {
		_, err := Open(context.Background(), c.cfg, moddable(t))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: error %v, want %q", c.cfg, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, config(t, "mute"), moddable(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// match lets the engine play the random agent with every opening in both armies and returns the games.
func match(t *testing.T, cfg Config, limit selfplay.Limit, openings int) ([]*datasets.Game, *selfplay.Tally, error) {
	t.Helper()
	e, err := Open(context.Background(), cfg, moddable(t))
	if err != nil {
		t.Fatal(err)
	}
	list, err := selfplay.RandomOpenings(moddable(t), openings, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := selfplay.Match{
		Config: selfplay.MatchConfig{Openings: openings, Visits: 2, Seats: 2}, Name: "test", Workers: 1,
		Agents: [2]selfplay.Agent{e, selfplay.Random()}, Limits: [2]selfplay.Limit{limit}, Openings: list, FirstNumber: 1,
		Stamp: selfplay.Stamp{RunID: "test", Program: "test", KernelPath: "portable"},
	}
	var games []*datasets.Game
	tally, err := m.Run(context.Background(), func(g *datasets.Game) error { games = append(games, g); return g.Validate() }, nil)
	return games, tally, err
}

// TestFaults: whatever the engine does wrong loses it the game, with either army, and the match goes on.
func TestFaults(t *testing.T) {
	nodes, fast := selfplay.Limit{Visits: 10}, selfplay.Limit{MoveTime: 10 * time.Millisecond}
	for _, c := range []struct {
		faults string
		limit  selfplay.Limit
		note   string
	}{
		{"crash", nodes, "crash: it has ended after `go nodes 10` (it says: assertion failed)"},
		{"stall", nodes, "no answer: no answer to `go nodes 10`"},
		{"deaf stays", nodes, "no answer: "},
		{"illegal", nodes, "illegal move: move a1a8 is illegal"},
		{"nonsense", nodes, "illegal move: "},
		{"lines", nodes, "flood: more than 16 MB"},
		{"line", nodes, "flood: more than 16 MB"},
		{"late", fast, "lost on time: "},
	} {
		cfg := config(t, c.faults)
		if strings.HasPrefix(c.note, "no answer") {
			cfg.Patience = 500 * time.Millisecond // it has to run out
		}
		if strings.HasPrefix(c.note, "flood") {
			cfg.Patience = 5 * time.Minute // it must not run out before so much was said, on a machine however busy
		}
		games, tally, err := match(t, cfg, c.limit, 2)
		if err != nil {
			t.Errorf("%s: %v", c.faults, err)
			continue
		}
		forfeits := 0
		for _, g := range games {
			if g.Ending != datasets.Forfeit {
				continue // the random agent may lose in time
			}
			forfeits++
			army := selfplay.FirstAgentsArmy(int(g.Number - 1))
			if g.Result != env.WinFor(army.Other()) || !strings.HasPrefix(g.Note, c.note) {
				t.Errorf("%s as %s: %s, %q, want a loss and %q", c.faults, army, g.Result, g.Note, c.note)
			}
		}
		if forfeits < 3 || len(games) != 4 {
			t.Errorf("%s: %d forfeits in %d games, want 4", c.faults, forfeits, len(games))
		}
		lost := tally.ByArmy[env.Western].Losses + tally.ByArmy[env.Eastern].Losses
		counted := 0
		for _, n := range tally.Failures {
			counted += n
		}
		if lost < forfeits || counted != forfeits {
			t.Errorf("%s: %d losses, %d failures counted, of %d forfeits", c.faults, lost, counted, forfeits)
		}
	}
}

// TestSoundEngines: a process made anew for every game is no fault, nor is a game by the clock.
func TestSoundEngines(t *testing.T) {
	fresh := config(t, "stays")
	fresh.Fresh = true
	for _, c := range []struct {
		cfg   Config
		limit selfplay.Limit
	}{
		{fresh, selfplay.Limit{Depth: 1}},
		{config(t, ""), selfplay.Limit{Base: 10 * time.Minute, Increment: 100 * time.Millisecond}},
	} {
		games, tally, err := match(t, c.cfg, c.limit, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range games {
			if g.Ending != datasets.ByRules {
				t.Errorf("game %d ended by %s: %s", g.Number, g.Ending, g.Note)
			}
		}
		if tally.Games != 4 || len(tally.Failures) != 0 || tally.Limits != [2]string{c.limit.String(), ""} {
			t.Errorf("%d games, failures %v, limits %q", tally.Games, tally.Failures, tally.Limits)
		}
	}
}

// TestABrokenEngineEndsTheMatch: one that only fails is told from one that fails now and then.
func TestABrokenEngineEndsTheMatch(t *testing.T) {
	cfg := config(t, "")
	e, err := Open(context.Background(), cfg, moddable(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(enginetest.Variable, "dead")
	list, err := selfplay.RandomOpenings(moddable(t), 20, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := selfplay.Match{
		Config: selfplay.MatchConfig{Openings: 20, Visits: 2, Seats: 1}, Name: "test", Workers: 1,
		Agents: [2]selfplay.Agent{selfplay.Random(), e}, Openings: list,
	}
	games := 0
	_, err = m.Run(context.Background(), func(*datasets.Game) error { games++; return nil }, nil)
	if err == nil || !strings.Contains(err.Error(), "engine scripted failed 10 times in a row") || !strings.Contains(err.Error(), "no such library") || games != maxFailures-1 {
		t.Errorf("after %d games: %v", games, err)
	}
}

// TestCancel: Ctrl-C does not wait for an engine that thinks.
func TestCancel(t *testing.T) {
	cfg := config(t, "deaf stays")
	cfg.Patience = time.Hour
	e, err := Open(context.Background(), cfg, moddable(t))
	if err != nil {
		t.Fatal(err)
	}
	list, err := selfplay.RandomOpenings(moddable(t), 1, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := selfplay.Match{
		Config: selfplay.MatchConfig{Openings: 1, Visits: 2, Seats: 2}, Name: "test", Workers: 1,
		Agents: [2]selfplay.Agent{e, selfplay.Random()}, Openings: list,
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	ended := make(chan error, 1)
	go func() { _, err := m.Run(ctx, nil, nil); ended <- err }()
	select {
	case err := <-ended:
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("the match does not end")
	}
}
