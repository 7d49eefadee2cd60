package uciengine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"synochess/env"
)

// perftDepth is how far leaves are counted: 3 plies hold drops, checks and the first faceoffs.
const perftDepth = 3

// prove makes sure that the engine plays by the rules. The engine must confirm the variant and count as many leaves
// as we do; one that cannot count must play legal moves in positions that have few.
func (e *Engine) prove(ctx context.Context, r *env.Rules) error {
	p, err := e.confirm(ctx, r)
	if err != nil {
		return err
	}
	defer p.quit()
	defer context.AfterFunc(ctx, p.kill)()
	start := r.StartPosition()
	want := r.Perft(&start, perftDepth)
	got, counted, err := e.count(p, r)
	switch {
	case err != nil:
		return err
	case counted && got != want:
		return fmt.Errorf("it does not play by the rules of %s: `go perft %d` from the start counts %d leaves there and %d here", r.Name, perftDepth, got, want)
	case counted:
		return nil
	}
	p.kill() // whatever it is doing
	again, err := e.confirm(ctx, r)
	if err != nil {
		return err
	}
	defer again.quit()
	defer context.AfterFunc(ctx, again.kill)()
	return e.walk(again, r)
}

// confirm starts a process and sets the variant, which it must either announce or list.
func (e *Engine) confirm(ctx context.Context, r *env.Rules) (*process, error) {
	p, err := startProcess(e.cfg)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, p.kill)()
	known, err := e.greet(p)
	if err != nil {
		return nil, err
	}
	name := e.variant(r)
	announced := false
	err = e.setVariant(p, r)
	if err == nil {
		err = e.ready(p, func(line string) {
			words := strings.Fields(line)
			announced = announced || len(words) >= 4 && slices.Equal(words[:4], []string{"info", "string", "variant", name})
		})
	}
	listed := slices.Contains(strings.Fields(known["uci_variant"]), name)
	if err == nil && !announced && !listed {
		err = fmt.Errorf("it does not know the variant %q: it neither lists it under UCI_Variant nor answers with `info string variant %s`; "+
			"an engine's own name for %s is given in a file of engines, under variants", name, name, r.Name)
	}
	if err != nil {
		p.kill()
		return nil, err
	}
	return p, nil
}

// count asks for the number of leaves perftDepth plies below the start; counted is false if the engine has no such
// command.
func (e *Engine) count(p *process, r *env.Rules) (leaves uint64, counted bool, err error) {
	start := r.StartPosition()
	if err := p.tell("position fen "+r.FEN(&start), fmt.Sprintf("go perft %d", perftDepth)); err != nil {
		return 0, false, err
	}
	const words = "Nodes searched: "
	line, err := p.until(e.patience(), func(line string) bool {
		return strings.HasPrefix(line, words) || strings.HasPrefix(line, "bestmove")
	})
	if errors.Is(err, errSilent) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("`go perft %d`: %w%s", perftDepth, err, p.complaint())
	}
	number, ok := strings.CutPrefix(line, words)
	if !ok {
		return 0, false, nil
	}
	leaves, err = strconv.ParseUint(strings.TrimSpace(number), 10, 64)
	if err != nil {
		return 0, false, fmt.Errorf("`go perft %d`: it says %.80q, which is not a count", perftDepth, line)
	}
	return leaves, true, nil
}

// walk lets the engine move in positions of random games. Most of them have few legal moves, so an engine with other
// rules is likely to play an illegal one.
func (e *Engine) walk(p *process, r *env.Rules) error {
	for _, position := range narrow(r, 64) {
		fen := r.FEN(&position)
		if err := p.tell("ucinewgame", "position fen "+fen, "go depth 1"); err != nil {
			return err
		}
		line, err := p.until(e.patience(), isBestMove)
		if err != nil {
			return fmt.Errorf("`go depth 1` in %s: %w%s", fen, err, p.complaint())
		}
		if _, err := r.ParseMove(&position, bestMove(line)); err != nil {
			return fmt.Errorf("it does not play by the rules of %s: in %s it plays %q: %w", r.Name, fen, bestMove(line), err)
		}
	}
	return nil
}

// narrow returns n undecided positions, always the same: the start, and of random games the position with the fewest
// legal moves.
func narrow(r *env.Rules, n int) []env.Position {
	all := []env.Position{r.StartPosition()}
	rng := rand.New(rand.NewPCG(1, 0xca1e))
	for len(all) < n {
		g := env.NewGame(r, r.StartPosition())
		kept, fewest := *g.Position(), 1<<30
		for g.Ply() < 120 && !g.Outcome().Over() {
			if n := len(g.LegalMoves()); n < fewest {
				kept, fewest = *g.Position(), n
			}
			g.PlayRandom(rng)
		}
		all = append(all, kept)
	}
	return all
}

func isBestMove(line string) bool { return line == "bestmove" || strings.HasPrefix(line, "bestmove ") }

// bestMove returns the move of a line that isBestMove, "" where there is none.
func bestMove(line string) string {
	if words := strings.Fields(line); len(words) > 1 {
		return words[1]
	}
	return ""
}
