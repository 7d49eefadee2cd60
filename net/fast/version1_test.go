package fast

import (
	"encoding/binary"
	"math"
	"path/filepath"
	"testing"

	"github.com/cespare/xxhash/v2"

	"synochess/internal/kernels"
	"synochess/net"
)

// A network of encoding version 1, trained by the program that knew no other, answers rows of this version
// bit for bit as it answered then: it reads the first planes and scalars of each. The numbers are those of that
// program.
func TestEncodingVersion1Plays(t *testing.T) {
	w, err := net.Load(filepath.Join("testdata", "quick-369e2bc.weights"))
	if err != nil {
		t.Fatal(err)
	}
	float := mustNew(t, kernels.Portable(), w)
	int16, err := NewQuantisedOn(kernels.PortableInt16(), w)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		e    *Evaluator
		want uint64
	}{{float, 0x3b70f7e6cd971969}, {int16, 0x437b1103e45433df}} {
		b := gamePositions(t, 5, 60)
		if err := c.e.Evaluate(b); err != nil {
			t.Fatal(err)
		}
		var buf []byte
		for _, out := range [][]float32{b.Logits, b.WDL} {
			for _, v := range out {
				buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
			}
		}
		if got := xxhash.Sum64(buf); got != c.want {
			t.Errorf("%s: the evaluations hash to %#x, want %#x", c.e.ID(), got, c.want)
		}
	}
}
