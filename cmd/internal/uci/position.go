package uci

import (
	"fmt"
	"strings"

	"synochess/cmd/internal/textboard"
	"synochess/env"
)

// setPosition makes p the position, without a history.
func (e *Engine) setPosition(r *env.Rules, p env.Position) {
	e.rules, e.game = r, env.NewGame(r, p)
}

// position obeys `position startpos|fen ... [moves ...]`. The position changes as a whole or not at all.
func (e *Engine) position(rest string) error {
	words := strings.Fields(rest)
	if len(words) == 0 {
		return fmt.Errorf("position: want `position startpos` or `position fen FEN`, then `moves ...`")
	}
	setup, moves := words, []string(nil)
	for i, w := range words {
		if w == "moves" {
			setup, moves = words[:i], words[i+1:]
			break
		}
	}
	var start env.Position
	switch {
	case len(setup) == 1 && setup[0] == "startpos":
		start = e.rules.StartPosition()
	case len(setup) > 0 && setup[0] == "fen":
		var err error
		if start, err = e.rules.ParseFEN(strings.Join(setup[1:], " ")); err != nil {
			return fmt.Errorf("position: %w", err)
		}
	default:
		return fmt.Errorf("position: %q is neither `startpos` nor `fen FEN`", strings.Join(setup, " "))
	}
	g := env.NewGame(e.rules, start)
	for i, text := range moves {
		if o := g.Outcome(); o.Over() {
			return fmt.Errorf("position: move %d (%s) comes after the end of the game: %s %s", i+1, text, o.Result, o.Reason)
		}
		m, err := e.rules.ParseMove(g.Position(), text)
		if err == nil {
			err = g.Play(m)
		}
		if err != nil {
			return fmt.Errorf("position: move %d: %w", i+1, err)
		}
	}
	e.game = g
	return nil
}

// display obeys `d`.
func (e *Engine) display() {
	p := e.game.Position()
	board := textboard.Draw(e.rules, p, textboard.View{})
	check := "no"
	if e.game.InCheck() {
		check = "yes"
	}
	o := e.game.Outcome()
	e.out.say(board + "\nFen: " + e.rules.FEN(p) + "\nCheck: " + check +
		"\nResult: " + strings.TrimSpace(o.Result.String()+" "+o.Reason.String()))
}
