package env

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestQuietMovesAreQuiet makes every move of random games of random rule sets that LegalSharp does not list as sharp: none
// gives check, makes a faceoff or reaches a campmate. It counts the sharp ones too, so that it cannot
// pass by listing all. AppendSharp lists the same ones.
func TestQuietMovesAreQuiet(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	made, had, checks := 0, 0, 0
	for i := range 300 >> perftCut { // every move of each is made, and may be checked slowly
		r := randomRules(rng)
		if i%3 == 0 {
			r = builtin(t, BuiltinNames()[i/3%len(BuiltinNames())])
		}
		g := NewGame(r, r.StartPosition())
		for g.Ply() < 200 && !g.Outcome().Over() {
			p := g.Position()
			var sharp Sharp
			r.Sharpen(p, &sharp)
			moves, listed := r.LegalSharp(p, &sharp, nil, nil)
			if !slices.Equal(moves, g.LegalMoves()) {
				t.Fatalf("%s: LegalSharp lists others than Legal", r.FEN(p))
			}
			if got, legal := r.AppendSharp(p, &sharp, nil); legal != len(moves) || !slices.EqualFunc(got, listed, func(m Move, l SharpMove) bool { return m == l.Move }) {
				t.Fatalf("%s: AppendSharp lists %v of %d moves, LegalSharp %v of %d; in\n%s", r.FEN(p), got, legal, listed, len(moves), r.Canonical())
			}
			for i, m := range g.LegalMoves() {
				isSharp := len(listed) > 0 && int(listed[0].Index) == i
				if isSharp {
					if listed[0].Move != m {
						t.Fatalf("%s: %s is listed as number %d, which is %s", r.FEN(p), r.MoveString(listed[0].Move), i, r.MoveString(m))
					}
					listed = listed[1:]
				}
				var next Position
				r.Apply(p, m, &next)
				made++
				check := r.InCheck(&next)
				if check {
					checks++
				}
				switch {
				case isSharp:
					had++
				case check || r.ended(&next):
					t.Fatalf("%s: %s is not sharp; check %v, faceoff or campmate %v; in\n%s",
						r.FEN(p), r.MoveString(m), check, r.ended(&next), r.Canonical())
				}
			}
			if len(listed) > 0 {
				t.Fatalf("%s: %d sharp moves too many", r.FEN(p), len(listed))
			}
			if got, want := r.HasLegal(p), len(g.LegalMoves()) > 0; got != want {
				t.Fatalf("%s: HasLegal is %v", r.FEN(p), got)
			}
			g.PlayRandom(rng)
		}
	}
	t.Logf("%d moves, %d sharp, %d checks", made, had, checks)
	if checks < made/100 || had > made/2 {
		t.Errorf("of %d moves %d are sharp and %d give check: this tests little", made, had, checks)
	}
}
