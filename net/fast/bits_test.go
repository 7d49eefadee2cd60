package fast

import (
	"encoding/binary"
	"math"
	"path/filepath"
	"testing"

	"github.com/cespare/xxhash/v2"

	"synochess/env/encode"
	"synochess/mcts/evaltest"
	"synochess/net"
	"synochess/net/kernels"
)

// The portable kernels give the same bits on every processor and at every optimisation level. These
// numbers change only when their arithmetic is meant to change, or the encoding.
func TestPortableBits(t *testing.T) {
	for _, c := range []struct {
		version, fromTo int
		want            uint64
	}{{1, 0, 0x137a75e68af0374}, {2, 0, 0xecec35d3c4259876}, {1, 6, 0xa94ed91b775f6b80}, {2, 6, 0x8004e1b85845be94}} {
		planes, scalars, _ := encode.Inputs(c.version)
		b := evaltest.Random(6, 10, planes, scalars, encode.PolicySize)
		if got := bitsOf(t, mustNew(t, kernels.Portable, trainedOf(c.version, 2, 24, c.fromTo, 9)), b); got != c.want {
			t.Errorf("encoding version %d, %d channels of a from-to term: the evaluations hash to %#x, want %#x", c.version, c.fromTo, got, c.want)
		}
	}
}

// A network of encoding version 1 from before there was a from-to term keeps its evaluation id, passes its own
// test vectors on the fastest kernels, and on the portable ones answers bit for bit as in the program that trained
// it and knew no other encoding. The numbers are those of that program.
func TestOldNetworkIsUnchanged(t *testing.T) {
	w, err := net.Load(filepath.Join("testdata", "quick-369e2bc.weights"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := w.EvalID(), "df786f0ce9b59805"; got != want || w.Arch.FromTo != 0 {
		t.Errorf("evaluation id %s, want %s; %d channels of a term", got, want, w.Arch.FromTo)
	}
	if len(w.Vectors()) == 0 {
		t.Fatal("the fixture has no test vectors")
	}
	for _, open := range []func(*kernels.Path, *net.Weights) (*Evaluator, error){New, NewQuantised} {
		if _, err := open(kernels.Best(), w); err != nil {
			t.Error(err)
		}
	}
	quantised, err := NewQuantised(kernels.Portable, w)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		e    *Evaluator
		want uint64
	}{{mustNew(t, kernels.Portable, w), 0x3b70f7e6cd971969}, {quantised, 0x437b1103e45433df}} {
		if got := bitsOf(t, c.e, gamePositions(t, 5, 60)); got != c.want {
			t.Errorf("%s: the evaluations hash to %#x, want %#x", c.e.KernelPath(), got, c.want)
		}
	}
}

// bitsOf hashes the answers to a batch.
func bitsOf(t *testing.T, e *Evaluator, b *encode.Batch) uint64 {
	t.Helper()
	if err := e.Evaluate(b); err != nil {
		t.Fatal(err)
	}
	var buf []byte
	for _, out := range [][]float32{b.Logits, b.WDL} {
		for _, v := range out {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
		}
	}
	return xxhash.Sum64(buf)
}
