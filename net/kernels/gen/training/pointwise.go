package training

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// board is what the body of a pointwise function works with.
type board struct {
	v        *asm
	pointers map[string]reg.GPVirtual
	at       reg.GPVirtual // offset within a rank
	channel  reg.GPVirtual // offset of the first channel
}

// load is the vector of a square of a board.
func (b *board) load(name string) vector { return b.v.load(b.mem(name)) }

// mem is the address of a square of a board.
func (b *board) mem(name string) operand.Mem {
	return operand.Mem{Base: b.pointers[name], Index: b.at, Scale: 1}
}

// channelwise is the vector of the group's channels of an array [channels].
func (b *board) channelwise(name string) vector { return b.v.load(b.channelMem(name)) }

func (b *board) channelMem(name string) operand.Mem {
	p := b.v.Arg(name)
	return operand.Mem{Base: p, Index: b.channel, Scale: 1}
}

// addDoubles adds float32 sums to an array of float64 [channels].
func (b *board) addDoubles(name string, sum vector) {
	p := b.v.Arg(name)
	for half := range 2 {
		d := b.v.Vec()
		at := operand.Mem{Base: p, Index: b.channel, Scale: 2, Disp: half * b.v.Width()}
		switch {
		case b.v.Wide() && half == 0:
			b.v.VCVTPS2PD(sum.AsY(), d)
		case b.v.Wide():
			high := b.v.YMM()
			b.v.VEXTRACTF64X4(operand.Imm(1), sum, high)
			b.v.VCVTPS2PD(high, d)
		case half == 0:
			b.v.VCVTPS2PD(sum.AsX(), d)
		default:
			high := b.v.XMM()
			b.v.VEXTRACTF128(operand.Imm(1), sum, high)
			b.v.VCVTPS2PD(high, d)
		}
		b.v.VADDPD(at, d, d)
		b.v.VMOVUPD(d, at)
	}
}

// overBoard emits a function over the squares of one board: rank by rank, and within it group of
// channels by group, so that memory is read in order. boards lists the parameters that are boards; body
// is given what start made for a group of channels, and so is finish, after eight squares.
func overBoard[T any](v *asm, name, signature, doc string, boards []string, start func(*board) T, body func(*board, T), finish func(*board, T)) {
	v.function(name, signature+", square, groups int", doc)
	b := &board{v: v, pointers: map[string]reg.GPVirtual{}}
	for _, n := range boards {
		b.pointers[n] = v.Arg(n)
	}
	square, groups := v.Arg("square"), v.Arg("groups")
	rank := v.GP64()
	v.LEAQ(operand.Mem{Base: square, Index: square, Scale: 4}, rank)
	v.ADDQ(rank, rank)
	v.loop(operand.U32(8), func() {
		b.channel = v.GP64()
		v.XORQ(b.channel, b.channel)
		v.loop(v.copyOf(groups), func() {
			b.at = v.copyOf(b.channel)
			state := start(b)
			for i := range 8 {
				body(b, state)
				if i < 7 {
					v.ADDQ(square, b.at)
				}
			}
			finish(b, state)
			v.ADDQ(operand.U32(v.Width()), b.channel)
		})
		for _, n := range boards {
			v.ADDQ(rank, b.pointers[n])
		}
	})
	v.End()
}

// pointwise emits batch norm's passes over a board.
func (v *asm) pointwise() {
	type sums struct{ k, c, first, second vector }
	nothing := func(*board, sums) {}
	fresh := func() (s sums) {
		s.first, s.second = v.Vec(), v.Vec()
		v.zero(s.first)
		v.zero(s.second)
		return s
	}

	overBoard(v, "addVector", "z, add *float32", "adds one vector of channels to every square.", []string{"z"},
		func(b *board) sums { return sums{k: b.channelwise("add")} },
		func(b *board, s sums) { v.VMOVUPS(v.add(b.load("z"), s.k), b.mem("z")) }, nothing)

	overBoard(v, "addBoard", "to, from *float32", "adds one board to another.", []string{"to", "from"},
		func(*board) (s sums) { return s },
		func(b *board, _ sums) { v.VMOVUPS(v.add(b.load("to"), b.load("from")), b.mem("to")) }, nothing)

	overBoard(v, "statistics", "z *float32, sum, square2 *float64", "adds a board and its squares to the sums of the channels.", []string{"z"},
		func(*board) sums { return fresh() },
		func(b *board, s sums) {
			z := b.load("z")
			v.VADDPS(z, s.first, s.first)
			v.VFMADD231PS(z, z, s.second)
		},
		func(b *board, s sums) {
			b.addDoubles("sum", s.first)
			b.addDoubles("square2", s.second)
		})

	for _, residual := range []bool{false, true} {
		name, signature, boards := "activate", "z, scale, shift, y *float32", []string{"z", "y"}
		if residual {
			name, signature, boards = name+"Res", "z, scale, shift, res, y *float32", append(boards, "res")
		}
		overBoard(v, name, signature, "sets y to the ReLU of z*scale + shift, plus res.", boards,
			func(b *board) sums {
				s := sums{k: b.channelwise("scale"), c: b.channelwise("shift"), first: v.Vec()}
				v.zero(s.first)
				return s
			},
			func(b *board, s sums) {
				y := v.madd(b.load("z"), s.k, s.c)
				if residual {
					v.VADDPS(b.mem("res"), y, y)
				}
				v.VMAXPS(y, s.first, y)
				v.VMOVUPS(y, b.mem("y"))
			}, nothing)
	}

	// The gradient passes where the ReLU did. Where nothing but z went into y, y need not be read.
	type mask struct{ scale, shift, mean, zero, sum, product vector }
	for _, residual := range []bool{false, true} {
		name, signature, boards := "maskGrad", "dy, z, scale, shift, mean, grad *float32, sum, product *float64", []string{"dy", "z", "grad"}
		if residual {
			name, signature, boards = name+"Res", "dy, y, z, mean, grad *float32, sum, product *float64", append(boards, "y")
		}
		overBoard(v, name, signature,
			"sets grad to dy where the layer's output is above 0, else to 0, and adds grad and grad*(z-mean) to the sums of the channels.", boards,
			func(b *board) (m mask) {
				m = mask{mean: b.channelwise("mean"), zero: v.Vec(), sum: v.Vec(), product: v.Vec()}
				for _, r := range []vector{m.zero, m.sum, m.product} {
					v.zero(r)
				}
				if !residual {
					m.scale, m.shift = b.channelwise("scale"), b.channelwise("shift")
				}
				return m
			},
			func(b *board, m mask) {
				z, g := b.load("z"), v.Vec()
				var y operand.Op
				if residual {
					y = b.mem("y")
				} else {
					y = v.madd(z, m.scale, m.shift)
				}
				const less = 1
				if v.Wide() {
					open := v.K()
					v.VCMPPS(operand.Imm(less), y, m.zero, open)
					v.VMOVUPS_Z(b.mem("dy"), open, g)
				} else {
					v.VCMPPS(operand.Imm(less), y, m.zero, g)
					v.VANDPS(b.mem("dy"), g, g)
				}
				v.VMOVUPS(g, b.mem("grad"))
				v.VADDPS(g, m.sum, m.sum)
				v.VFMADD231PS(v.sub(z, m.mean), g, m.product)
			},
			func(b *board, m mask) {
				b.addDoubles("sum", m.sum)
				b.addDoubles("product", m.product)
			})
	}

	type line struct{ gain, slope, offset, sum vector }
	overBoard(v, "combine", "grad, z, gain, slope, offset, dz, sum *float32", "sets dz to gain*grad + slope*z + offset and adds it to sum.", []string{"grad", "z", "dz"},
		func(b *board) line {
			l := line{b.channelwise("gain"), b.channelwise("slope"), b.channelwise("offset"), v.Vec()}
			v.zero(l.sum)
			return l
		},
		func(b *board, l line) {
			d := v.madd(b.load("z"), l.slope, l.offset)
			v.VFMADD231PS(b.mem("grad"), l.gain, d)
			v.VMOVUPS(d, b.mem("dz"))
			v.VADDPS(d, l.sum, l.sum)
		},
		func(b *board, l line) {
			at := b.channelMem("sum")
			v.VADDPS(at, l.sum, l.sum)
			v.VMOVUPS(l.sum, at)
		})
}

// sum emits the sum of two rows of vectors.
func (v *asm) sum() {
	v.function("add", "to, from *float32, vectors int", "adds from to to.")
	to, from, vectors := v.Arg("to"), v.Arg("from"), v.Arg("vectors")
	v.loop(vectors, func() {
		v.VMOVUPS(v.add(v.load(operand.Mem{Base: to}), v.load(operand.Mem{Base: from})), operand.Mem{Base: to})
		v.ADDQ(operand.U32(v.Width()), to)
		v.ADDQ(operand.U32(v.Width()), from)
	})
	v.End()
}

// adam emits AdamW's step over vectors of elements.
func (v *asm) adam() {
	v.function("adamW", "w, grad, m, v *float32, vectors int, factors *float32",
		"is AdamW.Step; factors are the struct's nine numbers.")
	p := map[string]reg.GPVirtual{}
	names := []string{"w", "grad", "m", "v"}
	for _, n := range names {
		p[n] = v.Arg(n)
	}
	vectors, factors := v.Arg("vectors"), v.Arg("factors")
	f := v.vecs(9)
	for i := range f {
		v.VBROADCASTSS(operand.Mem{Base: factors, Disp: 4 * i}, f[i])
	}
	v.loop(vectors, func() {
		x := v.mul(v.load(operand.Mem{Base: p["grad"]}), f[0])
		m := v.madd(x, f[2], v.mul(v.load(operand.Mem{Base: p["m"]}), f[1]))
		v.VMOVUPS(m, operand.Mem{Base: p["m"]})
		u := v.madd(v.mul(x, x), f[4], v.mul(v.load(operand.Mem{Base: p["v"]}), f[3]))
		v.VMOVUPS(u, operand.Mem{Base: p["v"]})
		root := v.mul(u, f[5])
		v.VSQRTPS(root, root)
		step := v.mul(m, f[6])
		v.VDIVPS(v.add(root, f[8]), step, step)
		w := v.mul(v.load(operand.Mem{Base: p["w"]}), f[7])
		v.VMOVUPS(v.sub(w, step), operand.Mem{Base: p["w"]})
		for _, n := range names {
			v.ADDQ(operand.U32(v.Width()), p[n])
		}
	})
	v.End()
}
