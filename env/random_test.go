package env

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestRandomRules plays random games of random rule sets and checks each position. Built with the tag
// slowcheck, it compares every move list of theirs with the slow generator's.
func TestRandomRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 150 {
		r := randomRules(rng)
		g := NewGame(r, r.StartPosition())
		for g.Ply() < 200 && !g.Outcome().Over() {
			checkPlay(t, g)
			if t.Failed() {
				t.Fatalf("in\n%s", r.Canonical())
			}
			g.PlayRandom(rng)
		}
	}
}

// checkPlay checks what holds in every position of every game.
func checkPlay(t testing.TB, g *Game) {
	r, p := g.Rules(), g.Position()
	fen := r.FEN(p)
	if n := r.CountLegal(p); n != len(g.LegalMoves()) {
		t.Errorf("%s: CountLegal is %d, Legal has %d", fen, n, len(g.LegalMoves()))
	}
	if p.Hash() != p.computeHash() {
		t.Errorf("%s: the hash has drifted", fen)
	}
	if !r.Faceoff(p) {
		if again, err := r.ParseFEN(fen); err != nil || again != *p {
			t.Errorf("%s does not come back: %v", fen, err)
		}
	}
	for _, m := range g.LegalMoves() {
		if back, err := r.ParseMove(p, r.MoveString(m)); err != nil || back != m {
			t.Errorf("%s: move %s comes back as %s, %v", fen, r.MoveString(m), r.MoveString(back), err)
		}
	}
}

// TestNoAllocations proves that generating, applying, judging and the history leave the heap alone.
func TestNoAllocations(t *testing.T) {
	if raceEnabled || slowcheckEnabled {
		t.Skip("the race detector and the slow checks allocate")
	}
	for _, name := range BuiltinNames() {
		r := builtin(t, name)
		p := r.StartPosition()
		moves := make([]Move, 0, 256)
		var history History
		history.Reset(&p, false)
		var next Position
		work := func() {
			moves = r.Legal(&p, moves[:0])
			for _, m := range moves {
				r.Apply(&p, m, &next)
				inCheck := r.InCheck(&next)
				history.Push(&next, inCheck, false)
				if r.OutcomeGiven(&next, r.CountLegal(&next), inCheck).Over() || history.RepetitionOutcome(r).Over() {
					t.Error("the game is over after one move")
				}
				history.Pop()
			}
			if !r.IsLegal(&p, moves[0]) {
				t.Error("a legal move is not legal")
			}
		}
		if n := testing.AllocsPerRun(10, work); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	if size := unsafe.Sizeof(Position{}); size != 120 {
		t.Errorf("a Position has %d bytes; the documentation says 120", size)
	}
}
