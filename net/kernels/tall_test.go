//go:build amd64 || arm64

package kernels

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/cespare/xxhash/v2"
)

// The trunks on vectors do the same operations in the same order on every processor. This number changes
// only when their arithmetic is meant to change, on all of them.
func TestTallTrunkBits(t *testing.T) {
	const want = 0x181b5d302585b190
	everySet(t, func(t *testing.T, set *Set) {
		convs, x := randomTrunk(3, 48, 4, 9)
		trunk := set.NewTrunk(48, convs)
		if _, ok := trunk.(*tallTrunk); !ok {
			t.Skip("this path has another trunk")
		}
		trunk.Run(x, 9)
		var buf []byte
		for _, v := range x {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
		}
		if got := xxhash.Sum64(buf); got != want {
			t.Errorf("the outputs hash to %#x, want %#x", got, uint64(want))
		}
	})
}
