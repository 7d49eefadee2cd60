package datasets

// CacheBytes bounds the games that a Catalogue keeps in memory. A run of an evening with small networks
// fits; what does not is read from its file each time.
const CacheBytes = 256 << 20

// groupCache keeps the games of row groups, packed.
type groupCache struct {
	games map[[2]int32][]*packedGame // by file and group
	used  int64                      // bytes
	most  int64
}

func newGroupCache(most int64) *groupCache {
	return &groupCache{games: map[[2]int32][]*packedGame{}, most: most}
}

// put keeps a group's games if there is room.
func (c *groupCache) put(file, group int32, packed []*packedGame) {
	size := memoryOf(packed)
	if c.used+size > c.most {
		return
	}
	c.games[[2]int32{file, group}] = packed
	c.used += size
}

// get returns those of a group's games whose number is in, or false if the group is not kept.
func (c *groupCache) get(file, group int32, in func(number uint64) bool) (games []*Game, ok bool) {
	packed, ok := c.games[[2]int32{file, group}]
	for _, p := range packed {
		if in(p.game.Number) {
			games = append(games, p.unpack())
		}
	}
	return games, ok
}

// dropBefore forgets the groups all of whose games have numbers below oldest: no window reaches back
// to them any more.
func (c *groupCache) dropBefore(oldest uint64) {
	for key, packed := range c.games {
		keep := false
		for _, p := range packed {
			keep = keep || p.game.Number >= oldest
		}
		if !keep {
			c.used -= memoryOf(packed)
			delete(c.games, key)
		}
	}
}

// memoryOf returns the bytes that games take.
func memoryOf(games []*packedGame) (n int64) {
	for _, p := range games {
		n += p.memory()
	}
	return n
}
