package datasets

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
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

func TestWindowTakesTheNewestGames(t *testing.T) {
	dir, games := gamesFolder(t, 4, 30)
	c := catalogueOf(t, dir)
	for _, size := range []int{1, 50, 200, 1 << 30} {
		w := c.Window(size, nil)
		oldest, newest := w.Numbers()
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

// TestBadFilesAreSetAside: damaged files are renamed, foreign ones left, the rest is used.
func TestBadFilesAreSetAside(t *testing.T) {
	dir, games := gamesFolder(t, 3, 20)
	whole, _ := os.ReadFile(GenerationFile(dir, 1))
	damaged := slices.Clone(whole)
	damaged[len(whole)/3] ^= 0xff
	os.WriteFile(GenerationFile(dir, 1), damaged, 0o644)
	os.WriteFile(GenerationFile(dir, 7), whole[:len(whole)/2], 0o644)
	os.WriteFile(GenerationFile(dir, 8), []byte("PAR1 what is this? PAR1"), 0o644)
	match := *games[0]
	match.Purpose = Match
	otherRun := *games[0]
	otherRun.RunID = "another"
	for i, g := range []*Game{&match, &otherRun, games[0]} {
		if _, err := WriteFile(GenerationFile(dir, uint32(10+i)), "v", each([]*Game{g})); err != nil {
			t.Fatal(err)
		}
	}
	c := NewCatalogue()
	problems, err := c.AddDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	moved := map[int]bool{1: true, 7: true, 8: true, 10: false, 11: false, 12: false}
	for i, aside := range moved {
		path := GenerationFile(dir, uint32(i))
		at := slices.IndexFunc(problems, func(p Problem) bool { return p.Path == path })
		if at < 0 || !strings.Contains(problems[at].String(), filepath.Base(path)) {
			t.Errorf("%s is not named: %v", path, problems)
			continue
		}
		_, err := os.Stat(path)
		_, errBad := os.Stat(path + ".bad")
		if os.IsNotExist(err) != aside || (errBad == nil) != aside || (problems[at].MovedTo != "") != aside {
			t.Errorf("%s: %v, set aside %v, want %v", path, problems[at], errBad == nil, aside)
		}
	}
	if len(problems) != len(moved) || len(c.games) != 20 {
		t.Errorf("%d problems, %d games, want %d and 20", len(problems), len(c.games), len(moved))
	}
	if problems, err := c.AddDir(dir); err != nil || len(problems) != 0 || len(c.games) != 20 {
		t.Errorf("added again: %v, %v, %d games", problems, err, len(c.games))
	}
	w := c.Window(1<<30, nil)
	sample(t, w, games, 1, w.Positions(), 1, 0)

	// A file that goes bad after it was taken up, and whose games did not fit in memory, is an error that
	// names it.
	c.cache.dropBefore(1 << 62)
	os.WriteFile(GenerationFile(dir, 2), whole, 0o644)
	s, err := w.Sampler(1, w.Positions(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Next(); err == nil || !strings.Contains(err.Error(), "gen-000002") {
		t.Errorf("replaced file: %v", err)
	}
	if _, err := NewCatalogue().AddDir(filepath.Join(dir, "none")); err == nil {
		t.Error("a missing folder is no error")
	}
}

// fractionWindow is half of all positions, and 20,000 at least.
func fractionWindow() WindowConfig {
	return WindowConfig{Mode: WindowFraction, MinPositions: 20000, Fraction: 0.5, Slope: 0.4, Exponent: 0.65, Offset: 50000}
}

func TestWindowSize(t *testing.T) {
	fraction := fractionWindow()
	kata := fraction
	kata.Mode, kata.MinPositions, kata.Offset = WindowPower, 100000, 50000
	for _, c := range []struct {
		cfg         WindowConfig
		total, want int
	}{
		{fraction, 0, 20000},
		{fraction, 40000, 20000},
		{fraction, 100001, 50000},
		{kata, 100000, 100000},
		// x = 150,000: .4 * (150000^.65 - 50000^.65) / (.65 * 50000^-.35)
		//  = .4 * 50000 / .65 * (3^.65 - 1) = 30769.23 * 1.0423436 = 32072.1
		{kata, 200000, 132072},
	} {
		if err := c.cfg.Validate(); err != nil {
			t.Error(err)
		}
		if got := c.cfg.Size(c.total); got != c.want {
			t.Errorf("%s: size of %d positions is %d, want %d", c.cfg.Mode, c.total, got, c.want)
		}
	}
	for field, change := range map[string]func(*WindowConfig){
		"mode":          func(c *WindowConfig) { c.Mode = "half" },
		"min_positions": func(c *WindowConfig) { c.MinPositions = 0 },
		"fraction":      func(c *WindowConfig) { c.Fraction = 1.5 },
		"slope":         func(c *WindowConfig) { c.Slope = 0 },
		"exponent":      func(c *WindowConfig) { c.Exponent = 1 },
		"offset":        func(c *WindowConfig) { c.Offset = 0 },
	} {
		cfg := fractionWindow()
		change(&cfg)
		if err := cfg.Validate(); err == nil || !strings.Contains(fmt.Sprint(err), field) {
			t.Errorf("%s: error %v", field, err)
		}
	}
}

// TestWindowWithoutMemory draws the same from files as from the games that the catalogue keeps.
func TestWindowWithoutMemory(t *testing.T) {
	dir, games := gamesFolder(t, 4, 40)
	draw := func(most int64) []position {
		c := NewCatalogue()
		c.cache = newGroupCache(most)
		if problems, err := c.AddDir(dir); err != nil || len(problems) > 0 {
			t.Fatal(problems, err)
		}
		if c.cache.used > most || (most > 0) != (c.cache.used > 0) {
			t.Fatalf("%d bytes kept, the bound is %d", c.cache.used, most)
		}
		w := c.Window(1<<30, nil)
		return sample(t, w, games, 3, w.MaxSamples(2), 2, 0)
	}
	if kept, read := draw(CacheBytes), draw(0); len(kept) == 0 || !slices.Equal(kept, read) {
		t.Errorf("%d positions drawn from memory, %d from files, or not the same ones", len(kept), len(read))
	}
}

// TestWindowMakesRoom: games that fell out of the window leave room for new ones.
func TestWindowMakesRoom(t *testing.T) {
	dir, games := gamesFolder(t, 3, 40)
	all := NewCatalogue()
	if problems, err := all.AddDir(dir); err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	kept := func(c *Catalogue, file int32) bool {
		_, ok := c.cache.get(file, 0, func(uint64) bool { return true })
		return ok
	}
	if !kept(all, 0) || !kept(all, 2) {
		t.Fatal("not all games are kept at first")
	}
	w := all.Window(len(eligible(games, games[len(games)*2/3].Number)), nil)
	if kept(all, 0) || !kept(all, 2) || w.Games() == 0 {
		t.Errorf("the oldest file is kept: %t, the newest: %t", kept(all, 0), kept(all, 2))
	}
}

// TestCacheForgetsWhatIsOld keeps memory bounded over a long run.
func TestCacheForgetsWhatIsOld(t *testing.T) {
	c := newGroupCache(1 << 20)
	all := func(uint64) bool { return true }
	two := func(first uint64) []*packedGame {
		return []*packedGame{pack(&Game{Number: first}), pack(&Game{Number: first + 1})}
	}
	c.put(0, 0, two(1))
	c.put(0, 1, two(3))
	before := c.used
	c.dropBefore(4)
	if games, ok := c.get(0, 0, all); ok {
		t.Errorf("games below 4 are still there: %v", games)
	}
	if games, ok := c.get(0, 1, all); !ok || len(games) != 2 || c.used >= before || c.used <= 0 {
		t.Errorf("after games below 4 were dropped: %v, %d bytes of %d", games, c.used, before)
	}
}
