package forward

import (
	"slices"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// int16Out is the function being written that transforms products back and finishes a layer.
type int16Out struct {
	*asm
	name string
	skip bool // adds the skip connection
	last bool // gives floats, not activations

	m, finish, dst, skips reg.GPVirtual // the tile's products, the block's bias and factor, the tile's squares
	pixel                 reg.GPVirtual
	clamp                 clamp
}

// write writes the function. A tile's products are transformed down the files, and stay in registers for
// the transform along the ranks: all at once, or two ranks at a time.
func (o *int16Out) write() {
	parts := [][]int{{0, 2}, {1, 3}}
	if o.Registers == 32 {
		parts = [][]int{{0, 2, 1, 3}}
	}
	o.begin()
	n := o.GP64()
	o.Label("block")
	o.MOVQ(operand.U32(4), n)
	o.Label("tile")
	for _, ranks := range parts {
		o.along(ranks, o.down(ranks))
	}
	o.ADDQ(o.ArgMem("ldm"), o.m)
	o.move(4) // to the right; after that down
	o.CMPQ(n, operand.Imm(3))
	o.JNE(operand.LabelRef("same"))
	o.move(24)
	o.Label("same")
	o.DECQ(n)
	o.JNZ(operand.LabelRef("tile"))

	o.move(-40)
	for range 4 {
		o.SUBQ(o.ArgMem("ldm"), o.m)
	}
	o.ADDQ(operand.Imm(uint64(o.Width())), o.m)
	o.ADDQ(operand.Imm(uint64(2*o.Width())), o.finish)
	o.ADDQ(operand.Imm(uint64(o.Width()/2)), o.skips)
	if o.last {
		o.ADDQ(operand.Imm(uint64(o.Width())), o.dst)
	}
	o.DECQ(o.ArgMem("blocks"))
	o.JNZ(operand.LabelRef("block"))
	o.End()
}

// begin writes the head and loads the parameters.
func (o *int16Out) begin() {
	signature, formula, kind := "func(m, finish *float32, dst *uint16, blocks, ldm, step, pixel uintptr)", "At m A + bias", "activations"
	if o.skip {
		formula = "At m A + bias + factor*dst"
	}
	if o.last {
		signature = "func(m, finish *float32, skip *uint16, dst *float32, blocks, ldm, step, pixel uintptr)"
		formula, kind = "max(At m A + bias + factor*skip, 0)", "floats"
	}
	o.function(o.name, signature, "computes dst[square][channel] = "+formula+` of one board for a number of blocks,
vectors of channels, as `+kind+`. The products of point p and tile t lie at p*step + t*ldm bytes of m. Squares
of activations are pixel bytes apart. finish holds for each block the bias and the factor.`)
	o.m, o.finish, o.dst, o.pixel = o.Arg("m"), o.Arg("finish"), o.Arg("dst"), o.Arg("pixel")
	o.skips = o.dst
	if o.last {
		o.skips = o.Arg("skip")
	}
	o.clamp = o.asm.clamp()
}

// move goes on by a number of squares, a multiple of 4.
func (o *int16Out) move(squares int) {
	by := o.GP64()
	o.IMUL3Q(operand.U32(uint32(int32(squares))), o.pixel, by)
	o.ADDQ(by, o.skips)
	if o.last { // floats are twice as large
		o.LEAQ(operand.Mem{Base: o.dst, Index: by, Scale: 2}, o.dst)
	}
}

// down transforms a tile's products down the files, for some ranks: [rank][horizontal point].
func (o *int16Out) down(ranks []int) (t [4][6]value) {
	q, q3, step6 := o.GP64(), o.GP64(), o.GP64()
	o.MOVQ(o.m, q)
	o.Load(o.Param("step"), step6)
	o.IMUL3Q(operand.Imm(6), step6, step6)
	o.LEAQ(operand.Mem{Base: q, Index: step6, Scale: 2}, q3)
	o.ADDQ(step6, q3)
	ahead, ahead3 := o.GP64(), o.GP64()
	o.MOVQ(q, ahead)
	o.ADDQ(o.ArgMem("ldm"), ahead)
	o.MOVQ(q3, ahead3)
	o.ADDQ(o.ArgMem("ldm"), ahead3)
	for j := range 6 {
		var six [6]value
		for i := range six {
			six[i] = inMemory(strided(q, q3, step6, i))
			if ranks[0] == 0 { // the products lie in the second-level cache
				o.PREFETCHT0(strided(ahead, ahead3, step6, i))
			}
		}
		if j == 1 { // this point enters every output once
			six[1] = o.add(inRegister(o.register(six[1])), inMemory(operand.Mem{Base: o.finish}))
		}
		o.row(six, ranks, func(k int, v value) { t[k][j] = v })
		if j < 5 {
			o.ADDQ(o.ArgMem("step"), q)
			o.ADDQ(o.ArgMem("step"), q3)
			o.ADDQ(o.ArgMem("step"), ahead)
			o.ADDQ(o.ArgMem("step"), ahead3)
		}
	}
	return t
}

// along transforms some ranks along their four files and stores the squares.
func (o *int16Out) along(ranks []int, t [4][6]value) {
	for _, k := range ranks {
		from := o.rank(o.skips, o.pixel, k)
		to := from
		if o.last {
			twice := o.GP64()
			o.LEAQ(operand.Mem{Base: o.pixel, Index: o.pixel, Scale: 1}, twice)
			to = o.rank(o.dst, twice, k)
		}
		o.row(t[k], []int{0, 2, 1, 3}, func(file int, v value) {
			if o.skip {
				x := o.Vec()
				o.VPMOVZXWD(from(file), x)
				o.VCVTDQ2PS(x, x)
				o.VMULPS(operand.Mem{Base: o.finish, Disp: o.Width()}, x, x)
				o.VADDPS(x, v.reg, v.reg)
			}
			if o.last {
				o.VMAXPS(o.clamp.zero, v.reg, v.reg)
				o.VMOVUPS(v.reg, to(file))
			} else {
				o.storeActivations(o.clamp, v.reg, to(file))
			}
		})
	}
}

// rank addresses the four squares of a rank of the tile.
func (o *int16Out) rank(tile, pixel reg.GPVirtual, rank int) func(file int) operand.Mem {
	q, q3 := o.GP64(), o.GP64()
	o.MOVQ(tile, q)
	for range rank {
		o.LEAQ(operand.Mem{Base: q, Index: pixel, Scale: 8}, q)
	}
	o.LEAQ(operand.Mem{Base: q, Index: pixel, Scale: 2}, q3)
	o.ADDQ(pixel, q3)
	return func(file int) operand.Mem { return strided(q, q3, pixel, file) }
}

// row writes those of the four outputs At m that are wanted, and gives each to put in a register of its own.
func (o *int16Out) row(m [6]value, wanted []int, put func(k int, v value)) {
	var sums, differences [2]value // of the points 1 and 2, 3 and 4
	for n := range 2 {
		x := inRegister(o.register(m[2*n+1]))
		if slices.Contains(wanted, 0) {
			sums[n] = o.add(x, m[2*n+2])
		}
		if slices.Contains(wanted, 1) {
			differences[n] = o.sub(x, m[2*n+2])
		}
	}
	for _, k := range wanted {
		switch k {
		case 0:
			put(0, o.add(o.add(m[0], sums[0]), sums[1]))
		case 1:
			put(1, o.addMul(differences[0], 2, differences[1]))
		case 2:
			put(2, o.addMul(sums[0], 4, sums[1]))
		case 3:
			put(3, o.add(o.addMul(differences[0], 8, differences[1]), m[5]))
		}
	}
}
