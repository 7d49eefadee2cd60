// Package level names strengths to play at, from a beginner's to all that the program has. What each is worth stands in
// docs/model-card.md.
package level

import (
	"fmt"
	"math/rand/v2"

	"synochess/mcts"
)

// Level says how a move is searched.
type Level struct {
	Visits int  // simulations
	Noise  bool // Gumbel noise at the root: with few visits a move is drawn as the network's policy has it, good or bad
}

// levels are the strengths below the full one, weakest first.
var levels = []Level{
	{1, true},
	{4, true},
	{16, true},
	{16, false},
	{64, false},
	{256, false},
	{1000, false},
	{4000, false},
}

// Full is the number of the level that limits nothing.
var Full = len(levels) + 1

// Of returns a level that limits the search, from 1 to Full-1.
func Of(n int) (Level, error) {
	if n < 1 || n >= Full {
		return Level{}, fmt.Errorf("level %d: want 1 to %d", n, Full-1)
	}
	return levels[n-1], nil
}

// Limit makes a search that of the level. Nothing is kept from the move before, so that a level is as strong in every
// position.
func (l Level) Limit(c *mcts.Config, o *mcts.Options) {
	o.Visits, o.FreshRoot = min(o.Visits, l.Visits), true
	if l.Noise {
		c.Mode = mcts.ModeGumbel
		o.Noise, o.Rand = true, rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
}
