package datasets

import (
	"runtime"
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
