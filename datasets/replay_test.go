package datasets

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"synochess/env"
)

// Games of many rule sets get their own each, and no more of them are remembered than there is room for.
func TestRuleSets(t *testing.T) {
	g := playedGame(t, "moddable", 1, 4)
	base, err := env.Builtin("moddable")
	if err != nil {
		t.Fatal(err)
	}
	var sets RuleSets
	for i := range keptRules + 3 {
		r, err := base.With(map[string]any{"name": fmt.Sprint("set ", i), "no_progress_plies": 20 + i%7})
		if err != nil {
			t.Fatal(err)
		}
		g.Rules, g.RulesHash, g.GroupHash = r.Canonical(), r.Hash(), r.GroupHash()
		for range 2 {
			if got, err := sets.Of(g); err != nil || got.Canonical() != g.Rules {
				t.Fatalf("rule set %d: %v, %v", i, got, err)
			}
		}
	}
	if n := len(sets.byText); n != 3 {
		t.Errorf("%d rule sets are remembered after %d, want the last 3", n, keptRules+3)
	}
}

// Each is called once a ply with the position that the ply was played in.
func TestReplay(t *testing.T) {
	g := playedGame(t, "pychess", 3, 12)
	var sets RuleSets
	r, err := sets.Of(g)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	end, err := g.Replay(r, func(game *env.Game, ply int) error {
		if ply != seen || game.Ply() != ply || game.Position().SideToMove() != g.Mover(ply) {
			t.Errorf("call %d: ply %d, game at ply %d", seen, ply, game.Ply())
		}
		seen++
		return nil
	})
	if err != nil || end.Over() || seen != len(g.Plies) {
		t.Errorf("%d calls for %d plies, end %v, %v", seen, len(g.Plies), end, err)
	}
	broken := errors.New("broken")
	_, err = g.Replay(r, func(_ *env.Game, ply int) error {
		if ply == 5 {
			return broken
		}
		return nil
	})
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "ply 5: ") {
		t.Errorf("error %v", err)
	}
}
