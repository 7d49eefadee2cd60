package env

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Game is a game being played: the position, the moves so far, and what repetition needs to know. It is
// owned by one goroutine.
type Game struct {
	rules    *Rules
	start    Position
	position Position
	history  History
	moves    []Move
	legal    []Move // of position
	inCheck  bool
	outcome  Outcome
}

// NewGame begins a game at a position of the rule set. The position counts as its first occurrence; it
// may be over already.
func NewGame(r *Rules, start Position) *Game {
	g := &Game{rules: r, start: start, position: start}
	g.inCheck = r.InCheck(&start)
	g.history.Reset(&start, g.inCheck)
	g.judge()
	return g
}

// judge lists the legal moves of the position and decides whether it ends the game.
func (g *Game) judge() {
	g.legal = g.rules.Legal(&g.position, g.legal[:0])
	g.outcome = g.rules.OutcomeGiven(&g.position, len(g.legal), g.inCheck)
	if !g.outcome.Over() {
		g.outcome = g.history.RepetitionOutcome(g.rules)
	}
}

// ErrGameOver is the error of a move after the end of the game.
var ErrGameOver = errors.New("the game is over")

// Play makes a move. It refuses an illegal move and any move after the end, and then leaves the game as
// it was.
func (g *Game) Play(m Move) error {
	if g.outcome.Over() {
		return fmt.Errorf("move %s: %w (%s, %s)", g.rules.MoveString(m), ErrGameOver, g.outcome.Result, g.outcome.Reason)
	}
	if !slices.Contains(g.legal, m) {
		return fmt.Errorf("move %s is illegal: %w", g.rules.MoveString(m), g.rules.explain(&g.position, m))
	}
	g.play(m)
	return nil
}

// PlayUCI makes a move given in UCI notation. The error says what is wrong with the notation, or why the move is refused.
func (g *Game) PlayUCI(text string) error {
	m, err := g.rules.ParseMove(&g.position, text)
	if err != nil {
		return err
	}
	return g.Play(m)
}

// PlayRandom makes one of the legal moves, each as likely as the others. The game must not be over.
func (g *Game) PlayRandom(rng *rand.Rand) { g.play(g.legal[rng.IntN(len(g.legal))]) }

// RandomGame plays random moves from the rule set's start, so many plies or until the game is over.
func RandomGame(r *Rules, plies int, rng *rand.Rand) *Game {
	g := NewGame(r, r.StartPosition())
	for g.Ply() < plies && !g.Outcome().Over() {
		g.PlayRandom(rng)
	}
	return g
}

// play makes a legal move.
func (g *Game) play(m Move) {
	before := g.position
	g.rules.Apply(&before, m, &g.position)
	g.inCheck = g.rules.InCheck(&g.position)
	g.history.Push(&g.position, g.inCheck, g.position.plyCount == 0)
	g.moves = append(g.moves, m)
	g.judge()
}

// Start returns the position that the game began with.
func (g *Game) Start() Position { return g.start }

// Position returns the current position; it is the game's own and must not be changed.
func (g *Game) Position() *Position { return &g.position }

// Outcome returns how the game ended, the zero value while it goes on.
func (g *Game) Outcome() Outcome { return g.outcome }

// Rules returns the game's rule set.
func (g *Game) Rules() *Rules { return g.rules }

// Ply returns the number of moves played.
func (g *Game) Ply() int { return len(g.moves) }

// Moves returns the moves played; they are the game's own and must not be changed.
func (g *Game) Moves() []Move { return g.moves }

// History returns the positions so far, to be copied with CopyFrom by whoever wants to go on from here.
func (g *Game) History() *History { return &g.history }

// Repetitions returns how often the current position has occurred before.
func (g *Game) Repetitions() int { return g.history.Occurrences() }

// LegalMoves returns the legal moves of the position, whether or not the game is over by repetition or
// ply count. They are the game's own, must not be changed, and are valid until the next move.
func (g *Game) LegalMoves() []Move { return g.legal }

// InCheck reports whether the side to move is in check.
func (g *Game) InCheck() bool { return g.inCheck }

// InCheck reports whether the royal of the side to move is attacked. A faceoff is no attack.
func (r *Rules) InCheck(p *Position) bool { return r.attackedRoyal(p, p.side) }

// attackedRoyal reports whether army a's royal is attacked.
func (r *Rules) attackedRoyal(p *Position, a Army) bool {
	if a == Western {
		return r.kingAttackers(p, p.king, p.Occupied()) != 0
	}
	return r.chancellorAttackers(p, p.chancellor, p.Occupied()) != 0
}

// Faceoff reports whether the royals face each other on a line of the rule set; never where the rule
// set has no faceoff.
func (r *Rules) Faceoff(p *Position) bool { return r.kingFaces(p, p.king, p.western|p.eastern) }

// campmate reports whether army a's royal has reached the rank on which it wins.
func (r *Rules) campmate(p *Position, a Army) bool {
	if a == Western {
		return r.campmateSquares[Western]>>(p.king&63)&1 != 0
	}
	return r.campmateSquares[Eastern]>>(p.chancellor&63)&1 != 0
}

// ended reports whether the last move ended the game by itself, whatever could be played now.
func (r *Rules) ended(p *Position) bool { return r.Faceoff(p) || r.campmate(p, p.side.Other()) }

// Outcome judges the position by itself, without its history: faceoff, campmate, checkmate or
// stalemate, no progress, in this order of precedence.
func (r *Rules) Outcome(p *Position) Outcome {
	return r.OutcomeGiven(p, r.CountLegal(p), r.InCheck(p))
}

// OutcomeGiven does the same for a caller that knows the number of legal moves and whether the side to
// move is in check.
func (r *Rules) OutcomeGiven(p *Position, numLegal int, inCheck bool) Outcome {
	mover, waiting := p.side, p.side.Other()
	switch {
	case r.Faceoff(p):
		return Outcome{WinFor(mover), FaceoffLoss}
	case r.campmate(p, waiting):
		return Outcome{WinFor(waiting), Campmate}
	case numLegal == 0 && inCheck:
		return Outcome{WinFor(waiting), Checkmate}
	case numLegal == 0 && r.Stalemate == VerdictLoss:
		return Outcome{WinFor(waiting), Stalemate}
	case numLegal == 0:
		return Outcome{Draw, Stalemate}
	case int(p.plyCount) >= r.NoProgressPlies:
		return Outcome{Draw, NoProgress}
	}
	return Outcome{}
}
