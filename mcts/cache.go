package mcts

import (
	"math/bits"

	"synochess/internal/eval"
)

// Cache remembers evaluations, for the searches of one worker and one evaluator. It is keyed by all
// inputs of a row, the ply count, the repetitions and the rule set among them, and holds nothing but
// what the evaluator answered: values that rest on the history of a game never enter it. It has a fixed
// size, forgets the oldest first, and belongs to one goroutine.
type Cache struct {
	entries []cacheEntry // [bucket*bucketSize + i]
	logits  []float32    // a ring; an entry's logits are logits[start % len : ] and never wrap
	written int64        // numbers ever written to the ring, gaps at its end included
}

const (
	bucketSize = 4
	// logitsPerEntry is the mean number of legal moves the ring has room for.
	logitsPerEntry = 40
)

// cacheKey is 128 bits of hash of a row.
type cacheKey struct{ low, high uint64 }

type cacheEntry struct {
	key   cacheKey
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
		entries: make([]cacheEntry, buckets*bucketSize),
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

// bucket returns the entries in which a key may be.
func (c *Cache) bucket(key cacheKey) []cacheEntry {
	i := int(key.low) & (len(c.entries) - 1) &^ (bucketSize - 1)
	return c.entries[i : i+bucketSize]
}

// alive reports whether an entry's logits are still in the ring.
func (c *Cache) alive(e *cacheEntry) bool {
	return e.count > 0 && c.written-e.start <= int64(len(c.logits))
}

// get returns the answer to a row with the given number of moves. The slices are valid until the next
// put.
func (c *Cache) get(key cacheKey, moves int) (logits, wdl []float32, ok bool) {
	bucket := c.bucket(key)
	for i := range bucket {
		if e := &bucket[i]; e.key == key && int(e.count) == moves && c.alive(e) {
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
	oldest := &bucket[0]
	for i := range bucket {
		e := &bucket[i]
		if e.key == key || !c.alive(e) {
			oldest = e
			break
		}
		if e.start < oldest.start {
			oldest = e
		}
	}
	at := int(c.written % int64(len(c.logits)))
	if at+len(logits) > len(c.logits) {
		c.written += int64(len(c.logits) - at)
		at = 0
	}
	copy(c.logits[at:], logits)
	*oldest = cacheEntry{key: key, start: c.written, count: int32(len(logits)), wdl: [3]float32(wdl)}
	c.written += int64(len(logits))
}

// keyOf hashes a row's inputs and its rule set. Its moves follow from them.
func keyOf(b *eval.Batch, row int) cacheKey {
	h := hasher{0x243f6a8885a308d3, 0x13198a2e03707344}
	for _, x := range b.Planes[row*b.NumPlanes : (row+1)*b.NumPlanes] {
		h.add(x)
	}
	for i := row * b.NumScalars; i < (row+1)*b.NumScalars; i += 2 {
		x := uint64(b.Scalars[i])<<16 | uint64(b.Scales[i])
		if i+1 < (row+1)*b.NumScalars {
			x |= uint64(b.Scalars[i+1])<<48 | uint64(b.Scales[i+1])<<32
		}
		h.add(x)
	}
	h.add(b.RulesHash[row])
	return cacheKey{h.a, h.b}
}

// hasher mixes words into two independent lanes by multiplication and folding.
type hasher struct{ a, b uint64 }

func (h *hasher) add(x uint64) {
	hi, lo := bits.Mul64(h.a^x, 0x9e3779b97f4a7c15)
	h.a = hi ^ lo ^ bits.RotateLeft64(h.b, 23)
	hi, lo = bits.Mul64(h.b^bits.RotateLeft64(x, 32), 0xc2b2ae3d27d4eb4f)
	h.b = hi ^ lo ^ x
}
