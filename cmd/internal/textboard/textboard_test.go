package textboard

import (
	"testing"

	"synochess/env"
)

const letters = `  +--------------------------------+
8 |  r   h   e   a   k   a   h   r |
7 |  .   .   c   .   .   c   .   . |
6 |  .   .   .   .   .   .   .   . |
5 |  .   .   .   .   .   .   .   . |
4 |  .   .   .   . [ P]  .   .   . |
3 |  .   .   .   .   .   .   .   . |
2 |  P   P   P   P [ .]  P   P   P |
1 |  R   N   B   Q   K   B   N   R |
  +--------------------------------+
     a   b   c   d   e   f   g   h 
   Soldiers in hand: 6
`

const symbolsFlipped = `  +--------------------------------+
1 |  ♖   ♘   ♗   ♔   ♕   ♗   ♘   ♖ |
2 |  ♙   ♙   ♙ [ .]  ♙   ♙   ♙   ♙ |
3 |  .   .   .   .   .   .   .   . |
4 |  .   .   . [ ♙]  .   .   .   . |
5 |  .   .   .   .   .   .   .   . |
6 |  .   .   .   .   .   .   .   . |
7 |  .   .  炮   .   .  炮   .   . |
8 | 車  馬  士  將  士  象  馬  車 |
  +--------------------------------+
     h   g   f   e   d   c   b   a 
   Soldiers in hand: 6
`

func TestDraw(t *testing.T) {
	r, err := env.Builtin("moddable")
	if err != nil {
		t.Fatal(err)
	}
	g := env.NewGame(r, r.StartPosition())
	if err := g.PlayUCI("e2e4"); err != nil {
		t.Fatal(err)
	}
	m := g.Moves()[0]
	marked := uint64(1)<<m.From() | uint64(1)<<m.To()
	for _, c := range []struct {
		view View
		want string
	}{
		{View{Marked: marked}, letters},
		{View{Marked: marked, Pieces: Symbols, Flipped: true}, symbolsFlipped},
	} {
		if got := Draw(r, g.Position(), c.view); got != c.want {
			t.Errorf("%+v: got\n%swant\n%s", c.view, got, c.want)
		}
	}
}
