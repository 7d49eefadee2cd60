package mcts

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"synochess/env"
	"synochess/env/encode"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// copyOf returns a result that outlives its search.
func copyOf(r *Result) Result {
	c := *r
	c.Actions, c.PV = slices.Clone(r.Actions), slices.Clone(r.PV)
	return c
}

// player plays a few moves of a game by search and remembers what each search found.
type player struct {
	s     *Search
	g     *env.Game
	o     Options
	moves int
	found []Result
}

func (p *player) start(t *testing.T) {
	t.Helper()
	if err := p.s.Start(p.g, p.o); err != nil {
		t.Fatal(err)
	}
}

// moveOn plays the best move and begins the next search; it returns false when the game is long enough.
func (p *player) moveOn(t *testing.T) bool {
	t.Helper()
	p.found = append(p.found, copyOf(p.s.Result()))
	if err := p.g.Play(p.found[len(p.found)-1].Best); err != nil {
		t.Fatal(err)
	}
	p.moves--
	if p.moves == 0 || p.g.Outcome().Over() {
		return false
	}
	p.start(t)
	return true
}

// newPlayers returns searches of different games, rule sets and budgets.
func newPlayers(t *testing.T, leaves int, cache *Cache) []*player {
	t.Helper()
	var players []*player
	for i := range 12 {
		r := builtin(t, env.BuiltinNames()[i%4])
		g := gameAt(t, r, "")
		rng := rand.New(rand.NewPCG(uint64(i), 99))
		for range 2 * (i / 4) {
			g.PlayRandom(rng)
		}
		cfg := testConfig()
		cfg.LeavesPerStep = leaves
		o := Options{Visits: 20 + 7*i, FreshRoot: i%2 == 0}
		if i%3 == 0 {
			o.Noise, o.Rand = true, rng
		}
		if i == 5 {
			cfg.Mode = ModePUCT
		}
		players = append(players, &player{s: New(cfg, cache), g: g, o: o, moves: 4})
	}
	return players
}

// Many searches that share a batch and a cache find, bit for bit, what each finds alone and without a
// cache, from move to move.
func TestBatchedEqualsSingle(t *testing.T) {
	for _, leaves := range []int{1, 4} {
		t.Run(fmt.Sprint(leaves), func(t *testing.T) {
			alone := newPlayers(t, leaves, nil)
			for _, p := range alone {
				ev := &fake{worth: hashed, logit: hashedLogit}
				b := encode.NewBatch()
				for p.start(t); ; {
					b.Reset()
					rows, done := p.s.Collect(b)
					if done {
						checkTree(t, p.s)
						if !p.moveOn(t) {
							break
						}
						continue
					}
					if rows > leaves {
						t.Fatalf("%d rows in a step of %d", rows, leaves)
					}
					if err := ev.Evaluate(b); err != nil {
						t.Fatal(err)
					}
					p.s.Absorb(b, 0)
				}
			}
			cache := NewCache(300)
			together := newPlayers(t, leaves, cache)
			ev := &fake{worth: hashed, logit: hashedLogit}
			b := encode.NewBatch()
			running := slices.Clone(together)
			for _, p := range running {
				p.start(t)
			}
			for len(running) > 0 {
				b.Reset()
				first := map[*player]int{}
				running = slices.DeleteFunc(running, func(p *player) bool {
					at := b.Len()
					rows, done := p.s.Collect(b)
					if rows > 0 {
						first[p] = at
					}
					return done && !p.moveOn(t)
				})
				if err := ev.Evaluate(b); err != nil {
					t.Fatal(err)
				}
				for p, row := range first {
					p.s.Absorb(b, row)
				}
			}
			for i := range alone {
				if got, want := fmt.Sprintf("%+v", together[i].found), fmt.Sprintf("%+v", alone[i].found); got != want {
					t.Errorf("game %d: together\n%s\nalone\n%s", i, got, want)
				}
			}
		})
	}
}

// A search that has run before allocates nothing.
func TestSearchDoesNotAllocate(t *testing.T) {
	r := builtin(t, "moddable")
	g := gameAt(t, r, "", "e2e3")
	for _, leaves := range []int{1, 4} {
		cfg := testConfig()
		cfg.LeavesPerStep = leaves
		s := New(cfg, NewCache(50))
		o := Options{Visits: 64, FreshRoot: true, Noise: true, Rand: rand.New(rand.NewPCG(1, 1))}
		for range 20 {
			run(t, s, g, o, constant{})
		}
		if n := testing.AllocsPerRun(20, func() { run(t, s, g, o, constant{}) }); n != 0 {
			t.Errorf("%d leaves a step: %v allocations a search", leaves, n)
		}
	}
}
