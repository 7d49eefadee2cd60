package datasets

import (
	"runtime"
	"slices"
	"testing"
)

// What the cache counts is what it takes: the bound on a run's memory rests on it.
func TestCacheCountsItsMemory(t *testing.T) {
	dir, _ := gamesFolder(t, 12, 400)
	heap := func() int64 {
		var m runtime.MemStats
		for range 3 { // pools are emptied in the second
			runtime.GC()
		}
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	c := catalogueOf(t, dir)
	taken := heap() - before
	t.Logf("%d KiB counted, %d KiB taken", c.cache.used>>10, taken>>10)
	if taken < 1<<20 || taken > c.cache.used*5/4 {
		t.Errorf("the cache counts %d bytes and takes %d", c.cache.used, taken)
	}
	runtime.KeepAlive(c)
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
