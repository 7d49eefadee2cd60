package selfplay

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/cespare/xxhash/v2"

	"synochess/datasets"
)

// Seed derives a game's own seed from the run's seed and the game's place in the run. Games never share
// a seed within a run, and nothing else enters it.
func Seed(run uint64, purpose datasets.Purpose, generation uint32, number uint64) uint64 {
	var b [32]byte
	binary.LittleEndian.PutUint64(b[0:], run)
	binary.LittleEndian.PutUint64(b[8:], uint64(purpose))
	binary.LittleEndian.PutUint64(b[16:], uint64(generation))
	binary.LittleEndian.PutUint64(b[24:], number)
	return xxhash.Sum64(b[:])
}

// newRand returns the generator that belongs to a seed.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x5eed)) }
