package play

import (
	"context"
	"strings"

	"synochess/env"
)

const help = `  e2e4, a7a8q, e1g1   a move: from, to, and the piece promoted to; castling is the King's move
  S@d5                a drop of a Soldier from hand
  moves [e2]          the legal moves, all or from one square
  hint                what the program would play
  undo                take back to your last turn
  board, flip, fen    show the board, turn it round, print the position
  new                 start again
  quit                leave`

// do obeys one line, given as its words. An error ends the session.
func (s *session) do(ctx context.Context, words []string) error {
	if len(words) == 0 {
		return nil
	}
	switch strings.ToLower(words[0]) {
	case "help", "?":
		s.say(help)
	case "quit", "exit", "q":
		s.ended = true
	case "board":
		s.draw = true
	case "flip":
		s.View.Flipped = !s.View.Flipped
		s.draw = true
	case "fen":
		s.say("%s", s.Rules.FEN(s.game.Position()))
	case "new":
		s.game = env.NewGame(s.Rules, s.Start)
		s.draw = true
	case "undo":
		return s.undo()
	case "moves":
		s.list(words[1:])
	case "hint":
		return s.hint(ctx)
	default:
		s.move(strings.Join(words, ""))
	}
	return nil
}

// move plays the person's move, or says why it cannot be played.
func (s *session) move(text string) {
	if s.game.Outcome().Over() {
		s.say("The game is over. Type undo, new or quit.")
		return
	}
	if err := s.game.PlayUCI(text); err != nil {
		s.say("%v. Type help for what can be typed.", err)
		return
	}
	s.draw = true
}

// undo takes back moves until the person is to move again.
func (s *session) undo() error {
	moves := s.game.Moves()
	n := len(moves)
	for n > 0 {
		n--
		if s.Human[s.sideAfter(n)] {
			break
		}
	}
	if n == len(moves) || !s.Human[s.sideAfter(n)] {
		s.say("There is no move of yours to take back.")
		return nil
	}
	g := env.NewGame(s.Rules, s.Start)
	for _, m := range moves[:n] {
		if err := g.Play(m); err != nil {
			return err
		}
	}
	s.game, s.draw = g, true
	return nil
}

// sideAfter returns the army to move after n plies from the start.
func (s *session) sideAfter(n int) env.Army {
	if n%2 == 0 {
		return s.Start.SideToMove()
	}
	return s.Start.SideToMove().Other()
}

// list prints legal moves, all or those that start from the named square.
func (s *session) list(squares []string) {
	var texts []string
	for _, m := range s.game.LegalMoves() {
		if text := s.Rules.MoveString(m); len(squares) == 0 || strings.HasPrefix(text, strings.ToLower(squares[0])) {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		s.say("There is no such legal move.")
		return
	}
	for len(texts) > 0 {
		n := min(12, len(texts))
		s.say("  %s", strings.Join(texts[:n], " "))
		texts = texts[n:]
	}
}

// hint prints what the program would play in the person's place.
func (s *session) hint(ctx context.Context) error {
	if s.game.Outcome().Over() {
		s.say("The game is over.")
		return nil
	}
	a, err := s.Think(ctx, s.game)
	if err != nil {
		return err
	}
	var line []string
	for _, m := range a.Line {
		line = append(line, s.Rules.MoveString(m))
	}
	s.say("It would play %s (%s), expecting %s", s.Rules.MoveString(a.Best), a.odds(), strings.Join(line, " "))
	return nil
}
