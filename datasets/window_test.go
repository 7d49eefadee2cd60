package datasets

import (
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// position is a place in the games.
type position struct {
	game uint64
	ply  int
}

// gamesFolder writes generations of training games, ten a file, and returns the folder and the games.
func gamesFolder(t testing.TB, generations, maxPlies int) (dir string, games []*Game) {
	t.Helper()
	dir = t.TempDir()
	for gen := range generations {
		part := syntheticGames(t, uint64(gen), uint64(1+10*gen), 10, maxPlies)
		if _, err := WriteFile(GenerationFile(dir, uint32(gen)), "v", each(part)); err != nil {
			t.Fatal(err)
		}
		games = append(games, part...)
	}
	return dir, games
}

func catalogueOf(t testing.TB, dir string) *Catalogue {
	t.Helper()
	c := NewCatalogue()
	if problems, err := c.AddDir(dir); err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	return c
}

// sample draws and returns every position with the games it came from, checked against the originals.
func sample(t testing.TB, w *Window, games []*Game, seed uint64, n, maxUses, skip int) []position {
	t.Helper()
	s, err := w.Sampler(seed, n, maxUses)
	if err != nil {
		t.Fatal(err)
	}
	s.Skip(skip)
	var drawn []position
	for {
		c, err := s.Next()
		if err == io.EOF {
			return drawn
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range c.Picks {
			g := c.Games[p.Game]
			want := games[g.Number-games[0].Number]
			if want = pack(want).unpack(); !reflect.DeepEqual(g, want) {
				t.Fatalf("game %d was read back changed", g.Number)
			}
			drawn = append(drawn, position{g.Number, int(p.Ply)})
		}
	}
}

// eligible returns the positions of games from a number on that a window may draw.
func eligible(games []*Game, from uint64) map[position]bool {
	all := map[position]bool{}
	for _, g := range games {
		for i := range g.Plies {
			if g.Number >= from && g.Ending != Void && g.Plies[i].SampleWeight > 0 {
				all[position{g.Number, i}] = true
			}
		}
	}
	return all
}

func TestWindowDrawsEachPositionEvenly(t *testing.T) {
	dir, games := gamesFolder(t, 4, 30)
	c := catalogueOf(t, dir)
	all := eligible(games, 0)
	if c.Positions() != len(all) || len(c.games) != len(games) {
		t.Fatalf("%d positions of %d games, want %d of %d", c.Positions(), len(c.games), len(all), len(games))
	}
	w := c.Window(1<<30, nil)
	for _, n := range []int{1, len(all) / 3, len(all), len(all) + 7, 3 * len(all)} {
		uses := map[position]int{}
		drawn := sample(t, w, games, 7, n, 3, 0)
		for _, p := range drawn {
			if !all[p] {
				t.Fatalf("n = %d: drew %v, which may not be drawn", n, p)
			}
			uses[p]++
		}
		if len(drawn) != n {
			t.Errorf("n = %d: %d samples", n, len(drawn))
		}
		for p, k := range uses {
			if limit := (n + len(all) - 1) / len(all); k > limit {
				t.Fatalf("n = %d: %v drawn %d times, want at most %d", n, p, k, limit)
			}
		}
	}
	if _, err := w.Sampler(1, 3*len(all)+1, 3); err == nil {
		t.Error("more samples than the uses allow, and no error")
	}
	if _, err := NewCatalogue().Window(5, nil).Sampler(1, 1, 1); err == nil {
		t.Error("samples of an empty window")
	}
}

// TestWindowOrder: the same seed gives the same order, another seed another, and Skip its tail.
func TestWindowOrder(t *testing.T) {
	dir, games := gamesFolder(t, 5, 40)
	w := catalogueOf(t, dir).Window(1<<30, nil)
	n := 2*w.Positions() - 5
	first := sample(t, w, games, 11, n, 2, 0)
	again := sample(t, catalogueOf(t, dir).Window(1<<30, nil), games, 11, n, 2, 0)
	if !slices.Equal(first, again) {
		t.Error("the same seed gave another order")
	}
	if other := sample(t, w, games, 12, n, 2, 0); slices.Equal(first, other) {
		t.Error("another seed gave the same order")
	}
	inOrder := 0
	for i := 1; i < n; i++ {
		if first[i].game >= first[i-1].game {
			inOrder++
		}
	}
	if inOrder < n*4/10 || inOrder > n*6/10 {
		t.Errorf("%d of %d steps go to a later game: not shuffled", inOrder, n)
	}
	for _, skip := range []int{1, 100, w.Positions(), n - 1, n} {
		if tail := sample(t, w, games, 11, n, 2, skip); !slices.Equal(tail, first[skip:]) {
			t.Errorf("after Skip(%d) other samples follow", skip)
		}
	}
}

// TestSmallChunks has windows of several chunks a round, with Skip within and across them.
func TestSmallChunks(t *testing.T) {
	dir, games := gamesFolder(t, 6, 40)
	w := catalogueOf(t, dir).Window(1<<30, nil)
	for i := range w.groups {
		w.groups[i].rows = chunkRows // each group fills a chunk
	}
	n := 3 * w.Positions() / 2
	whole := sample(t, w, games, 3, n, 2, 0)
	if len(whole) != n {
		t.Fatalf("%d samples, want %d", len(whole), n)
	}
	for skip := 0; skip <= n; skip += 1 + n/7 {
		if tail := sample(t, w, games, 3, n, 2, skip); !slices.Equal(tail, whole[skip:]) {
			t.Fatalf("after Skip(%d) other samples follow", skip)
		}
	}
}

// numbersOf returns the least and the greatest game number of a window that is not empty.
func numbersOf(w *Window) (oldest, newest uint64) {
	oldest = math.MaxUint64
	for _, g := range w.groups {
		oldest, newest = min(oldest, slices.Min(g.numbers)), max(newest, slices.Max(g.numbers))
	}
	return oldest, newest
}

func TestWindowTakesTheNewestGames(t *testing.T) {
	dir, games := gamesFolder(t, 4, 30)
	c := catalogueOf(t, dir)
	for _, size := range []int{1, 50, 200, 1 << 30} {
		w := c.Window(size, nil)
		oldest, newest := numbersOf(w)
		if newest != games[len(games)-1].Number && len(eligible(games, newest+1)) > 0 {
			t.Errorf("size %d: newest game is %d", size, newest)
		}
		if w.Positions() != len(eligible(games, oldest)) {
			t.Errorf("size %d: %d positions from game %d on, want %d", size, w.Positions(), oldest, len(eligible(games, oldest)))
		}
		if w.Positions() > size && w.Games() > 1 {
			t.Errorf("size %d: %d positions of %d games", size, w.Positions(), w.Games())
		}
		if more := len(eligible(games, oldest-1)); oldest > 1 && more > w.Positions() && more <= size {
			t.Errorf("size %d: one more game would have fitted", size)
		}
	}
	even := func(family uint64) bool { return family%2 == 0 }
	odd := func(family uint64) bool { return family%2 == 1 }
	all, a, b := c.Window(200, nil), c.Window(200, even), c.Window(200, odd)
	if a.Positions()+b.Positions() != all.Positions() || a.Positions() == 0 || b.Positions() == 0 {
		t.Errorf("a split of %d positions has parts of %d and %d", all.Positions(), a.Positions(), b.Positions())
	}
	for _, p := range sample(t, a, games, 1, a.Positions(), 1, 0) {
		if games[p.game-1].Family%2 != 0 {
			t.Fatalf("game %d of family %d is on the wrong side of the split", p.game, games[p.game-1].Family)
		}
	}
}

// TestSampleWeights: a position of twice the weight is drawn twice as often.
func TestSampleWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var games []*Game
	for n := range uint64(20) {
		g := syntheticGame(t, rng, n+1, 40)
		g.Ending, g.Result, g.Reason = Cut, 0, 0
		for i := range g.Plies {
			g.Plies[i].SampleWeight = []float32{0, 0.5, 1, 2}[i%4]
		}
		games = append(games, g)
	}
	dir := t.TempDir()
	if _, err := WriteFile(GenerationFile(dir, 0), "v", each(games)); err != nil {
		t.Fatal(err)
	}
	w := catalogueOf(t, dir).Window(1<<30, nil)
	if got, want := w.MaxSamples(1), 20*10*7/4; got != want { // weights of 3.5 a quartet, the heaviest 2
		t.Fatalf("MaxSamples(1) = %d, want %d", got, want)
	}
	n := w.MaxSamples(4)
	uses := map[float32]int{}
	for _, p := range sample(t, w, games, 5, n, 4, 0) {
		uses[games[p.game-1].Plies[p.ply].SampleWeight]++
	}
	for weight, want := range map[float32]int{0: 0, 0.5: n / 7, 1: 2 * n / 7, 2: 4 * n / 7} {
		if d := uses[weight] - want; d < -n/100 || d > n/100 {
			t.Errorf("weight %v: drawn %d times of %d, want about %d", weight, uses[weight], n, want)
		}
	}
}
