package forward

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vectors writes the functions on plain slices. n counts vectors and is at least 1.
func (a *asm) vectors() {
	var dst, src, n reg.GPVirtual // of the function being written
	loop := func(body func(at func(r reg.GPVirtual) operand.Mem)) {
		i := a.GP64()
		a.XORQ(i, i)
		a.IMUL3Q(operand.U32(uint32(a.Width())), n, n)
		a.Label("loop")
		body(func(r reg.GPVirtual) operand.Mem { return operand.Mem{Base: r, Index: i, Scale: 1} })
		a.ADDQ(operand.Imm(uint64(a.Width())), i)
		a.CMPQ(i, n)
		a.JB(operand.LabelRef("loop"))
	}
	a.function("add", "func(dst, src *float32, n uintptr)", "adds n vectors of src to dst.")
	dst, src, n = a.Arg("dst"), a.Arg("src"), a.Arg("n")
	loop(func(at func(r reg.GPVirtual) operand.Mem) {
		x := a.Vec()
		a.VMOVUPS(at(dst), x)
		a.VADDPS(at(src), x, x)
		a.VMOVUPS(x, at(dst))
	})
	a.End()

	a.function("addScaled", "func(dst, src *float32, factor float32, n uintptr)", "adds factor times n vectors of src to dst.")
	dst, src, n = a.Arg("dst"), a.Arg("src"), a.Arg("n")
	factor := a.Vec()
	a.VBROADCASTSS(a.ArgMem("factor"), factor)
	loop(func(at func(r reg.GPVirtual) operand.Mem) {
		x := a.Vec()
		a.VMOVUPS(at(dst), x)
		a.VFMADD231PS(at(src), factor, x)
		a.VMOVUPS(x, at(dst))
	})
	a.End()

	a.function("relu", "func(dst *float32, n uintptr)", "replaces what is below zero in n vectors by zero; what is not a number stays so.")
	dst, n = a.Arg("dst"), a.Arg("n")
	zero := a.Vec()
	a.VXORPS(zero, zero, zero)
	loop(func(at func(r reg.GPVirtual) operand.Mem) {
		x := a.Vec()
		a.VMOVUPS(at(dst), x)
		a.VMAXPS(x, zero, x) // of zero and not a number it takes the second, which is x
		a.VMOVUPS(x, at(dst))
	})
	a.End()

	a.function("dot", "func(x, y *float32, n uintptr) float32", "returns the sum of the products of n vectors.")
	dst, src, n = a.Arg("x"), a.Arg("y"), a.Arg("n")
	sum := a.Vec()
	a.VXORPS(sum, sum, sum)
	loop(func(at func(r reg.GPVirtual) operand.Mem) {
		x := a.Vec()
		a.VMOVUPS(at(dst), x)
		a.VFMADD231PS(at(src), x, sum)
	})
	half, total := a.YMM(), a.XMM()
	y := sum.AsY()
	if a.Lanes == 16 {
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
	a.End()
}
