package forward

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The transforms of Winograd F(4x4,3x3) for 16-bit activations, as int16.go and int16_portable.go in
// package inference define them: the same sums in the same order, so that all paths give the same bits. A board
// is [square][channel], transformed [point][tile][channel], with given strides; a tile is a quarter.

// int16Transforms writes all functions of the quantised trunk but the products.
func (a *asm) int16Transforms() {
	a.quantise()
	a.int16In()
	for _, o := range []int16Out{{name: "winoOut"}, {name: "winoOutSkip", skip: true}, {name: "winoOutLast", skip: true, last: true}} {
		o.asm = a
		o.write()
	}
}

// int16Top is the largest activation.
const int16Top = 481

// clamp holds what turns floats into activations.
type clamp struct{ zero, top reg.VecVirtual }

func (a *asm) clamp() clamp {
	c := clamp{a.Vec(), a.register(inMemory(a.constant(int16Top)))}
	a.VXORPS(c.zero, c.zero, c.zero)
	return c
}

// storeActivations rounds a vector of floats to activations, 16 bits each.
func (a *asm) storeActivations(c clamp, v reg.VecVirtual, to operand.Mem) {
	x := a.Vec()
	a.VMINPS(c.top, v, x)
	if a.Lanes == 16 {
		a.VMAXPS(c.zero, x, x)
		a.VCVTPS2DQ(x, x)
		a.VPMOVDW(x, to)
		return
	}
	a.VCVTPS2DQ(x, x)
	high := a.XMM()
	a.VEXTRACTI128(operand.Imm(1), x, high)
	a.VPACKUSDW(high, x.AsX(), high) // makes zeros of what is negative
	a.VMOVDQU(high, to)
}

// quantise writes the function that turns the trunk's input into activations.
func (a *asm) quantise() {
	a.function("quantise", "func(src, factor *float32, dst *uint16, squares, blocks uintptr)",
		`rounds src[square][channel] times factor[channel] to activations, for blocks vectors of channels.`)
	src, factor, dst, squares, blocks := a.Arg("src"), a.Arg("factor"), a.Arg("dst"), a.Arg("squares"), a.Arg("blocks")
	c := a.clamp()
	f, n := a.GP64(), a.GP64()
	a.Label("square")
	a.MOVQ(factor, f)
	a.MOVQ(blocks, n)
	a.Label("block")
	x := a.register(inMemory(operand.Mem{Base: src}))
	a.VMULPS(operand.Mem{Base: f}, x, x)
	a.storeActivations(c, x, operand.Mem{Base: dst})
	a.ADDQ(operand.Imm(uint64(a.Width())), src)
	a.ADDQ(operand.Imm(uint64(a.Width())), f)
	a.ADDQ(operand.Imm(uint64(a.Width()/2)), dst)
	a.DECQ(n)
	a.JNZ(operand.LabelRef("block"))
	a.DECQ(squares)
	a.JNZ(operand.LabelRef("square"))
	a.End()
}

// addWords returns x + y in 16 bits.
func (a *asm) addWords(x, y value) value {
	if x.zero() {
		return y
	}
	if y.zero() {
		return x
	}
	to := a.Vec()
	a.VPADDW(y.operand(), x.reg, to)
	return inRegister(to)
}

// subWords returns x - y in 16 bits; not both are zero.
func (a *asm) subWords(x, y value) value {
	if y.zero() {
		return x
	}
	to := a.Vec()
	if x.zero() {
		a.VXORPS(to, to, to)
		a.VPSUBW(y.operand(), to, to)
	} else {
		a.VPSUBW(y.operand(), x.reg, to)
	}
	return inRegister(to)
}

// shifted returns x * 2^n in 16 bits.
func (a *asm) shifted(x value, n uint64) value {
	if x.zero() {
		return x
	}
	to := a.Vec()
	a.VPSLLW(operand.Imm(n), x.reg, to)
	return inRegister(to)
}

// int16InRow writes Bt d for six vectors of words and gives each point to put.
func (a *asm) int16InRow(d [6]value, put func(i int, v value)) {
	c := a.subWords(d[4], d[2])
	put(0, a.addWords(a.shifted(a.subWords(d[0], d[2]), 2), c))
	p, q := a.subWords(d[4], a.shifted(d[2], 2)), a.subWords(d[3], a.shifted(d[1], 2))
	put(1, a.addWords(p, q))
	put(2, a.subWords(p, q))
	e := a.shifted(a.subWords(d[3], d[1]), 1)
	put(3, a.addWords(c, e))
	put(4, a.subWords(c, e))
	put(5, a.addWords(a.shifted(a.subWords(d[1], d[3]), 2), a.subWords(d[5], d[3])))
}

// int16In writes the function that transforms boards for the products.
func (a *asm) int16In() {
	a.function("winoIn", "func(src *uint16, dst *int16, scratch *float32, blocks, lda, step uintptr)",
		`transforms one board of a number of blocks, vectors of 16-bit channels. Squares of src are lda
bytes apart. Point p of tile t goes to p*step + t*lda bytes of dst. scratch holds 96 vectors.`)
	src, dst, scratch := a.Arg("src"), a.Arg("dst"), a.Arg("scratch")
	lda, step := a.Arg("lda"), a.Arg("step")
	q, q3, s, n := a.GP64(), a.GP64(), a.GP64(), a.GP64()
	a.Label("block")

	// Down the files: scratch[vertical point][half][file].
	a.MOVQ(scratch, s)
	a.MOVQ(operand.U32(8), n)
	board := a.ranks(src, lda)
	a.Label("files")
	var d [8]value
	for rank := range d {
		d[rank] = inRegister(a.register(inMemory(board.square(rank))))
	}
	for half, six := range [2][6]value{{{}, d[0], d[1], d[2], d[3], d[4]}, {d[3], d[4], d[5], d[6], d[7], {}}} {
		a.int16InRow(six, func(i int, v value) {
			a.VMOVUPS(v.reg, operand.Mem{Base: s, Disp: (i*2 + half) * 8 * a.Width()})
		})
	}
	board.next(a, lda)
	a.ADDQ(operand.Imm(uint64(a.Width())), s)
	a.DECQ(n)
	a.JNZ(operand.LabelRef("files"))

	// Along the ranks.
	a.MOVQ(scratch, s)
	a.MOVQ(dst, q)
	a.MOVQ(operand.U32(6), n)
	a.Label("rows")
	for tile := range 4 {
		var d [6]value
		for x := range d {
			if file := tile%2*4 - 1 + x; file >= 0 && file < 8 {
				d[x] = inRegister(a.register(inMemory(operand.Mem{Base: s, Disp: (tile/2*8 + file) * a.Width()})))
			}
		}
		a.LEAQ(operand.Mem{Base: q, Index: step, Scale: 2}, q3)
		a.ADDQ(step, q3)
		a.int16InRow(d, func(j int, v value) { a.VMOVUPS(v.reg, strided(q, q3, step, j)) })
		if tile < 3 {
			a.ADDQ(lda, q)
		}
	}
	a.nextRow(q, lda, step)
	a.ADDQ(operand.U32(uint32(16*a.Width())), s)
	a.DECQ(n)
	a.JNZ(operand.LabelRef("rows"))

	a.ADDQ(operand.Imm(uint64(a.Width())), src)
	a.ADDQ(operand.Imm(uint64(a.Width())), dst)
	a.DECQ(a.ArgMem("blocks"))
	a.JNZ(operand.LabelRef("block"))
	a.End()
}

// nextRow moves q from the fourth tile of a point to the first tile six points on.
func (a *asm) nextRow(q, tile, step reg.GPVirtual) {
	for range 3 {
		a.SUBQ(tile, q)
	}
	a.LEAQ(operand.Mem{Base: q, Index: step, Scale: 4}, q)
	a.LEAQ(operand.Mem{Base: q, Index: step, Scale: 2}, q)
}
