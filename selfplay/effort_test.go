package selfplay

import (
	"context"
	"strings"
	"testing"

	"synochess/datasets"
	"synochess/mcts"
)

// A match tells by which algorithm each side searched, what visits were really made, and how many searches
// were cut because the tree was full; the games tell it too.
func TestEffortOfAMatch(t *testing.T) {
	cut, whole := greedy(), greedy()
	cut.Kind, cut.Settings, cut.Search.Mode, cut.Search.MaxNodes = "cut", "{}", mcts.ModePUCT, 30
	whole.Kind, whole.Search.Mode = "whole", mcts.ModeGumbel
	openings, err := RandomOpenings(mustRules(t, "moddable"), 2, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := Match{
		Config: MatchConfig{Openings: 2, Visits: 40, Seats: 2}, Name: "effort", Workers: 1,
		Agents: [2]Agent{cut, whole}, Openings: openings,
	}
	var games []*datasets.Game
	tally, err := m.Run(context.Background(), func(g *datasets.Game) error { games = append(games, g); return nil }, nil)
	if err != nil {
		t.Fatal(err)
	}
	var want [2]Effort
	most := [2]uint32{}
	for _, g := range games {
		for i, p := range g.Plies {
			agent := 0
			if g.Agents[g.Mover(i)].Kind == "whole" {
				agent = 1
			}
			if p.Search != datasets.NoSearch {
				want[agent].Searches++
				want[agent].Visits += int(p.Visits)
				most[agent] = max(most[agent], p.Visits)
			}
		}
		for _, a := range g.Agents {
			if a.Kind == "cut" && (!strings.HasPrefix(a.Settings, "algorithm=puct full_trees=") || !strings.HasSuffix(a.Settings, " {}")) ||
				a.Kind == "whole" && a.Settings != "algorithm=gumbel nodes=40" {
				t.Errorf("game %d: settings of %s are %q", g.Number, a.Kind, a.Settings)
			}
		}
	}
	for i, e := range tally.Effort {
		if e.Searches != want[i].Searches || e.Visits != want[i].Visits || e.Searches == 0 {
			t.Errorf("%s: %+v, the games say %+v", tally.Agents[i], e, want[i])
		}
	}
	a, b := tally.Effort[0], tally.Effort[1]
	if most[0] > 29 || most[1] != 40 || a.Full == 0 || a.Full > a.Searches || b.Full != 0 || a.Algorithm != mcts.ModePUCT || b.Algorithm != mcts.ModeGumbel {
		t.Errorf("most visits %v, %+v, %+v", most, a, b)
	}
	for _, text := range []string{"cut made ", "visits a search (puct); ", "their trees full: raise search.max_nodes", "visits a search (gumbel)\n", "by different algorithms"} {
		if !strings.Contains(tally.String(), text) {
			t.Errorf("%q is not in\n%s", text, tally)
		}
	}
}

// Budgets on both sides of auto's limit are two algorithms; an agent without a search has none.
func TestAlgorithmsOfAGame(t *testing.T) {
	var s searched
	info := datasets.AgentInfo{Settings: "{}"}
	s.sign(&info)
	if info.Settings != "{}" || searchedIn(&info) != s {
		t.Errorf("settings %q", info.Settings)
	}
	for _, algorithm := range []string{mcts.ModePUCT, "", mcts.ModeGumbel, mcts.ModePUCT} {
		s.note(&mcts.Result{Algorithm: algorithm, Full: algorithm == mcts.ModeGumbel})
	}
	s.sign(&info)
	if info.Settings != "algorithm=gumbel+puct full_trees=1 {}" || searchedIn(&info) != s {
		t.Errorf("settings %q, read back %+v", info.Settings, searchedIn(&info))
	}
}
