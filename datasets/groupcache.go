package datasets

import "unsafe"

// CacheBytes bounds the games that a Catalogue keeps in memory. A run of an evening with small networks
// fits; what does not is read from its file each time.
const CacheBytes = 256 << 20

// groupCache keeps the games of row groups, trimmed. They are read by several windows and must not be
// changed.
type groupCache struct {
	games map[[2]int32][]*Game // by file and group
	bytes map[[2]int32]int64
	used  int64
	most  int64
}

func newGroupCache(most int64) *groupCache {
	return &groupCache{games: map[[2]int32][]*Game{}, bytes: map[[2]int32]int64{}, most: most}
}

// trim takes out of games what searches found that are no policy targets: most of a game's memory, and
// training does not look at it.
func trim(games []*Game) {
	for _, g := range games {
		for i := range g.Plies {
			if p := &g.Plies[i]; p.PolicyWeight == 0 {
				p.Actions = nil
			}
		}
	}
}

// put keeps a group's trimmed games if there is room.
func (c *groupCache) put(file, group int32, games []*Game) {
	var size int64
	for _, g := range games {
		size += int64(unsafe.Sizeof(*g)) + int64(len(g.Plies))*int64(unsafe.Sizeof(Ply{}))
		for i := range g.Plies {
			size += int64(len(g.Plies[i].Actions)) * int64(unsafe.Sizeof(Action{}))
		}
	}
	if c.used+size > c.most {
		return
	}
	key := [2]int32{file, group}
	c.games[key], c.bytes[key] = games, size
	c.used += size
}

// get returns a group's games, or nil.
func (c *groupCache) get(file, group int32) []*Game { return c.games[[2]int32{file, group}] }

// dropBefore forgets the groups all of whose games have numbers below oldest: no window reaches back
// to them any more.
func (c *groupCache) dropBefore(oldest uint64) {
	for key, games := range c.games {
		keep := false
		for _, g := range games {
			keep = keep || g.Number >= oldest
		}
		if !keep {
			c.used -= c.bytes[key]
			delete(c.games, key)
			delete(c.bytes, key)
		}
	}
}
