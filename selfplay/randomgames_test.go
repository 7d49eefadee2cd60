package selfplay

import (
	"testing"

	"synochess/env"
)

// Random positions have both armies to move and come from many games.
func TestRandomPositions(t *testing.T) {
	rules, err := NewRuleSource([]RuleEntry{{Name: "moddable", Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	armies := map[env.Army]int{}
	starts, n := 0, 0
	err = rules.RandomPositions(200, func(g *env.Game) {
		n++
		armies[g.Position().SideToMove()]++
		if g.Ply() == 0 {
			starts++
		}
	})
	if err != nil || n != 200 || armies[env.Western] < 60 || armies[env.Eastern] < 60 || starts < 3 {
		t.Errorf("%d positions, %v to move, %d games: %v", n, armies, starts, err)
	}
}
