// Package forward writes the amd64 assembly of the forward pass: products and vectors of package kernels, and the
// transforms of package inference in float32 and 16-bit integers.
package forward

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"synochess/net/kernels/gen/amd64"
)

// target is an instruction set to write for, in one kind of numbers.
type target struct {
	amd64.ISA
	form
}

// form is how the functions of a target differ from those of others.
type form struct {
	// tiles lists the products: for each number of vectors side by side the numbers of rows that go
	// together, largest first, ending with the number all are multiples of. Sums, a row's vectors and one broadcast
	// fit the registers.
	tiles map[int][]int
	int16 bool // pairs of 16-bit integers, summed in 32 bits, in place of floats
	vnni  bool // there is an instruction for that
}

var floats = []target{
	{amd64.AVX512, form{tiles: map[int][]int{1: {12, 4, 2, 1}, 2: {12, 8, 4, 2, 1}, 3: {8, 4, 2, 1}}}},
	{amd64.AVX2, form{tiles: map[int][]int{2: {6, 4, 2, 1}}}},
}

var integers = []target{
	{
		amd64.ISA{Name: "avx512vnni", Lanes: 16, Registers: 32},
		form{tiles: map[int][]int{1: {12, 8, 4}, 2: {12, 8, 4}, 3: {8, 4}}, int16: true, vnni: true},
	},
	{amd64.ISA{Name: "avx2int16", Lanes: 8, Registers: 16}, form{tiles: map[int][]int{2: {6, 4}}, int16: true}},
}

// Files returns the texts of all files by their paths.
func Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, t := range floats {
		shared := newAsm(t)
		shared.products()
		shared.vectors()
		if err := shared.AddTo(files, ".", "kernels"); err != nil {
			return nil, err
		}
		trunk := newAsm(t)
		trunk.transformIn()
		trunk.transformOut(false)
		trunk.transformOut(true)
		if err := trunk.AddTo(files, "inference", "inference"); err != nil {
			return nil, err
		}
	}
	for _, t := range integers {
		trunk := newAsm(t)
		trunk.products()
		trunk.int16Transforms()
		if err := trunk.AddTo(files, "inference", "inference"); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// asm collects the functions of a file.
type asm struct {
	*amd64.Asm
	form
	constants map[float32]operand.Mem
	held      map[float32]reg.VecVirtual // constants that are in registers
}

func newAsm(t target) *asm {
	return &asm{Asm: amd64.New(t.ISA), form: t.form, constants: map[float32]operand.Mem{}}
}

// function begins a function.
func (a *asm) function(name, signature, doc string) {
	a.Begin(name, signature, doc)
	a.held = map[float32]reg.VecVirtual{}
}

// products writes the products of all widths.
func (a *asm) products() {
	for cols := 1; cols <= 4; cols++ {
		if rows := a.tiles[cols]; rows != nil {
			a.gemm(cols, rows)
		}
	}
}
