package fast

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/cespare/xxhash/v2"

	"synochess/internal/kernels"
)

// The portable kernels give the same bits on every processor and at every optimisation level. These
// numbers change only when their arithmetic is meant to change, or the encoding.
func TestPortableBits(t *testing.T) {
	portableBits(t, 0, 0x137a75e68af0374)
	portableBits(t, 6, 0xa94ed91b775f6b80)
}

func portableBits(t *testing.T, fromTo int, want uint64) {
	t.Helper()
	e := mustNew(t, kernels.Portable(), trainedWithTerm(2, 24, fromTo, 9))
	b := randomRows(6, 10)
	if err := e.Evaluate(b); err != nil {
		t.Fatal(err)
	}
	var buf []byte
	for _, out := range [][]float32{b.Logits, b.WDL} {
		for _, v := range out {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
		}
	}
	if got := xxhash.Sum64(buf); got != want {
		t.Errorf("%d channels of a from-to term: the evaluations hash to %#x, want %#x", fromTo, got, want)
	}
}
