package selfplay

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"synochess/env"
)

// Opening is how the games of a pair begin: a position and moves from there.
type Opening struct {
	Rules *env.Rules
	Start env.Position
	Line  []env.Move
}

// Name identifies the opening: its moves in UCI notation, after the FEN where that is not the rule
// set's own start.
func (o *Opening) Name() string {
	var b strings.Builder
	start := o.Rules.StartPosition()
	if o.Start != start {
		b.WriteString(o.Rules.FEN(&o.Start))
	}
	for _, m := range o.Line {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(o.Rules.MoveString(m))
	}
	return b.String()
}

// RandomOpenings returns n distinct openings of the given number of uniformly random plies after which
// the game is still undecided: it is not over, and neither side can end it by force at once (the mover
// has no winning move, and at least one move that neither loses nor lets the opponent win on the spot).
// They depend on the seed alone.
func RandomOpenings(r *env.Rules, n, plies int, seed uint64) ([]Opening, error) {
	rng := rand.New(rand.NewPCG(seed, 0x0be9))
	seen := map[uint64]bool{}
	var all []Opening
	for try := 0; len(all) < n; try++ {
		if try >= 1000*(n+1) {
			return nil, fmt.Errorf("openings: only %d of %d distinct undecided positions found %d plies after the start of %s; ask for fewer, or for more plies",
				len(all), n, plies, r.Name)
		}
		g := env.RandomGame(r, plies, rng)
		if g.Outcome().Over() || seen[g.Position().Hash()] || !undecided(r, g.Position()) {
			continue
		}
		seen[g.Position().Hash()] = true
		all = append(all, Opening{Rules: r, Start: r.StartPosition(), Line: append([]env.Move(nil), g.Moves()...)})
	}
	return all, nil
}

// undecided reports whether neither side can decide the game within two plies.
func undecided(r *env.Rules, p *env.Position) bool {
	mover := p.SideToMove()
	holds := false
	for _, m := range r.Legal(p, nil) {
		var next env.Position
		r.Apply(p, m, &next)
		switch o := r.Outcome(&next); {
		case o.Result == env.WinFor(mover):
			return false
		case !o.Over():
			holds = holds || !winsAtOnce(r, &next)
		}
	}
	return holds
}

// winsAtOnce reports whether the side to move has a move that wins on the spot.
func winsAtOnce(r *env.Rules, p *env.Position) bool {
	for _, m := range r.Legal(p, nil) {
		var next env.Position
		r.Apply(p, m, &next)
		if r.Outcome(&next).Result == env.WinFor(p.SideToMove()) {
			return true
		}
	}
	return false
}
