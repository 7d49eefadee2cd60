package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The transforms of Winograd F(4x4,3x3) for one board and a vector of channels, straight-line code for
// the four tiles: what lies beyond the board's edge is known to be zero. See winograd.go in the parent
// folder for the matrices. A board is [square][lanes], transformed [point][tile] with given strides.

const points = 6 // along one dimension

// bt returns the given rows of Bt d.
func (a *asm) bt(rows []int, d [points]value) []value {
	var out []value
	var even, odd [2]value // what rows 1 and 2 share, and rows 3 and 4
	for _, row := range rows {
		switch pair := (row - 1) / 2; row {
		case 0:
			out = append(out, a.addMul(a.addMul(d[4], -5, d[2]), 4, d[0]))
		case 1, 3:
			if pair == 0 {
				even[0], odd[0] = a.addMul(d[4], -4, d[2]), a.addMul(d[3], -4, d[1])
				out = append(out, a.add(even[0], odd[0]))
				continue
			}
			even[1], odd[1] = a.sub(d[4], d[2]), a.sub(d[3], d[1])
			out = append(out, a.addMul(even[1], 2, odd[1]))
		case 2:
			out = append(out, a.sub(even[0], odd[0]))
		case 4:
			out = append(out, a.addMul(even[1], -2, odd[1]))
		case 5:
			if d[5].zero() {
				out = append(out, a.addMul(a.addMul(value{}, 4, d[1]), -5, d[3]))
				continue
			}
			out = append(out, a.addMul(a.addMul(d[5], -5, d[3]), 4, d[1]))
		}
	}
	return out
}

// at returns rows 0 and 2 of At m, or rows 1 and 3.
func (a *asm) at(odd bool, m func(i int) value) [2]value {
	if !odd {
		x, y := a.add(m(1), m(2)), a.add(m(3), m(4))
		return [2]value{a.add(a.add(x, m(0)), y), a.addMul(x, 4, y)}
	}
	x, y := a.sub(m(1), m(2)), a.sub(m(3), m(4))
	return [2]value{a.addMul(x, 2, y), a.add(a.addMul(x, 8, y), m(5))}
}

// transformIn writes the function that transforms boards for the products.
func (a *asm) transformIn() {
	a.function("winoIn", "func(src, dst *float32, blocks, lda, step uintptr)",
		`transforms blocks of channels of one board, src[block][square][lane]. Of block b, point p and tile t
it writes the lanes at p*step + t*lda + b*(bytes of a vector) bytes of dst.`)
	src, dst, blocks := a.load("src"), a.load("dst"), a.load("blocks")
	lda, step := a.load("lda"), a.load("step")
	a.hold(2, 4, 5)
	step3 := a.GP64()
	a.LEAQ(operand.Mem{Base: step, Index: step, Scale: 2}, step3)
	a.Label("block")
	to := a.GP64()
	a.MOVQ(dst, to)
	for tile := range 4 {
		rank, file := tile/2*4-1, tile%2*4-1 // of the tile's first input
		for _, group := range a.rows {
			var mid [points][]value // [file] Bt d
			for x := range points {
				if file+x < 0 || file+x > 7 {
					mid[x] = make([]value, len(group))
					continue
				}
				var d [points]value
				for y := range points {
					if r := rank + y; r >= 0 && r < 8 {
						d[y] = inMemory(operand.Mem{Base: src, Disp: (r*8 + file + x) * a.width()})
					}
				}
				mid[x] = a.bt(group, a.sharedInputs(group, d))
			}
			for n, i := range group {
				q, q3 := a.GP64(), a.GP64()
				a.IMUL3Q(operand.Imm(uint64(i*points)), step, q)
				a.ADDQ(to, q)
				a.LEAQ(operand.Mem{Base: q, Index: step3, Scale: 1}, q3)
				var d [points]value
				for x := range d {
					d[x] = mid[x][n]
				}
				for _, columns := range a.rows {
					for k, v := range a.bt(columns, d) {
						at := operand.Mem{Base: q}
						if columns[k] >= 3 {
							at.Base = q3
						}
						if columns[k]%3 != 0 {
							at.Index, at.Scale = step, uint8(columns[k]%3)
						}
						a.VMOVUPS(a.register(v), at)
					}
				}
			}
		}
		if tile < 3 {
			a.ADDQ(lda, to)
		}
	}
	a.ADDQ(operand.U32(uint32(64*a.width())), src)
	a.ADDQ(operand.Imm(uint64(a.width())), dst)
	a.DECQ(blocks)
	a.JNZ(operand.LabelRef("block"))
	a.finish()
}

// sharedInputs brings the inputs that a group of rows reads more than once into registers.
func (a *asm) sharedInputs(group []int, d [points]value) [points]value {
	if len(group) < 3 { // too few registers
		return d
	}
	for y := 1; y <= 4; y++ {
		if d[y].mem != nil {
			d[y] = inRegister(a.register(d[y]))
		}
	}
	return d
}

// transformOut writes the function that transforms products back and finishes the layer.
func (a *asm) transformOut(skip bool) {
	name, doc := "winoOut", "max(At m A + bias, 0)"
	if skip {
		name, doc = "winoOutSkip", "max(At m A + bias + skip, 0)"
	}
	signature := "func(m, bias, dst *float32, blocks, ldm, step uintptr)"
	if skip {
		signature = "func(m, bias, skip, dst *float32, blocks, ldm, step uintptr)"
	}
	a.function(name, signature, "computes dst[block][square][lane] = "+doc+` of one board. Of block b,
point p and tile t the products lie at p*step + t*ldm + b*(bytes of a vector) bytes of m.`)
	m, bias, dst, blocks := a.load("m"), a.load("bias"), a.load("dst"), a.load("blocks")
	var from reg.GPVirtual
	if skip {
		from = a.load("skip")
	}
	ldm, step := a.load("ldm"), a.load("step")
	if a.registers > 16 {
		a.hold(2, 4, 8)
	}
	step6, step18 := a.GP64(), a.GP64()
	a.IMUL3Q(operand.Imm(6), step, step6)
	a.LEAQ(operand.Mem{Base: step6, Index: step6, Scale: 2}, step18)
	a.Label("block")
	q := a.GP64()
	a.MOVQ(m, q)
	for tile := range 4 {
		for _, oddRank := range []bool{false, true} {
			var mid [points][2]value // [point along the rank] two rows of At m
			p, p3 := a.GP64(), a.GP64()
			a.MOVQ(q, p)
			a.LEAQ(operand.Mem{Base: q, Index: step18, Scale: 1}, p3)
			for j := range points {
				mid[j] = a.at(oddRank, func(i int) value {
					at := operand.Mem{Base: p}
					if i >= 3 {
						at.Base = p3
					}
					if i%3 != 0 {
						at.Index, at.Scale = step6, uint8(i%3)
					}
					if i == 1 && j == 1 { // this point counts once in every output
						return a.add(inMemory(at), inMemory(operand.Mem{Base: bias}))
					}
					return inMemory(at)
				})
				if j+1 < points {
					a.ADDQ(step, p)
					a.ADDQ(step, p3)
				}
			}
			for n := range 2 {
				rank := tile/2*4 + 2*n
				if oddRank {
					rank++
				}
				even := a.at(false, func(j int) value { return mid[j][n] })
				a.write(dst, from, rank*8+tile%2*4, even)
				odd := a.at(true, func(j int) value { return mid[j][n] })
				a.write(dst, from, rank*8+tile%2*4+1, odd)
			}
		}
		if tile < 3 {
			a.ADDQ(ldm, q)
		}
	}
	a.ADDQ(operand.Imm(uint64(a.width())), m)
	a.ADDQ(operand.Imm(uint64(a.width())), bias)
	a.ADDQ(operand.U32(uint32(64*a.width())), dst)
	if skip {
		a.ADDQ(operand.U32(uint32(64*a.width())), from)
	}
	a.DECQ(blocks)
	a.JNZ(operand.LabelRef("block"))
	a.finish()
}

// write finishes the outputs of a square and the next but one.
func (a *asm) write(dst, skip reg.GPVirtual, square int, v [2]value) {
	for n, y := range v {
		disp := (square + 2*n) * a.width()
		if skip != nil {
			y = a.add(y, inMemory(operand.Mem{Base: skip, Disp: disp}))
		}
		to := a.vec()
		a.VXORPS(to, to, to)
		a.VMAXPS(y.operand(), to, to) // what is not a number stays so
		a.VMOVUPS(to, operand.Mem{Base: dst, Disp: disp})
	}
}
