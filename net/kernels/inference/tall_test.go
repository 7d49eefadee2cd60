package inference

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/cespare/xxhash/v2"

	"synochess/net/kernels"
)

// The trunks on vectors do the same operations in the same order on every processor. This number changes
// only when their arithmetic is meant to change, on all of them.
func TestTallTrunkBits(t *testing.T) {
	const want = 0x181b5d302585b190
	everyPath(t, func(t *testing.T, p *kernels.Path) {
		convs, x := randomTrunk(3, 48, 4, 9)
		trunk := NewTrunk(p, 48, convs)
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
