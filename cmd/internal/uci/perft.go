package uci

import (
	"context"
	"errors"
	"fmt"

	"synochess/env"
)

// perft prints the number of leaves below each legal move.
func perft(ctx context.Context, r *env.Rules, p env.Position, depth int, out *output) {
	total := uint64(0)
	for _, m := range r.Legal(&p, nil) {
		var next env.Position
		r.Apply(&p, m, &next)
		n := leaves(ctx, r, &next, depth-1)
		if ctx.Err() != nil {
			out.complain(errors.New("perft was stopped; the counts are not complete"))
			return
		}
		total += n
		out.say(fmt.Sprintf("%s: %d", r.MoveString(m), n))
	}
	out.say(fmt.Sprintf("\nNodes searched: %d\n", total))
}

// leaves counts the leaves below a position. When ctx ends it does so soon, with a count that means nothing.
func leaves(ctx context.Context, r *env.Rules, p *env.Position, depth int) (n uint64) {
	const short = 3 // plies that take milliseconds
	if depth == 0 {
		return 1
	}
	if depth <= short {
		return r.Perft(p, depth)
	}
	if r.Perft(p, 1) == 0 { // mate, or ended by the last move, which Legal does not look at
		return 0
	}
	for _, m := range r.Legal(p, nil) {
		if ctx.Err() != nil {
			break
		}
		var next env.Position
		r.Apply(p, m, &next)
		n += leaves(ctx, r, &next, depth-1)
	}
	return n
}
