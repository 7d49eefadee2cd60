package selfplay

import (
	"math/rand/v2"

	"synochess/datasets"
	"synochess/env"
)

// DrawVerdict is when a game is given as a draw before the rules end it: the search has held a draw for
// all but certain DrawPlies times in a row. Some games are played out all the same, so that the network
// keeps seeing such endings and wrong verdicts can be counted (WouldBeDrawn).
type DrawVerdict struct {
	Value     float64 `yaml:"draw_value"`      // draw probability after a search, (0,1]; at 1 no game is adjudicated
	Plies     int     `yaml:"draw_plies"`      // searches in a row, at least 1
	PlayedOut float64 `yaml:"draw_played_out"` // share of games that are never adjudicated, [0,1]
}

// holds reports whether a verdict is possible at all.
func (v *DrawVerdict) holds() bool { return v.Value < 1 && v.PlayedOut < 1 }

// count returns how many searches in a row have seen a draw, given how many had before this one.
func (v *DrawVerdict) count(before int, after [3]float32) int {
	if float64(after[1]) >= v.Value {
		return before + 1
	}
	return 0
}

// spares reports whether a game is played out whatever its searches say. It follows from the game's seed.
func (v *DrawVerdict) spares(seed uint64) bool {
	return rand.New(rand.NewPCG(seed, 0xd4a7)).Float64() < v.PlayedOut
}

// WouldBeDrawn reports whether a game that was played out met the condition on its way, and whether the
// verdict would have been wrong: the game was won by someone. A game without a result tells nothing.
func (v *DrawVerdict) WouldBeDrawn(g *datasets.Game) (met, wrong bool) {
	if !v.holds() || g.Ending != datasets.ByRules {
		return false, false
	}
	inARow := 0
	for i := range g.Plies {
		if g.Plies[i].Search == datasets.NoSearch {
			continue
		}
		if inARow = v.count(inARow, g.Plies[i].After); inARow >= v.Plies {
			return true, g.Result != env.Draw
		}
	}
	return false, false
}
