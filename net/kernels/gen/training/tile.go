package training

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tile emits the product: v.rows rows times n vectors of columns, for several groups of rows.
//
// Element (i, k) of A is at a + i*aRow + k*aStep, so A may lie either way round.
func (v *asm) tile(n int) {
	v.function(fmt.Sprintf("tile%d", n),
		"groups, k int, a *float32, aRow, aStep, aGroup int, b *float32, bRow int, c *float32, cRow, cGroup int, accumulate int, next, far *float32",
		fmt.Sprintf("sets C, or adds to it if accumulate is not 0: %d columns of A*B, %d rows for each of groups; next and far are prefetched.", n*v.Lanes, v.rows))
	aStart, s, step := v.Arg("a"), v.Arg("aRow"), v.Arg("aStep")
	bRow, c, cRow := v.Arg("bRow"), v.Arg("c"), v.Arg("cRow")
	next, far := v.Arg("next"), v.Arg("far")
	groups := v.ArgMem("groups") // stays in memory: the registers are needed
	s3 := v.times3(s)
	var s5, s7 reg.GPVirtual
	if v.rows > 4 {
		s5 = v.times5(s)
		s7 = v.GP64()
		v.LEAQ(operand.Mem{Base: s3, Index: s, Scale: 4}, s7)
	}
	row := func(base reg.GPVirtual, i int) operand.Mem {
		return [...]operand.Mem{
			{Base: base}, {Base: base, Index: s, Scale: 1}, {Base: base, Index: s, Scale: 2}, {Base: base, Index: s3, Scale: 1},
			{Base: base, Index: s, Scale: 4}, {Base: base, Index: s5, Scale: 1}, {Base: base, Index: s3, Scale: 2}, {Base: base, Index: s7, Scale: 1},
		}[i]
	}
	sums := make([][]reg.VecVirtual, v.rows)
	for i := range sums {
		sums[i] = v.vecs(n)
	}
	each := func(f func(at operand.Mem, sum reg.VecVirtual)) {
		to := v.copyOf(c)
		for i := range sums {
			for j, sum := range sums[i] {
				f(operand.Mem{Base: to, Disp: j * v.Width()}, sum)
			}
			if i < v.rows-1 {
				v.ADDQ(cRow, to)
			}
		}
	}

	v.Label("group")
	flag := v.Arg("accumulate")
	v.TESTQ(flag, flag)
	v.JZ(operand.LabelRef("zero"))
	each(func(at operand.Mem, sum reg.VecVirtual) { v.VMOVUPS(at, sum) })
	v.JMP(operand.LabelRef("start"))
	v.Label("zero")
	for _, r := range sums {
		for _, sum := range r {
			v.zero(sum)
		}
	}
	v.Label("start")
	a, b, left := v.copyOf(aStart), v.Arg("b"), v.Arg("k")
	products := func() {
		x := v.vecs(n)
		for j := range x {
			v.VMOVUPS(operand.Mem{Base: b, Disp: j * v.Width()}, x[j])
		}
		v.ADDQ(bRow, b)
		for i := range sums {
			y := v.Vec()
			v.VBROADCASTSS(row(a, i), y)
			for j := range x {
				v.VFMADD231PS(x[j], y, sums[i][j])
			}
		}
		v.ADDQ(step, a)
	}
	v.SUBQ(operand.Imm(4), left)
	v.JL(operand.LabelRef("rest"))
	v.Label("four")
	for i := range 4 {
		if i < v.near {
			v.PREFETCHT0(operand.Mem{Base: next, Disp: 64 * i})
		}
		if i < v.far {
			v.PREFETCHT0(operand.Mem{Base: far, Disp: 64 * i})
		}
		products()
	}
	v.ADDQ(operand.Imm(uint64(64*v.near)), next)
	v.ADDQ(operand.Imm(uint64(64*v.far)), far)
	v.SUBQ(operand.Imm(4), left)
	v.JGE(operand.LabelRef("four"))
	v.Label("rest")
	v.ADDQ(operand.Imm(4), left)
	v.JZ(operand.LabelRef("store"))
	v.Label("one")
	products()
	v.DECQ(left)
	v.JNZ(operand.LabelRef("one"))
	v.Label("store")
	each(func(at operand.Mem, sum reg.VecVirtual) { v.VMOVUPS(sum, at) })
	v.ADDQ(v.Arg("aGroup"), aStart)
	v.ADDQ(v.Arg("cGroup"), c)
	v.DECQ(groups)
	v.JNZ(operand.LabelRef("group"))
	v.End()
}
