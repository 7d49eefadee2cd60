package mcts

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"synochess/env"
	"synochess/env/encode"
)

// The root is asked of the evaluator again if anything of it but the move number differs: repetitions,
// ply count, castling rights, hand, the rule set; and comes from the cache if nothing does.
func TestCacheNeverCrossesHistory(t *testing.T) {
	const fen = "3k4/8/8/8/8/8/8/R3K3[] w Q - 5 9"
	roundTrip := []string{"a1a2", "d8c8", "a2a1", "c8d8"}
	cache := NewCache(100)
	ask := func(g *env.Game) bool {
		t.Helper()
		s := New(testConfig(), cache)
		if err := s.Start(g, Options{Visits: 1}); err != nil {
			t.Fatal(err)
		}
		b := encode.NewBatch()
		if rows, _ := s.Collect(b); rows == 0 {
			return false // root and leaf were known
		}
		if err := (constant{}).Evaluate(b); err != nil {
			t.Fatal(err)
		}
		p, _, err := encode.Decode(b.Row(0))
		if err != nil {
			t.Fatal(err)
		}
		s.Absorb(b, 0)
		return p.Hash() == g.Position().Hash() // else the row is the leaf's
	}
	moddable, strict := builtin(t, "moddable"), builtin(t, "moddable-strict")
	for _, c := range []struct {
		name string
		g    *env.Game
		asks bool
	}{
		{"first time", gameAt(t, moddable, fen), true},
		{"the same", gameAt(t, moddable, fen), false},
		{"another move number", gameAt(t, moddable, "3k4/8/8/8/8/8/8/R3K3[] w Q - 5 11"), false},
		{"another ply count", gameAt(t, moddable, "3k4/8/8/8/8/8/8/R3K3[] w Q - 9 11"), true},
		{"that ply count, rights gone", gameAt(t, moddable, "3k4/8/8/8/8/8/8/R3K3[] w - - 9 11"), true},
		{"that board and ply count, after a round trip", gameAt(t, moddable, "3k4/8/8/8/8/8/8/R3K3[] w - - 5 9", roundTrip...), true},
		{"other rules", gameAt(t, strict, fen), true},
		{"other rules again", gameAt(t, strict, fen), false},
	} {
		if got := ask(c.g); got != c.asks {
			t.Errorf("%s: asks the evaluator: %v, want %v", c.name, got, c.asks)
		}
	}
	cache.Reset()
	if !ask(gameAt(t, moddable, fen)) {
		t.Error("Reset forgot nothing")
	}
}

// Positions of equal keys have equal rows, whatever games led to them: what an evaluator reads holds nothing that the
// key does not. Games of few plies from few starts come back to the same positions by other ways.
func TestEqualKeysHaveEqualRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	type row struct {
		planes          [encode.NumPlanes]uint64
		scalars, scales [encode.NumScalars]uint16
	}
	rows := map[cacheKey]row{}
	lastMoves := map[cacheKey]env.Move{}
	again, otherWays := 0, 0
	b := encode.NewBatch()
	for _, name := range env.BuiltinNames() {
		r := builtin(t, name)
		handicap, err := r.With(map[string]any{"name": "handicap", "start": strings.Replace(r.Start, "RNBQKBNR", "RNB1KBNR", 1)})
		if err != nil {
			t.Fatal(err)
		}
		for _, start := range []string{"", "4k3/8/2c5/4e3/8/8/2R5/R3K3[ss] w Q - 3 5", "3k4/1c6/8/8/2s5/8/4N3/R3K3[] w Q - 0 1"} {
			for i := range 150 {
				g := env.NewGame([]*env.Rules{r, handicap}[i%2], r.StartPosition())
				if start != "" {
					g = gameAt(t, g.Rules(), start)
				}
				for g.Ply() < 14 && !g.Outcome().Over() {
					moves := g.LegalMoves()
					key := keyOf(g.Rules(), g.Position(), uint8(min(g.Repetitions(), 2)))
					b.Reset()
					encode.AppendRow(b, g.Rules(), g.Position(), g.Repetitions(), moves)
					now := row{[encode.NumPlanes]uint64(b.Planes), [encode.NumScalars]uint16(b.Scalars), [encode.NumScalars]uint16(b.Scales)}
					if before, ok := rows[key]; ok {
						again++
						if before != now {
							t.Fatalf("%s: rows of one key differ:\n%v\n%v", g.Rules().FEN(g.Position()), before, now)
						}
					}
					rows[key] = now
					if g.Ply() > 0 {
						last := g.Moves()[g.Ply()-1]
						if before, ok := lastMoves[key]; ok && before != last {
							otherWays++
						}
						lastMoves[key] = last
					}
					if err := g.Play(moves[rng.IntN(min(len(moves), 6))]); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	t.Logf("%d keys; %d positions came again, %d after another last move", len(rows), again, otherWays)
	if again < 1000 || otherWays < 100 {
		t.Errorf("%d positions came again, %d of them after another last move: this tests little", again, otherWays)
	}
}

// The cache returns what was put in, or nothing, and keeps the newest.
func TestCacheRing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	c := NewCache(64)
	type entry struct {
		key    cacheKey
		logits []float32
	}
	var all []entry
	for i := range 5000 {
		e := entry{key: cacheKey{rng.Uint64(), rng.Uint64()}}
		for range 1 + rng.IntN(90) {
			e.logits = append(e.logits, rng.Float32())
		}
		all = append(all, e)
		c.put(e.key, e.logits, []float32{float32(i), 0, 1})
		if got, _, ok := c.get(e.key, len(e.logits)); !ok || !slices.Equal(got, e.logits) {
			t.Fatalf("the newest entry is %v, %v", got, ok)
		}
	}
	alive := 0
	for i, e := range all {
		got, wdl, ok := c.get(e.key, len(e.logits))
		if !ok {
			continue
		}
		alive++
		if !slices.Equal(got, e.logits) || wdl[0] != float32(i) {
			t.Errorf("entry %d is another's", i)
		}
		if i < 4000 {
			t.Errorf("entry %d of 5000 is still there", i)
		}
		if _, _, ok := c.get(e.key, len(e.logits)+1); ok {
			t.Error("an entry answers for another number of moves")
		}
	}
	if alive < 20 || alive > 64 {
		t.Errorf("%d entries alive, want at most 64", alive)
	}
	if NewCache(0) != nil {
		t.Error("a cache of no entries is not nil")
	}
}
