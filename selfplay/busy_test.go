package selfplay

import (
	"context"
	"errors"
	"testing"

	"synochess/datasets"
	"synochess/env"
	"synochess/mcts"
)

// A lone game whose searches go on for many rounds without a question is played to its end: bare royals go
// round for hundreds of simulations that the rules decide.
func TestGameWithoutQuestionsGoesOn(t *testing.T) {
	r := mustRules(t, "moddable")
	start, err := r.ParseFEN("4k3/8/8/8/8/8/8/K7[] w - - 80 60")
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{mcts.ModeGumbel, mcts.ModePUCT} {
		agent := greedy()
		agent.Search.Mode = mode
		m := Match{
			Config: MatchConfig{Openings: 1, Visits: 2000, Seats: 1}, Name: "royals", Workers: 1,
			Agents: [2]Agent{agent, agent}, Openings: []Opening{{Rules: r, Start: start}},
		}
		tally, err := m.Run(context.Background(), nil, nil)
		if err != nil {
			t.Fatalf("%s: %v", mode, err)
		}
		if tally.Games != 2 || tally.ByArmy[env.Western].Draws != 1 || tally.ByArmy[env.Eastern].Draws != 1 {
			t.Errorf("%s: %s", mode, tally)
		}
	}
}

// busy is an agent that never comes to an end and never asks; it calls tick at each step.
type busy struct{ tick func() }

func (a busy) Info() datasets.AgentInfo   { return datasets.AgentInfo{Kind: "busy"} }
func (a busy) Open() (Table, error)       { return a, nil }
func (a busy) Seat() Player               { return a }
func (a busy) Answer() (int, error)       { return 0, nil }
func (a busy) Start(*env.Game, Ask) error { return nil }
func (a busy) Step() (bool, error)        { a.tick(); return false, nil }
func (a busy) Result() *mcts.Result       { return nil }

// A worker whose seats are all busy without a question still ends when it is told to.
func TestBusySeatsAreInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	steps := 0
	agent := busy{func() {
		if steps++; steps == 1000 {
			cancel()
		}
	}}
	r := mustRules(t, "moddable")
	m := Match{
		Config: MatchConfig{Openings: 3, Visits: 2, Seats: 2}, Name: "busy", Workers: 1,
		Agents: [2]Agent{agent, agent}, Openings: make([]Opening, 3),
	}
	for i := range m.Openings {
		m.Openings[i] = Opening{Rules: r, Start: r.StartPosition()}
	}
	if _, err := m.Run(ctx, nil, nil); !errors.Is(err, context.Canceled) || steps > 1001 {
		t.Errorf("after %d steps: %v", steps, err)
	}
}
