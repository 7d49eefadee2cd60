package selfplay

import (
	"context"
	"reflect"
	"testing"

	"synochess/datasets"
	"synochess/env"
	"synochess/mcts"
)

// scripted plays the moves of a line, whichever army it is.
type scripted struct{ line []string }

func (a scripted) Info() datasets.AgentInfo { return datasets.AgentInfo{Kind: "scripted"} }
func (a scripted) Open() (Table, error)     { return scriptedTable(a), nil }

type scriptedTable scripted

func (t scriptedTable) Seat() Player         { return &scriptedPlayer{line: t.line} }
func (t scriptedTable) Answer() (int, error) { return 0, nil }

type scriptedPlayer struct {
	line   []string
	result mcts.Result
}

func (p *scriptedPlayer) Start(g *env.Game, _ Ask) error {
	m, err := g.Rules().ParseMove(g.Position(), p.line[g.Ply()])
	p.result = mcts.Result{Best: m}
	return err
}
func (p *scriptedPlayer) Step() (bool, error)  { return true, nil }
func (p *scriptedPlayer) Result() *mcts.Result { return &p.result }

// TestScriptedWinsAreCreditedToTheRightArmy plays a known win of each army and a draw through a whole
// match and looks at every place where a result is stored.
func TestScriptedWinsAreCreditedToTheRightArmy(t *testing.T) {
	for _, c := range []struct {
		name, fen string
		line      []string
		result    env.Result
		reason    env.Reason
		western   float64 // score of the Western player
	}{
		{"western mate", "1N5k/3Q4/3K4/s1s5/8/8/3s4/8[ss] w - - 93 79",
			[]string{"d6e7", "a5b5", "e7f7", "d2c2", "d7g4", "c5d5", "g4g7"}, env.WesternWins, env.Checkmate, 1},
		{"eastern mate", "8/1k6/8/K7/8/8/2s5/4r3[] w - - 98 51", []string{"a5a4", "e1a1"}, env.EasternWins, env.Checkmate, 0},
		{"hundred plies", "8/1k6/8/3K4/8/8/2s5/4r3[] w - - 98 51", []string{"d5d4", "b7a7"}, env.Draw, env.NoProgress, 0.5},
	} {
		r := mustRules(t, "moddable")
		start, err := r.ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		m := Match{
			Config: MatchConfig{Openings: 1, Visits: 2, Seats: 2}, Name: c.name, Workers: 1,
			Agents:   [2]Agent{scripted{c.line}, scripted{c.line}},
			Openings: []Opening{{Rules: r, Start: start}},
		}
		var games []*datasets.Game
		tally, err := m.Run(context.Background(), func(g *datasets.Game) error { games = append(games, g); return nil }, nil)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for _, g := range games {
			if g.Result != c.result || g.Reason != c.reason || g.Ending != datasets.ByRules {
				t.Errorf("%s: recorded %v %v %v", c.name, g.Result, g.Reason, g.Ending)
			}
			if wdl, ok := g.WDLFor(env.Western); !ok || float64(wdl[0])+float64(wdl[1])/2 != c.western {
				t.Errorf("%s: win, draw, loss for the West %v", c.name, wdl)
			}
		}
		if got := tally.ScoreAs(env.Western).Estimate; got != c.western {
			t.Errorf("%s: the first agent scored %v as Western, want %v", c.name, got, c.western)
		}
		if got := tally.ScoreAs(env.Eastern).Estimate; got != 1-c.western {
			t.Errorf("%s: the first agent scored %v as Eastern, want %v", c.name, got, 1-c.western)
		}
	}
}

func TestGreedyBeatsRandomAndTheMatchIsResumed(t *testing.T) {
	r := mustRules(t, "moddable")
	openings, err := RandomOpenings(r, 6, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := Match{
		Config: MatchConfig{Openings: 6, Plies: 4, Visits: 24, Seed: 3, Seats: 4}, Name: "greedy-random",
		Agents: [2]Agent{greedy(), Random()}, Openings: openings, Workers: 2, FirstNumber: 50,
	}
	var games []*datasets.Game
	tally, err := m.Run(context.Background(), func(g *datasets.Game) error { games = append(games, g); return nil }, nil)
	if err != nil {
		t.Fatal(err)
	}
	if tally.Games != 12 || tally.Distinct < 10 || tally.Excluded != 0 {
		t.Errorf("%d games, %d distinct, %d excluded", tally.Games, tally.Distinct, tally.Excluded)
	}
	if got := tally.Score().Estimate; got < 0.6 {
		t.Errorf("greedy scored %v against random", got)
	}
	m.Played = games[:5]
	left := 0
	again, err := m.Run(context.Background(), func(*datasets.Game) error { left++; return nil }, nil)
	if err != nil {
		t.Fatal(err)
	}
	if left != 7 || !reflect.DeepEqual(again.ByArmy, tally.ByArmy) || again.Score() != tally.Score() {
		t.Errorf("resumed with 5 games played: %d more, %+v, want %+v", left, again.ByArmy, tally.ByArmy)
	}
}

func TestACutGameCountsInNoScore(t *testing.T) {
	tally := newTally([2]string{"a", "b"}, [2]Limit{}, 1)
	cut := &datasets.Game{Ending: datasets.Cut}
	for i := range 2 {
		tally.add(cut, i, 0)
	}
	if tally.Excluded != 2 || tally.ByArmy != [2]Count{} || tally.Score().Low != 0 || tally.Score().High != 1 {
		t.Errorf("two cut games: %+v, score %v", tally, tally.Score())
	}
}

func TestRandomOpenings(t *testing.T) {
	for _, name := range []string{"moddable", "pychess"} {
		r := mustRules(t, name)
		all, err := RandomOpenings(r, 50, 4, 9)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := RandomOpenings(r, 50, 4, 9)
		other, _ := RandomOpenings(r, 50, 4, 10)
		names := map[string]bool{}
		same := 0
		for i := range all {
			names[all[i].Name()] = true
			if all[i].Name() != again[i].Name() {
				t.Fatalf("%s: opening %d differs with the same seed", name, i)
			}
			if all[i].Name() == other[i].Name() {
				same++
			}
			g := env.NewGame(r, all[i].Start)
			for _, m := range all[i].Line {
				if err := g.Play(m); err != nil {
					t.Fatal(err)
				}
			}
			if g.Ply() != 4 || g.Outcome().Over() || !undecided(r, g.Position()) {
				t.Errorf("%s: opening %q is decided", name, all[i].Name())
			}
		}
		if len(names) != 50 || same > 10 {
			t.Errorf("%s: %d distinct openings, %d shared with another seed", name, len(names), same)
		}
	}
	// f2f3 allows c7e7 mate, so a position in which it was played is decided.
	r := mustRules(t, "moddable")
	g := env.NewGame(r, r.StartPosition())
	if err := g.PlayUCI("f2f3"); err != nil {
		t.Fatal(err)
	}
	if undecided(r, g.Position()) {
		t.Error("a position with a mate in one counts as undecided")
	}
}
