package selfplay

import (
	"context"
	"strings"
	"testing"
	"time"

	"synochess/datasets"
	"synochess/env"
	"synochess/mcts"
)

func TestParseLimit(t *testing.T) {
	for _, c := range []struct {
		text string
		want Limit
		as   string
	}{
		{"nodes=800", Limit{Visits: 800}, "nodes=800"},
		{"visits=800", Limit{Visits: 800}, "nodes=800"},
		{"depth=2", Limit{Depth: 2}, "depth=2"},
		{"movetime=1.5s", Limit{MoveTime: 1500 * time.Millisecond}, "movetime=1.5s"},
		{"clock=60s+0.6s", Limit{Base: time.Minute, Increment: 600 * time.Millisecond}, "clock=1m0s+600ms"},
		{"clock=5m", Limit{Base: 5 * time.Minute}, "clock=5m0s+0s"},
	} {
		got, err := ParseLimit(c.text)
		if err != nil || got != c.want || got.String() != c.as {
			t.Errorf("%s: %+v (%s), %v", c.text, got, got, err)
		}
		if again, err := ParseLimit(got.String()); err != nil || again != got {
			t.Errorf("%s: read back as %+v, %v", c.text, again, err)
		}
	}
	for _, text := range []string{"", "800", "nodes=", "nodes=0", "nodes=-1", "nodes=2x", "plies=3", "movetime=5", "movetime=0s", "clock=-1s", "clock=1s+", "clock=1s+x", "depth=1.5"} {
		if l, err := ParseLimit(text); err == nil || !strings.Contains(err.Error(), "limit") {
			t.Errorf("%q: %+v, error %v", text, l, err)
		}
	}
}

func TestShareOfAClock(t *testing.T) {
	c := Clock{Left: [2]time.Duration{time.Minute, 100 * time.Millisecond}, Increment: [2]time.Duration{time.Second, time.Second}}
	if got := c.share(env.Western); got != 2*time.Second+800*time.Millisecond {
		t.Errorf("a thirtieth of a minute and most of a second: %v", got)
	}
	if got := c.share(env.Eastern); got != 80*time.Millisecond {
		t.Errorf("never more than there is: %v", got)
	}
}

// slow plays the first legal move and says that it took its time: [army] for a move.
type slow struct{ used [2]time.Duration }

func (a slow) Info() datasets.AgentInfo { return datasets.AgentInfo{Kind: "slow"} }
func (a slow) Open() (Table, error)     { return &slowTable{agent: a}, nil }

type slowTable struct{ agent slow }

func (t *slowTable) Seat() Player         { return &slowPlayer{agent: t.agent} }
func (t *slowTable) Answer() (int, error) { return 0, nil }

type slowPlayer struct {
	agent slow
	army  env.Army
	r     mcts.Result
}

func (p *slowPlayer) Start(g *env.Game, ask Ask) error {
	p.army, p.r.Best = g.Position().SideToMove(), g.LegalMoves()[0]
	return nil
}
func (p *slowPlayer) Step() (bool, error)  { return true, nil }
func (p *slowPlayer) Result() *mcts.Result { return &p.r }
func (p *slowPlayer) Waiting() bool        { return false }
func (p *slowPlayer) Used() time.Duration  { return p.agent.used[p.army] }
func (t *slowTable) Notify(func())         {}
func (t *slowTable) Close()                {}

// TestLossesOnTime: whoever uses too much of it loses, as either army, and the other agent gets the point.
func TestLossesOnTime(t *testing.T) {
	r := mustRules(t, "moddable")
	openings, err := RandomOpenings(r, 1, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	second, over := Limit{MoveTime: time.Second}, 3*time.Second
	for _, c := range []struct {
		limit Limit
		used  time.Duration
		lost  bool
	}{
		{second, time.Second + Grace, false},
		{second, time.Second + Grace + 1, true},
		{Limit{Base: 2 * time.Second, Increment: over}, over, true},         // before the increment
		{Limit{Base: 4 * time.Second, Increment: over}, over, false},        // which pays for every move
		{Limit{Base: 10 * time.Second, Increment: time.Second}, over, true}, // after some moves
		{Limit{Visits: 5}, time.Hour, false},
	} {
		for _, loser := range []env.Army{env.Western, env.Eastern} {
			a := slow{}
			a.used[loser] = c.used
			m := Match{
				Config: MatchConfig{Openings: 1, Visits: 2, Seats: 1}, Workers: 1, Openings: openings,
				Agents: [2]Agent{a, a}, Limits: [2]Limit{c.limit, c.limit},
			}
			tally, err := m.Run(context.Background(), func(g *datasets.Game) error {
				lost := g.Ending == datasets.Forfeit && g.Result == env.WinFor(loser.Other()) && strings.HasPrefix(g.Note, LostOnTime)
				if lost != c.lost || g.Ending == datasets.Forfeit != c.lost {
					t.Errorf("%s, %v a move as %s: %s, %s, %q", c.limit, c.used, loser, g.Result, g.Ending, g.Note)
				}
				return nil
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !c.lost {
				continue
			}
			if own, other := tally.ByArmy[loser], tally.ByArmy[loser.Other()]; own != (Count{Losses: 1}) || other != (Count{Wins: 1}) {
				t.Errorf("%s as %s: %+v and %+v", c.limit, loser, own, other)
			}
			if n := tally.Failures["slow as "+loser.String()+": "+LostOnTime]; n != 2 {
				t.Errorf("%s as %s: failures %v", c.limit, loser, tally.Failures)
			}
		}
	}
}
