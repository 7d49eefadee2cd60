package mcts

import (
	"math/bits"

	"synochess/env"
)

// Cache remembers evaluations, for the searches of one worker and one evaluator. It is keyed by all that
// the encoding of a position tells the evaluator, the ply count, the repetitions and the rule set among
// them, and holds nothing but what the evaluator answered: values that rest on the history of a game never
// enter it. It has a fixed size, forgets the oldest first, and belongs to one goroutine.
type Cache struct {
	keys    [][bucketSize]cacheKey   // [bucket], apart from the answers, because most questions find no key: a cache line each
	entries [][bucketSize]cacheEntry // [bucket]
	logits  []float32                // a ring; an entry's logits are logits[start % len : ] and never wrap
	written int64                    // numbers ever written to the ring, gaps at its end included
}

const (
	bucketSize = 4
	// logitsPerEntry is the mean number of legal moves the ring has room for.
	logitsPerEntry = 40
)

// cacheKey is 128 bits of hash of a position and what else its evaluation depends on.
type cacheKey struct{ low, high uint64 }

type cacheEntry struct {
	start int64 // position in the sequence of all numbers written
	count int32 // legal moves; 0: the entry is empty
	wdl   [3]float32
}

// NewCache returns a cache for about the given number of evaluations, or nil, which is a cache that
// remembers nothing, if that is not positive.
func NewCache(entries int) *Cache {
	if entries <= 0 {
		return nil
	}
	buckets := 1 << bits.Len(uint((entries-1)/bucketSize))
	return &Cache{
		keys:    make([][bucketSize]cacheKey, buckets),
		entries: make([][bucketSize]cacheEntry, buckets),
		logits:  make([]float32, buckets*bucketSize*logitsPerEntry+512),
	}
}

// Reset forgets everything, as is needed when the evaluator changes.
func (c *Cache) Reset() {
	if c != nil {
		clear(c.entries)
		c.written = 0
	}
}

// bucket returns the number of the bucket in which a key may be.
func (c *Cache) bucket(key cacheKey) int { return int(key.low) & (len(c.keys) - 1) }

// alive reports whether an entry's logits are still in the ring.
func (c *Cache) alive(e *cacheEntry) bool {
	return e.count > 0 && c.written-e.start <= int64(len(c.logits))
}

// get returns the answer to a row with the given number of moves. The slices are valid until the next
// put.
func (c *Cache) get(key cacheKey, moves int) (logits, wdl []float32, ok bool) {
	bucket := c.bucket(key)
	for i := range c.keys[bucket] {
		if c.keys[bucket][i] != key {
			continue
		}
		if e := &c.entries[bucket][i]; int(e.count) == moves && c.alive(e) {
			at := int(e.start % int64(len(c.logits)))
			return c.logits[at : at+moves], e.wdl[:], true
		}
	}
	return nil, nil, false
}

// put remembers the answer to a row in place of the oldest entry of its bucket.
func (c *Cache) put(key cacheKey, logits, wdl []float32) {
	if c == nil || len(logits) > len(c.logits) {
		return
	}
	bucket := c.bucket(key)
	keys, entries := &c.keys[bucket], &c.entries[bucket]
	oldest := 0
	for i := range entries {
		if keys[i] == key || !c.alive(&entries[i]) {
			oldest = i
			break
		}
		if entries[i].start < entries[oldest].start {
			oldest = i
		}
	}
	at := int(c.written % int64(len(c.logits)))
	if at+len(logits) > len(c.logits) {
		c.written += int64(len(c.logits) - at)
		at = 0
	}
	copy(c.logits[at:], logits)
	keys[oldest] = key
	entries[oldest] = cacheEntry{start: c.written, count: int32(len(logits)), wdl: [3]float32(wdl)}
	c.written += int64(len(logits))
}

// keyOf hashes what an evaluation of p depends on: the board twice, by its Zobrist hash and by itself, so that
// both would have to collide, and the inputs beside it. The moves, and what attacks what, follow from them. seen
// counts earlier occurrences.
func keyOf(r *env.Rules, p *env.Position, seen uint8) cacheKey {
	rest := uint64(min(p.PlyCount(), r.NoProgressPlies))<<8 | uint64(seen)
	w := p.Boards()
	w[env.NoPiece] = rest
	high := p.Hash()
	for i := 0; i < len(w); i += 2 { // independent of each other, so that the processor overlaps them
		hi, lo := bits.Mul64(w[i]^keyWords[i], w[i+1]^keyWords[i+1])
		high += hi ^ lo
	}
	hi, lo := bits.Mul64(p.Hash()^r.GroupHash(), rest^0x9e3779b97f4a7c15)
	return cacheKey{low: hi ^ lo, high: high}
}

// keyWords are arbitrary: the digits of pi (Blowfish's first words).
var keyWords = [env.NumPieces]uint64{
	0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89, 0x452821e638d01377, 0xbe5466cf34e90c6c,
	0xc0ac29b7c97c50dd, 0x3f84d5b5b5470917, 0x9216d5d98979fb1b, 0xd1310ba698dfb5ac, 0x2ffd72dbd01adfb7, 0xb8e1afed6a267e96,
	0xba7c9045f12c7f99, 0x24a19947b3916cf7,
}
