package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The transforms of Winograd F(4x4,3x3) for 16-bit activations, as int16.go and int16_portable.go in the
// parent folder define them: the same sums in the same order, so that all paths give the same bits. A board
// is [square][channel], transformed [point][tile][channel], with given strides; a tile is a quarter.

// int16Transforms writes all functions of the quantised trunk but the products.
func (a *asm) int16Transforms() {
	a.quantise()
	a.int16In()
	a.int16Out("winoOut", false, false)
	a.int16Out("winoOutSkip", true, false)
	a.int16Out("winoOutLast", true, true)
}

// int16Top is the largest activation.
const int16Top = 481

// clamp holds what turns floats into activations.
type clamp struct{ zero, top reg.VecVirtual }

func (a *asm) clamp() clamp {
	c := clamp{a.vec(), a.register(inMemory(a.constant(int16Top)))}
	a.VXORPS(c.zero, c.zero, c.zero)
	return c
}

// storeActivations rounds a vector of floats to activations, 16 bits each.
func (a *asm) storeActivations(c clamp, v reg.VecVirtual, to operand.Mem) {
	x := a.vec()
	a.VMINPS(c.top, v, x)
	if a.lanes == 16 {
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
	src, factor, dst, squares, blocks := a.load("src"), a.load("factor"), a.load("dst"), a.load("squares"), a.load("blocks")
	c := a.clamp()
	f, n := a.GP64(), a.GP64()
	a.Label("square")
	a.MOVQ(factor, f)
	a.MOVQ(blocks, n)
	a.Label("block")
	x := a.register(inMemory(operand.Mem{Base: src}))
	a.VMULPS(operand.Mem{Base: f}, x, x)
	a.storeActivations(c, x, operand.Mem{Base: dst})
	a.ADDQ(operand.Imm(uint64(a.width())), src)
	a.ADDQ(operand.Imm(uint64(a.width())), f)
	a.ADDQ(operand.Imm(uint64(a.width()/2)), dst)
	a.DECQ(n)
	a.JNZ(operand.LabelRef("block"))
	a.DECQ(squares)
	a.JNZ(operand.LabelRef("square"))
	a.finish()
}

// addWords returns x + y in 16 bits, subWords x - y; of subWords' not both may be zero.
func (a *asm) addWords(x, y value) value {
	if x.zero() {
		return y
	}
	if y.zero() {
		return x
	}
	to := a.vec()
	a.VPADDW(y.operand(), x.reg, to)
	return inRegister(to)
}

func (a *asm) subWords(x, y value) value {
	if y.zero() {
		return x
	}
	to := a.vec()
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
	to := a.vec()
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
	src, dst, scratch := a.load("src"), a.load("dst"), a.load("scratch")
	lda, step := a.load("lda"), a.load("step")
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
			a.VMOVUPS(v.reg, operand.Mem{Base: s, Disp: (i*2 + half) * 8 * a.width()})
		})
	}
	board.next(a, lda)
	a.ADDQ(operand.Imm(uint64(a.width())), s)
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
				d[x] = inRegister(a.register(inMemory(operand.Mem{Base: s, Disp: (tile/2*8 + file) * a.width()})))
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
	a.ADDQ(operand.U32(uint32(16*a.width())), s)
	a.DECQ(n)
	a.JNZ(operand.LabelRef("rows"))

	a.ADDQ(operand.Imm(uint64(a.width())), src)
	a.ADDQ(operand.Imm(uint64(a.width())), dst)
	a.DECQ(a.param("blocks"))
	a.JNZ(operand.LabelRef("block"))
	a.finish()
}

// nextRow moves q from the fourth tile of a point to the first tile six points on.
func (a *asm) nextRow(q, tile, step reg.GPVirtual) {
	for range 3 {
		a.SUBQ(tile, q)
	}
	a.LEAQ(operand.Mem{Base: q, Index: step, Scale: 4}, q)
	a.LEAQ(operand.Mem{Base: q, Index: step, Scale: 2}, q)
}

// int16OutRow writes At m and gives each of the four outputs to put.
func (a *asm) int16OutRow(m [6]value, put func(k int, v reg.VecVirtual)) {
	m1, m3 := inRegister(a.register(m[1])), inRegister(a.register(m[3]))
	s, d := a.add(m1, m[2]), a.sub(m1, m[2])
	s2, d2 := a.add(m3, m[4]), a.sub(m3, m[4])
	put(0, a.add(a.add(m[0], s), s2).reg)
	put(2, a.addMul(s, 4, s2).reg)
	put(1, a.addMul(d, 2, d2).reg)
	put(3, a.add(a.addMul(d, 8, d2), m[5]).reg)
}

// int16Out writes the function that transforms products back and finishes the layer.
func (a *asm) int16Out(name string, skip, last bool) {
	signature, formula, kind := "func(m, finish *float32, dst *uint16, scratch *float32, blocks, ldm, step, pixel uintptr)", "At m A + bias", "activations"
	if skip {
		formula = "At m A + bias + factor*dst"
	}
	if last {
		signature = "func(m, finish *float32, skip *uint16, dst, scratch *float32, blocks, ldm, step, pixel uintptr)"
		formula, kind = "max(At m A + bias + factor*skip, 0)", "floats"
	}
	a.function(name, signature, "computes dst[square][channel] = "+formula+` of one board for a number of blocks,
vectors of channels, as `+kind+`. The products of point p and tile t lie at p*step + t*ldm bytes of m. Squares
of activations are pixel bytes apart. finish holds for each block the bias and the factor. scratch
holds 96 vectors.`)
	m, finish, dst := a.load("m"), a.load("finish"), a.load("dst")
	skips := dst
	if last {
		skips = a.load("skip")
	}
	c := a.clamp()
	a.holdAsFit([]float64{2, 4, 8}, 0)
	s, n := a.GP64(), a.GP64()
	a.Label("block")

	// Along the ranks: scratch[vertical point][half][file].
	a.Load(a.Param("scratch"), s)
	q, q3, next, ldm, step := a.GP64(), a.GP64(), a.GP64(), a.load("ldm"), a.load("step")
	a.MOVQ(m, q)
	a.MOVQ(operand.U32(6), n)
	a.Label("rows")
	for tile := range 4 {
		a.LEAQ(operand.Mem{Base: q, Index: step, Scale: 2}, q3)
		a.ADDQ(step, q3)
		var six [6]value
		for j := range six {
			six[j] = inMemory(strided(q, q3, step, j))
		}
		// The products lie in the second-level cache: fetch those of the next row.
		a.LEAQ(operand.Mem{Base: q3, Index: step, Scale: 2}, next)
		a.ADDQ(step, next)
		for range 6 {
			a.PREFETCHT0(operand.Mem{Base: next})
			a.ADDQ(step, next)
		}
		a.int16OutRow(six, func(k int, v reg.VecVirtual) {
			a.VMOVUPS(v, operand.Mem{Base: s, Disp: (tile/2*8 + tile%2*4 + k) * a.width()})
		})
		if tile < 3 {
			a.ADDQ(ldm, q)
		}
	}
	a.nextRow(q, ldm, step)
	a.ADDQ(operand.U32(uint32(16*a.width())), s)
	a.DECQ(n)
	a.JNZ(operand.LabelRef("rows"))

	// Down the files.
	bias, factor := operand.Mem{Base: finish}, reg.VecVirtual(nil)
	if skip {
		factor = a.register(inMemory(operand.Mem{Base: finish, Disp: a.width()}))
	}
	a.Load(a.Param("scratch"), s)
	a.MOVQ(operand.U32(8), n)
	pixel := a.load("pixel")
	from := a.ranks(skips, pixel)
	to := from
	if last {
		a.ADDQ(pixel, pixel) // floats are twice as large
		to = a.ranks(dst, pixel)
	}
	a.Label("files")
	for half := range 2 {
		var six [6]value
		for i := range six {
			six[i] = inMemory(operand.Mem{Base: s, Disp: (i*2 + half) * 8 * a.width()})
		}
		six[1] = a.add(inRegister(a.register(six[1])), inMemory(bias)) // enters every output once
		a.int16OutRow(six, func(k int, v reg.VecVirtual) {
			rank := half*4 + k
			if skip {
				x := a.vec()
				a.VPMOVZXWD(from.square(rank), x)
				a.VCVTDQ2PS(x, x)
				a.VMULPS(factor, x, x)
				a.VADDPS(x, v, v)
			}
			if last {
				a.VMAXPS(c.zero, v, v)
				a.VMOVUPS(v, to.square(rank))
			} else {
				a.storeActivations(c, v, to.square(rank))
			}
		})
	}
	from.next(a, a.param("pixel"))
	if last {
		to.next(a, a.param("pixel"))
		to.next(a, a.param("pixel"))
	}
	a.ADDQ(operand.Imm(uint64(a.width())), s)
	a.DECQ(n)
	a.JNZ(operand.LabelRef("files"))

	a.ADDQ(operand.Imm(uint64(a.width())), m)
	a.ADDQ(operand.Imm(uint64(2*a.width())), finish)
	if last {
		a.ADDQ(operand.Imm(uint64(a.width())), dst)
		a.ADDQ(operand.Imm(uint64(a.width()/2)), skips)
	} else {
		a.ADDQ(operand.Imm(uint64(a.width()/2)), dst)
	}
	a.DECQ(a.param("blocks"))
	a.JNZ(operand.LabelRef("block"))
	a.finish()
}
