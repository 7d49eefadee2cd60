package datasets

import (
	"errors"
	"fmt"

	"synochess/env"
)

// Fault is a stored game that contradicts the rules.
type Fault struct {
	Path string
	Game uint64
	Err  error
}

// Error names file, game and fault.
func (f *Fault) Error() string { return fmt.Sprintf("%s: game %d: %v", f.Path, f.Game, f.Err) }

// Verifier replays games through the rules. Its zero value is ready. It belongs to one goroutine.
type Verifier struct{ rules RuleSets }

// Check replays a game and returns what is wrong with it: a start position or a move the rules refuse,
// moves after the end, a result or reason the rules do not give, a full search that does not list
// exactly the legal moves, a searched move that is illegal. Ranges and sums are Validate's part, which
// it calls first.
func (v *Verifier) Check(g *Game) error {
	if err := g.Validate(); err != nil {
		return err
	}
	r, err := v.rules.Of(g)
	if err != nil {
		return err
	}
	if r.Canonical() != g.Rules {
		return errors.New("the stored rules are not in canonical form")
	}
	start, err := g.startPosition(r)
	if err != nil {
		return err
	}
	if r.FEN(&start) != g.StartFEN {
		return fmt.Errorf("start position %q is not written as %q", g.StartFEN, r.FEN(&start))
	}
	if own := r.StartPosition(); g.Start == FromStart && start != own {
		return fmt.Errorf("start position %q, but start kind %q and the rules begin with %q", g.StartFEN, g.Start, r.FEN(&own))
	}
	end, err := g.Replay(r, func(game *env.Game, ply int) error { return checkActions(r, game.LegalMoves(), &g.Plies[ply]) })
	if err != nil {
		return err
	}
	return checkEnd(g, end)
}

// checkActions compares the actions of a ply with the legal moves.
func checkActions(r *env.Rules, legal []env.Move, p *Ply) error {
	if p.Search == FullSearch && len(p.Actions) != len(legal) {
		return fmt.Errorf("a full search lists %d actions where %d moves are legal", len(p.Actions), len(legal))
	}
	var known moveSet
	for _, m := range legal {
		known.add(m)
	}
	for i := range p.Actions {
		if m := p.Actions[i].Move; !known.has(m) {
			return fmt.Errorf("action %d: move %s is illegal", i, r.MoveString(m))
		}
	}
	return nil
}

// checkEnd compares how a game is said to have ended with what the rules say of its last position.
func checkEnd(g *Game, rules env.Outcome) error {
	switch {
	case g.Ending == Void:
		return nil
	case g.Ending == ByRules && (env.Outcome{Result: g.Result, Reason: g.Reason}) != rules:
		return fmt.Errorf("stored as %s %s, the rules say %s %s", g.Result, g.Reason, rules.Result, rules.Reason)
	case g.Ending != ByRules && rules.Over():
		return fmt.Errorf("stored as ended by %q, but the rules say %s %s", g.Ending, rules.Result, rules.Reason)
	}
	return nil
}

// Verify checks every game of the files and returns how many it checked, and their faults. A file that cannot
// be read, or not to its end, is a fault with game 0.
func Verify(paths []string) (checked int, faults []*Fault) {
	var v Verifier
	for _, path := range paths {
		for g, err := range ReadFile(path) {
			if err != nil {
				faults = append(faults, &Fault{Path: path, Err: err})
				break
			}
			checked++
			if err := v.Check(g); err != nil {
				faults = append(faults, &Fault{Path: path, Game: g.Number, Err: err})
			}
		}
	}
	return checked, faults
}
