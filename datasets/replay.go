package datasets

import (
	"fmt"

	"synochess/env"
)

// RuleSets reads the rule sets of stored games, each text once. Its zero value is empty. It belongs to one goroutine.
type RuleSets struct{ byText map[string]*env.Rules }

// keptRules bounds the memory of rule sets, some 25 kB each: where games draw their own there is no end of them.
const keptRules = 1024

// Of returns the rule set of a game, checked against the hashes stored with it.
func (s *RuleSets) Of(g *Game) (*env.Rules, error) {
	r, ok := s.byText[g.Rules]
	if !ok {
		var err error
		if r, err = env.ParseRules([]byte(g.Rules), "stored rules"); err != nil {
			return nil, err
		}
		if s.byText == nil {
			s.byText = map[string]*env.Rules{}
		}
		if len(s.byText) == keptRules {
			clear(s.byText)
		}
		s.byText[g.Rules] = r
	}
	if r.Hash() != g.RulesHash || r.GroupHash() != g.GroupHash {
		return nil, fmt.Errorf("rules hashes are %016x and %016x, the stored rules have %016x and %016x: the game was stored with other rules than it names",
			g.RulesHash, g.GroupHash, r.Hash(), r.GroupHash())
	}
	return r, nil
}

// startPosition returns the position that the game begins with.
func (g *Game) startPosition(r *env.Rules) (env.Position, error) {
	p, err := r.ParseFEN(g.StartFEN)
	if err != nil {
		err = fmt.Errorf("start position: %w", err)
	}
	return p, err
}

// Replay plays the game again by its rule set, calls each with how it stands before every ply, and returns how the
// rules say that it has ended. A start position or a move that the rules refuse, a move after the end, and an error
// of each end it; but for the first they are named with their ply.
func (g *Game) Replay(r *env.Rules, each func(game *env.Game, ply int) error) (env.Outcome, error) {
	start, err := g.startPosition(r)
	if err != nil {
		return env.Outcome{}, err
	}
	game := env.NewGame(r, start)
	for i := range g.Plies {
		if end := game.Outcome(); end.Over() {
			return end, fmt.Errorf("ply %d: %w (%s, %s)", i, env.ErrGameOver, end.Result, end.Reason)
		}
		err := each(game, i)
		if err == nil {
			err = game.Play(g.Plies[i].Move)
		}
		if err != nil {
			return env.Outcome{}, fmt.Errorf("ply %d: %w", i, err)
		}
	}
	return game.Outcome(), nil
}
