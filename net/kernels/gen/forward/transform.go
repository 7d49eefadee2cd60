package forward

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"synochess/net/kernels/gen/factors"
	"synochess/net/kernels/winograd"
)

// The transforms of the tall tiles that tall.go in package inference describes, for one board and a vector of
// channels. A board is [square][channel], transformed [point][tile][channel], with given strides.

// in writes Bt d, for the rows of Bt in the order 0, a, -a, b, -b, ..., infinity, and gives each to put.
func (a *asm) in(f winograd.F, d []value, put func(i int, v value)) {
	last := factors.Pairs(f)
	for n := range last {
		even := a.sum(d[2*last], factors.EvenIn(f, n)[:last-1], func(k int) value { return d[2*k+2] })
		odd := a.sum(value{}, factors.OddIn(f, n), func(k int) value { return d[2*k+1] })
		put(2*n+1, a.add(even, odd))
		put(2*n+2, a.sub(even, odd))
	}
	ends := factors.EndsIn(f)[:last]
	put(0, a.sum(d[2*last], ends, func(k int) value { return d[2*k] }))
	put(2*last+1, a.sum(d[2*last+1], ends, func(k int) value { return d[2*k+1] }))
}

// out writes At m, plus bias in every output, and gives each output to put.
func (a *asm) out(f winograd.F, m func(i int) value, bias value, put func(k int, v value)) {
	pairs := factors.Pairs(f)
	sums, differences := make([]value, pairs), make([]value, pairs)
	for n := range pairs {
		x, y := inRegister(a.register(m(2*n+1))), inRegister(a.register(m(2*n+2)))
		sums[n], differences[n] = a.add(x, y), a.sub(x, y)
	}
	last := 2*pairs - 1
	for k := range last + 1 {
		terms, start := sums, bias
		if k%2 == 1 {
			terms = differences
		}
		switch k {
		case 0:
			start = a.add(m(0), bias)
		case last:
			start = a.add(m(last+2), bias)
		}
		put(k, a.sum(start, factors.Powers(f, k), func(n int) value { return terms[n] }))
	}
}

// sum returns start plus the products of factors and terms, those with positive factors first: a sum that
// starts from nothing need not be negated then.
func (a *asm) sum(start value, factors []float64, term func(k int) value) value {
	total := start
	for _, positive := range []bool{true, false} {
		for k, f := range factors {
			switch x := term(k); {
			case x.zero() || f > 0 != positive:
			case total != start: // a register of its own
				a.addMulTo(total.reg, float32(f), x)
			case total.zero() && f == 1:
				total = inRegister(a.copied(x))
			default:
				total = a.addMul(total, float32(f), x)
			}
		}
	}
	return total
}

// transformIn writes the function that transforms boards for the products.
func (a *asm) transformIn() {
	a.function("winoIn", "func(src, dst, scratch *float32, blocks, lda, step uintptr)",
		`transforms one board of a number of blocks, vectors of channels. Squares of src are lda
bytes apart. Point p of tile t goes to p*step + t*lda bytes of dst. scratch holds 80 vectors.`)
	src, dst, scratch := a.Arg("src"), a.Arg("dst"), a.Arg("scratch")
	lda, step := a.Arg("lda"), a.Arg("step")
	q, q3, s, n := a.GP64(), a.GP64(), a.GP64(), a.GP64()
	a.Label("block")

	// Down the files: scratch[vertical point][file].
	a.holdAsFit(factors.OfIn(winograd.TallDown), 8+6)
	a.MOVQ(scratch, s)
	a.MOVQ(operand.U32(8), n)
	board := a.ranks(src, lda)
	a.Label("files")
	d := make([]value, 10)
	for rank := range 8 {
		d[rank+1] = inRegister(a.register(inMemory(board.square(rank))))
	}
	a.in(winograd.TallDown, d, func(i int, v value) {
		a.VMOVUPS(v.reg, operand.Mem{Base: s, Disp: i * 8 * a.Width()})
	})
	board.next(a, lda)
	a.ADDQ(operand.Imm(uint64(a.Width())), s)
	a.DECQ(n)
	a.JNZ(operand.LabelRef("files"))

	// Along the ranks: the left tile starts at file -1, the right one at 3.
	a.holdAsFit(factors.OfIn(winograd.TallAlong), 8)
	a.MOVQ(scratch, s)
	a.MOVQ(dst, q)
	a.MOVQ(operand.U32(10), n)
	a.Label("rows")
	for tile := range 2 {
		d := make([]value, 6)
		for x := range d {
			if file := tile*4 - 1 + x; file >= 0 && file < 8 {
				d[x] = inMemory(operand.Mem{Base: s, Disp: file * a.Width()})
				if a.Registers > 16 {
					d[x] = inRegister(a.register(d[x]))
				}
			}
		}
		a.LEAQ(operand.Mem{Base: q, Index: step, Scale: 2}, q3)
		a.ADDQ(step, q3)
		a.in(winograd.TallAlong, d, func(j int, v value) { a.VMOVUPS(v.reg, strided(q, q3, step, j)) })
		if tile == 0 {
			a.ADDQ(lda, q)
		}
	}
	a.SUBQ(lda, q)
	a.LEAQ(operand.Mem{Base: q, Index: step, Scale: 4}, q)
	a.LEAQ(operand.Mem{Base: q, Index: step, Scale: 2}, q)
	a.ADDQ(operand.U32(uint32(8*a.Width())), s)
	a.DECQ(n)
	a.JNZ(operand.LabelRef("rows"))

	a.ADDQ(operand.Imm(uint64(a.Width())), src)
	a.ADDQ(operand.Imm(uint64(a.Width())), dst)
	a.DECQ(a.ArgMem("blocks"))
	a.JNZ(operand.LabelRef("block"))
	a.End()
}

// ranks addresses the eight squares of a file: three pointers, three ranks apart, and the distance of ranks.
type ranks struct {
	base [3]reg.GPVirtual
	step reg.GPVirtual
}

// ranks begins at file 0 of a board whose squares are pixel bytes apart.
func (a *asm) ranks(board, pixel reg.GPVirtual) ranks {
	r := ranks{step: a.GP64()}
	a.MOVQ(pixel, r.step)
	a.SHLQ(operand.Imm(3), r.step)
	for i := range r.base {
		r.base[i] = a.GP64()
		if i == 0 {
			a.MOVQ(board, r.base[0])
			continue
		}
		a.LEAQ(operand.Mem{Base: r.base[i-1], Index: r.step, Scale: 2}, r.base[i])
		a.ADDQ(r.step, r.base[i])
	}
	return r
}

// square is the file's square on a rank.
func (r ranks) square(rank int) operand.Mem {
	at := operand.Mem{Base: r.base[rank/3]}
	if rank%3 != 0 {
		at.Index, at.Scale = r.step, uint8(rank%3)
	}
	return at
}

// next goes on to the next file.
func (r ranks) next(a *asm, pixel operand.Op) {
	for _, b := range r.base {
		a.ADDQ(pixel, b)
	}
}

// strided is the address of q + j*step for j below 6, given q3 = q + 3*step.
func strided(q, q3, step reg.GPVirtual, j int) operand.Mem {
	at := operand.Mem{Base: q}
	if j >= 3 {
		at.Base = q3
	}
	if j%3 != 0 {
		at.Index, at.Scale = step, uint8(j%3)
	}
	return at
}

// transformOut writes the function that transforms products back and finishes the layer.
func (a *asm) transformOut(skip bool) {
	name, doc := "winoOut", "max(At m A + bias, 0)"
	signature := "func(m, bias, dst, scratch *float32, blocks, ldm, step, pixel uintptr)"
	if skip {
		name, doc = "winoOutSkip", "max(At m A + bias + dst, 0)"
	}
	a.function(name, signature, "computes dst[square][channel] = "+doc+` of one board for a number of blocks,
vectors of channels. The products of point p and tile t lie at p*step + t*ldm bytes of m. Squares of
dst are pixel bytes apart. scratch holds 80 vectors.`)
	m, bias, dst, scratch := a.Arg("m"), a.Arg("bias"), a.Arg("dst"), a.Arg("scratch")
	ldm, step := a.Arg("ldm"), a.Arg("step")
	q, q3, s, n := a.GP64(), a.GP64(), a.GP64(), a.GP64()
	a.Label("block")

	// Along the ranks: scratch[vertical point][file].
	a.holdAsFit(factors.OfOut(winograd.TallAlong), 8)
	a.MOVQ(scratch, s)
	a.MOVQ(m, q)
	a.MOVQ(operand.U32(10), n)
	a.Label("rows")
	for tile := range 2 {
		a.LEAQ(operand.Mem{Base: q, Index: step, Scale: 2}, q3)
		a.ADDQ(step, q3)
		a.out(winograd.TallAlong, func(j int) value { return inMemory(strided(q, q3, step, j)) }, value{}, func(k int, v value) {
			a.VMOVUPS(v.reg, operand.Mem{Base: s, Disp: (tile*4 + k) * a.Width()})
		})
		if tile == 0 {
			a.ADDQ(ldm, q)
		}
	}
	a.SUBQ(ldm, q)
	a.LEAQ(operand.Mem{Base: q, Index: step, Scale: 4}, q)
	a.LEAQ(operand.Mem{Base: q, Index: step, Scale: 2}, q)
	a.ADDQ(operand.U32(uint32(8*a.Width())), s)
	a.DECQ(n)
	a.JNZ(operand.LabelRef("rows"))

	// Down the files.
	a.holdAsFit(factors.OfOut(winograd.TallDown), 8+5)
	b := inRegister(a.register(inMemory(operand.Mem{Base: bias})))
	a.MOVQ(scratch, s)
	a.MOVQ(operand.U32(8), n)
	pixel := a.Arg("pixel")
	board := a.ranks(dst, pixel)
	a.Label("files")
	a.out(winograd.TallDown, func(i int) value { return inMemory(operand.Mem{Base: s, Disp: i * 8 * a.Width()}) }, b, func(k int, v value) {
		at := board.square(k)
		if skip {
			a.VADDPS(at, v.reg, v.reg)
		}
		to := a.Vec()
		a.VXORPS(to, to, to)
		a.VMAXPS(v.reg, to, to) // what is not a number stays so
		a.VMOVUPS(to, at)
	})
	board.next(a, pixel)
	a.ADDQ(operand.Imm(uint64(a.Width())), s)
	a.DECQ(n)
	a.JNZ(operand.LabelRef("files"))

	a.ADDQ(operand.Imm(uint64(a.Width())), m)
	a.ADDQ(operand.Imm(uint64(a.Width())), bias)
	a.ADDQ(operand.Imm(uint64(a.Width())), dst)
	a.DECQ(a.ArgMem("blocks"))
	a.JNZ(operand.LabelRef("block"))
	a.End()
}
