// Package training writes the amd64 assembly of package training.
//
// All functions work on vectors of channels ("groups" of 16 with AVX-512, 8 with AVX2): boards, transformed
// data and weights all have their channels contiguous. Strides are in bytes. Nothing is checked.
package training

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"synochess/net/kernels/gen/amd64"
)

// asm collects the functions of an instruction set.
type asm struct {
	*amd64.Asm
	shape
	constants map[float32]operand.Mem // numbers that lie in the file already
	labels    int                     // counts the loops of the file; labels must differ within a function
}

// shape is how a product is cut for an instruction set.
type shape struct {
	rows int // rows of a product's register tile
	near int // cache lines of the next operand prefetched per four steps of a product
	far  int // and of boards for later
}

// Files returns the texts of all files by their paths.
func Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, t := range []struct {
		isa   amd64.ISA
		shape shape
	}{
		{amd64.AVX512, shape{rows: 8, near: 2, far: 3}},
		{amd64.AVX2, shape{rows: 4, near: 1, far: 1}},
	} {
		v := &asm{Asm: amd64.New(t.isa), shape: t.shape, constants: map[float32]operand.Mem{}}
		for n := 1; n <= 3; n++ {
			v.tile(n)
		}
		v.expand("analyse", "transforms a board's input for the products (transformInput).", v.analyse)
		v.expand("synthesiseT", "is the transpose of the output transform (transformOutputT).", v.synthesiseT)
		v.reduce("analyseT", "is the transpose of the input transform (transformInputT).", v.analyseT)
		v.reduce("synthesise", "transforms products into a board (transformOutput).", v.synthesisePair)
		v.weights()
		v.weightsT()
		v.pointwise()
		v.sum()
		v.adam()
		if err := v.AddTo(files, "training", "training"); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// function begins a function of parameters.
func (v *asm) function(name, parameters, doc string) { v.Begin(name, "func("+parameters+")", doc) }

func (v *asm) vecs(n int) []reg.VecVirtual {
	r := make([]reg.VecVirtual, n)
	for i := range r {
		r[i] = v.Vec()
	}
	return r
}

// zero clears a register.
func (v *asm) zero(r reg.VecVirtual) {
	if v.Wide() {
		v.VPXORD(r, r, r)
	} else {
		v.VXORPS(r, r, r)
	}
}

// constant is a register with x in every lane.
func (v *asm) constant(x float32) reg.VecVirtual {
	at, ok := v.constants[x]
	if !ok {
		at = v.ConstData(fmt.Sprintf("%s_%d", v.Name, len(v.constants)), operand.F32(x))
		v.constants[x] = at
	}
	r := v.Vec()
	v.VBROADCASTSS(at, r)
	return r
}

// copyOf is a register that starts with the value of another.
func (v *asm) copyOf(r reg.GPVirtual) reg.GPVirtual {
	c := v.GP64()
	v.MOVQ(r, c)
	return c
}

// times3 is three times a stride.
func (v *asm) times3(s reg.GPVirtual) reg.GPVirtual {
	r := v.GP64()
	v.LEAQ(operand.Mem{Base: s, Index: s, Scale: 2}, r)
	return r
}

// times5 is five times a stride.
func (v *asm) times5(s reg.GPVirtual) reg.GPVirtual {
	r := v.GP64()
	v.LEAQ(operand.Mem{Base: s, Index: s, Scale: 4}, r)
	return r
}

// loop emits body n times; n is a constant or a register, which is used up.
func (v *asm) loop(n operand.Op, body func()) {
	v.labels++
	label := fmt.Sprintf("loop%d", v.labels)
	counter, ok := n.(reg.GPVirtual)
	if !ok {
		counter = v.GP64()
		v.MOVQ(n, counter)
	}
	v.Label(label)
	body()
	v.DECQ(counter)
	v.JNZ(operand.LabelRef(label))
}
