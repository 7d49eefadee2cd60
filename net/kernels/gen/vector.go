package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vectors writes the functions on plain slices. n counts vectors and is at least 1.
func (a *asm) vectors() {
	dst, src, n := reg.GPVirtual(nil), reg.GPVirtual(nil), reg.GPVirtual(nil)
	loop := func(body func(at func(r reg.GPVirtual) operand.Mem)) {
		i := a.GP64()
		a.XORQ(i, i)
		a.IMUL3Q(operand.U32(uint32(a.width())), n, n)
		a.Label("loop")
		body(func(r reg.GPVirtual) operand.Mem { return operand.Mem{Base: r, Index: i, Scale: 1} })
		a.ADDQ(operand.Imm(uint64(a.width())), i)
		a.CMPQ(i, n)
		a.JB(operand.LabelRef("loop"))
	}
	a.function("add", "func(dst, src *float32, n uintptr)", "adds n vectors of src to dst.")
	dst, src, n = a.load("dst"), a.load("src"), a.load("n")
	loop(func(at func(r reg.GPVirtual) operand.Mem) {
		x := a.vec()
		a.VMOVUPS(at(dst), x)
		a.VADDPS(at(src), x, x)
		a.VMOVUPS(x, at(dst))
	})
	a.finish()

	a.function("addScaled", "func(dst, src *float32, factor float32, n uintptr)", "adds factor times n vectors of src to dst.")
	dst, src, n = a.load("dst"), a.load("src"), a.load("n")
	factor := a.vec()
	a.VBROADCASTSS(a.param("factor"), factor)
	loop(func(at func(r reg.GPVirtual) operand.Mem) {
		x := a.vec()
		a.VMOVUPS(at(dst), x)
		a.VFMADD231PS(at(src), factor, x)
		a.VMOVUPS(x, at(dst))
	})
	a.finish()

	a.function("relu", "func(dst *float32, n uintptr)", "replaces what is below zero in n vectors by zero; what is not a number stays so.")
	dst, n = a.load("dst"), a.load("n")
	zero := a.vec()
	a.VXORPS(zero, zero, zero)
	loop(func(at func(r reg.GPVirtual) operand.Mem) {
		x := a.vec()
		a.VMOVUPS(at(dst), x)
		a.VMAXPS(x, zero, x) // of zero and not a number it takes the second, which is x
		a.VMOVUPS(x, at(dst))
	})
	a.finish()

	a.function("dot", "func(x, y *float32, n uintptr) float32", "returns the sum of the products of n vectors.")
	dst, src, n = a.load("x"), a.load("y"), a.load("n")
	sum := a.vec()
	a.VXORPS(sum, sum, sum)
	loop(func(at func(r reg.GPVirtual) operand.Mem) {
		x := a.vec()
		a.VMOVUPS(at(dst), x)
		a.VFMADD231PS(at(src), x, sum)
	})
	half, total := a.YMM(), a.XMM()
	y := sum.AsY()
	if a.lanes == 16 {
		a.VEXTRACTF64X4(operand.Imm(1), sum, half)
		a.VADDPS(half, y, half)
	} else {
		a.VMOVAPS(y, half)
	}
	a.VEXTRACTF128(operand.Imm(1), half, total)
	a.VADDPS(half.AsX(), total, total)
	a.VHADDPS(total, total, total)
	a.VHADDPS(total, total, total)
	a.Store(total, a.ReturnIndex(0))
	a.finish()
}
