package uci

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"synochess/cmd/internal/textboard"
	"synochess/env"
)

// setPosition makes p the position, without a history.
func (e *Engine) setPosition(r *env.Rules, p env.Position) {
	e.rules, e.game = r, env.NewGame(r, p)
}

// position obeys `position startpos|fen ... [moves ...]`. One that is refused leaves no position: nothing is
// answered for the one before.
func (e *Engine) position(rest string) error {
	g, err := e.parsePosition(strings.Fields(rest))
	e.game = g
	if err != nil {
		return fmt.Errorf("position: %w", err)
	}
	return nil
}

func (e *Engine) parsePosition(words []string) (*env.Game, error) {
	if len(words) == 0 {
		return nil, errors.New("want `position startpos` or `position fen FEN`, then `moves ...`")
	}
	setup, moves := words, []string(nil)
	if i := slices.Index(words, "moves"); i >= 0 {
		setup, moves = words[:i], words[i+1:]
	}
	var start env.Position
	switch {
	case len(setup) == 1 && setup[0] == "startpos":
		start = e.rules.StartPosition()
	case len(setup) > 0 && setup[0] == "fen":
		fen := setup[1:]
		if len(fen) == 4 { // as boards write it that keep no counts
			fen = append(slices.Clone(fen), "0", "1")
		}
		var err error
		if start, err = e.rules.ParseFEN(strings.Join(fen, " ")); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("%q is neither `startpos` nor `fen FEN`", strings.Join(setup, " "))
	}
	g := env.NewGame(e.rules, start)
	for i, text := range moves {
		g = playOn(g)
		if o := g.Outcome(); o.Over() {
			return nil, fmt.Errorf("move %d (%s) comes after the end of the game: %s %s", i+1, text, o.Result, o.Reason)
		}
		if err := g.PlayUCI(text); err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return g, nil
}

// playOn returns a game that goes on where g ended by a rule about its course: by repetition or for want of
// progress. Who asks for a move there did not claim the draw, and other engines answer. It remembers nothing of
// what came before. A game that has not ended, or by what is on the board, stays as it is.
func playOn(g *env.Game) *env.Game {
	if r := g.Outcome().Reason; r != env.Repetition && r != env.Perpetual && r != env.NoProgress {
		return g
	}
	on := env.NewGame(g.Rules(), *g.Position())
	if on.Outcome().Reason != env.NoProgress {
		return on
	}
	fen := strings.Fields(g.Rules().FEN(g.Position()))
	fen[len(fen)-2] = "0"
	p, err := g.Rules().ParseFEN(strings.Join(fen, " "))
	if err != nil {
		return g
	}
	return env.NewGame(g.Rules(), p)
}

// errNoPosition answers what needs a position after one was refused.
var errNoPosition = errors.New("there is no position: the last one was refused")

// display obeys `d`.
func (e *Engine) display() error {
	if e.game == nil {
		return errNoPosition
	}
	p := e.game.Position()
	board := textboard.Draw(e.rules, p, textboard.View{})
	check := "no"
	if e.game.InCheck() {
		check = "yes"
	}
	o := e.game.Outcome()
	e.out.say(board + "\nFen: " + e.rules.FEN(p) + "\nCheck: " + check +
		"\nResult: " + strings.TrimSpace(o.Result.String()+" "+o.Reason.String()))
	return nil
}
