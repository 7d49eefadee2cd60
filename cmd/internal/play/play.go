// Package play is a game against the program at a terminal. It draws the board, reads moves and commands a
// line at a time, and explains what is illegal. For the program's moves and for hints it asks a function.
package play

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"synochess/cmd/internal/textboard"
	"synochess/env"
)

// Advice is what the program thinks of a position, from the view of the side to move.
type Advice struct {
	Best            env.Move
	Line            []env.Move // what it expects, Best first
	Win, Draw, Loss float32    // probabilities, sum 1
}

// Config says who plays what.
type Config struct {
	Rules *env.Rules
	Start env.Position
	Human [2]bool // [Army], played by the person
	View  textboard.View
	// Think seeks a move in a game that is not over.
	Think func(ctx context.Context, g *env.Game) (Advice, error)
}

// session is a game under way. It belongs to one goroutine.
type session struct {
	Config
	game  *env.Game
	out   io.Writer
	draw  bool // the board has changed since it was shown
	ended bool // the person wants to go
}

// Run plays until the person quits, or the input or ctx ends; input that cannot be read ends like any other.
// Its error is that of ctx, of thinking or of writing. A mistyped line is no error, and is answered on out.
func Run(ctx context.Context, cfg Config, in io.Reader, out io.Writer) error {
	s := &session{Config: cfg, out: out, draw: true, game: env.NewGame(cfg.Rules, cfg.Start)}
	s.say("Type a move such as e2e4 or S@d5 (a drop), or help.")
	watched := s.Human == [2]bool{} // nobody is asked, so every position is shown
	lines := readLines(in)
	for !s.ended {
		programMoves := !s.game.Outcome().Over() && !s.Human[s.game.Position().SideToMove()]
		if s.draw && (!programMoves || watched) {
			s.draw = false
			s.show()
		}
		if programMoves {
			if err := s.reply(ctx); err != nil {
				return err
			}
			continue
		}
		if _, err := fmt.Fprint(s.out, "> "); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case line, ok := <-lines:
			if !ok {
				s.say("")
				return nil
			}
			if err := s.do(ctx, strings.Fields(line)); err != nil {
				return err
			}
		}
	}
	return nil
}

// readLines sends lines until the input ends. Its goroutine may outlive Run by one read, because nothing can
// interrupt a read from a terminal.
func readLines(in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(in); s.Scan(); {
			lines <- s.Text()
		}
	}()
	return lines
}

func (s *session) say(format string, args ...any) { fmt.Fprintf(s.out, format+"\n", args...) }

// show draws the board and says whose turn it is or how the game has ended.
func (s *session) show() {
	v := s.View
	if moves := s.game.Moves(); len(moves) > 0 {
		last := moves[len(moves)-1]
		v.Marked = 1<<last.From() | 1<<last.To()
	}
	p := s.game.Position()
	s.say("\n%s", textboard.Draw(s.Rules, p, v))
	o := s.game.Outcome()
	switch {
	case o.Over():
		s.say("The game is over: %s (%s). Type undo, new or quit.", ending(o), o.Reason)
	case s.game.InCheck():
		s.say("%s to move, in check.", p.SideToMove())
	default:
		s.say("%s to move.", p.SideToMove())
	}
}

func ending(o env.Outcome) string {
	if o.Result == env.Draw {
		return "a draw"
	}
	winner := env.Western
	if o.Result == env.EasternWins {
		winner = env.Eastern
	}
	return fmt.Sprintf("%s wins, %s", winner, o.Result)
}

// reply lets the program move.
func (s *session) reply(ctx context.Context) error {
	army := s.game.Position().SideToMove()
	a, err := s.Think(ctx, s.game)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.game.Play(a.Best); err != nil {
		return fmt.Errorf("the program's own move: %w", err)
	}
	s.draw = true
	s.say("%s plays %s  (%s)", army, s.Rules.MoveString(a.Best), a.odds())
	return nil
}

func (a Advice) odds() string {
	return fmt.Sprintf("its chances: win %.0f%%, draw %.0f%%, loss %.0f%%", 100*a.Win, 100*a.Draw, 100*a.Loss)
}
