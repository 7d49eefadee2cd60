package env

import (
	"testing"
)

func FuzzFEN(f *testing.F) {
	for i, file := range []string{"good_fen.jsonl", "bad_fen.jsonl"} {
		for _, line := range readLines[oracleLine](f, file) {
			f.Add(line.FEN, uint8(i))
		}
	}
	sets := builtinRules(f)
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		r := sets[int(which)%len(sets)]
		p, err := r.ParseFEN(text)
		if err != nil {
			return
		}
		written := r.FEN(&p)
		again, err := r.ParseFEN(written)
		if err != nil || again != p {
			t.Fatalf("%q is written %s and comes back as %s, %v", text, written, r.FEN(&again), err)
		}
		checkPlay(t, NewGame(r, p))
		if got, want := r.Threats(&p), slowThreats(r, &p); got != want {
			t.Fatalf("%s: threats %+v, want %+v", written, got, want)
		}
	})
}

func FuzzMove(f *testing.F) {
	for _, text := range []string{"e2e4", "e1g1", "a7a8q", "S@d5", "e2e4q", "", "S@", "a1a1", "h8h9"} {
		f.Add("rheakahr/2c2c2/8/8/8/8/PPPPPPPP/RNBQKBNR[ssssss] w KQ - 0 1", text)
		f.Add("4k3/P7/8/3s4/8/8/s7/R3K2R[sss] w KQ - 0 1", text)
		f.Add("4k3/P7/8/3s4/8/8/s7/R2K3R[sss] b - - 0 1", text)
	}
	sets := builtinRules(f)
	f.Fuzz(func(t *testing.T, fen, text string) {
		for _, r := range sets {
			p, err := r.ParseFEN(fen)
			if err != nil {
				continue
			}
			m, err := r.ParseMove(&p, text)
			if err == nil && (!r.IsLegal(&p, m) || r.MoveString(m) != text) {
				t.Fatalf("%s: %q was read as %s", fen, text, r.MoveString(m))
			}
		}
	})
}

func FuzzRules(f *testing.F) {
	for _, r := range builtinRules(f) {
		f.Add(r.Canonical())
	}
	f.Add("base: moddable\nname: x\nfaceoff: none\n")
	f.Add("base: pychess\nstart: 4k3/8/8/8/8/8/4R3/4K3[] w - - 0 1\n")
	f.Add("base: &a moddable\nname: *a\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRules([]byte(text), "fuzz")
		if err != nil {
			return
		}
		again, err := ParseRules([]byte(r.Canonical()), "canonical")
		if err != nil || again.Canonical() != r.Canonical() || again.Hash() != r.Hash() {
			t.Fatalf("%q gives\n%s, which does not come back: %v", text, r.Canonical(), err)
		}
		checkPlay(t, NewGame(r, r.StartPosition()))
	})
}

func FuzzPlay(f *testing.F) {
	f.Add(uint8(0), []byte("the bytes choose the moves"))
	f.Add(uint8(3), []byte{0, 255, 7, 130, 9, 77, 200, 13, 64, 5})
	sets := builtinRules(f)
	if derived, err := derivedRules(); err == nil {
		for _, line := range readLines[oracleLine](f, "derived-perft.jsonl") {
			if r := derived[line.Rules]; r != sets[len(sets)-1] {
				sets = append(sets, r)
			}
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, choices []byte) {
		r := sets[int(which)%len(sets)]
		g := NewGame(r, r.StartPosition())
		for _, choice := range choices {
			checkPlay(t, g)
			if g.Outcome().Over() {
				return
			}
			if err := g.Play(g.LegalMoves()[int(choice)%len(g.LegalMoves())]); err != nil {
				t.Fatal(err)
			}
		}
	})
}
