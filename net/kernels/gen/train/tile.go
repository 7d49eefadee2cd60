package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tile emits the product: v.rows rows times n vectors of columns, for several groups of rows.
//
// Element (i, k) of A is at a + i*aRow + k*aStep, so A may lie either way round.
func (v *isa) tile(n int) {
	v.function(fmt.Sprintf("tile%d", n),
		"groups, k int, a *float32, aRow, aStep, aGroup int, b *float32, bRow int, c *float32, cRow, cGroup int, accumulate int, next, far *float32",
		fmt.Sprintf("sets C, or adds to it if accumulate is not 0: %d columns of A*B, %d rows for each of groups; next and far are prefetched.", n*v.lanes, v.rows))
	aStart, s, step := param("a"), param("aRow"), param("aStep")
	bRow, c, cRow := param("bRow"), param("c"), param("cRow")
	next, far := param("next"), param("far")
	groups, err := Param("groups").Resolve() // stays in memory: the registers are needed
	if err != nil {
		panic(err)
	}
	s3 := times3(s)
	var s5, s7 reg.GPVirtual
	if v.rows > 4 {
		s5 = times5(s)
		s7 = GP64()
		LEAQ(Mem{Base: s3, Index: s, Scale: 4}, s7)
	}
	row := func(base reg.GPVirtual, i int) Mem {
		return [...]Mem{
			{Base: base}, {Base: base, Index: s, Scale: 1}, {Base: base, Index: s, Scale: 2}, {Base: base, Index: s3, Scale: 1},
			{Base: base, Index: s, Scale: 4}, {Base: base, Index: s5, Scale: 1}, {Base: base, Index: s3, Scale: 2}, {Base: base, Index: s7, Scale: 1},
		}[i]
	}
	sums := make([][]reg.VecVirtual, v.rows)
	for i := range sums {
		sums[i] = v.vecs(n)
	}
	each := func(f func(at Mem, sum reg.VecVirtual)) {
		to := copyOf(c)
		for i := range sums {
			for j, sum := range sums[i] {
				f(Mem{Base: to, Disp: j * v.size}, sum)
			}
			if i < v.rows-1 {
				ADDQ(cRow, to)
			}
		}
	}

	Label("group")
	flag := param("accumulate")
	TESTQ(flag, flag)
	JZ(LabelRef("zero"))
	each(func(at Mem, sum reg.VecVirtual) { VMOVUPS(at, sum) })
	JMP(LabelRef("start"))
	Label("zero")
	for _, r := range sums {
		for _, sum := range r {
			v.zero(sum)
		}
	}
	Label("start")
	a, b, left := copyOf(aStart), param("b"), param("k")
	products := func() {
		x := v.vecs(n)
		for j := range x {
			VMOVUPS(Mem{Base: b, Disp: j * v.size}, x[j])
		}
		ADDQ(bRow, b)
		for i := range sums {
			y := v.vec()
			VBROADCASTSS(row(a, i), y)
			for j := range x {
				VFMADD231PS(x[j], y, sums[i][j])
			}
		}
		ADDQ(step, a)
	}
	SUBQ(Imm(4), left)
	JL(LabelRef("rest"))
	Label("four")
	for i := range 4 {
		if i < v.near {
			PREFETCHT0(Mem{Base: next, Disp: 64 * i})
		}
		if i < v.far {
			PREFETCHT0(Mem{Base: far, Disp: 64 * i})
		}
		products()
	}
	ADDQ(Imm(uint64(64*v.near)), next)
	ADDQ(Imm(uint64(64*v.far)), far)
	SUBQ(Imm(4), left)
	JGE(LabelRef("four"))
	Label("rest")
	ADDQ(Imm(4), left)
	JZ(LabelRef("store"))
	Label("one")
	products()
	DECQ(left)
	JNZ(LabelRef("one"))
	Label("store")
	each(func(at Mem, sum reg.VecVirtual) { VMOVUPS(sum, at) })
	ADDQ(param("aGroup"), aStart)
	ADDQ(param("cGroup"), c)
	DECQ(groups.Addr)
	JNZ(LabelRef("group"))
	end()
}
