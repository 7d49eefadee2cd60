package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// board is what the body of a pointwise function works with.
type board struct {
	v        *isa
	pointers map[string]reg.GPVirtual
	at       reg.GPVirtual // offset within a rank
	channel  reg.GPVirtual // offset of the first channel
}

// load is the vector of a square of a board.
func (b *board) load(name string) vector { return b.v.load(b.mem(name)) }

// mem is the address of a square of a board.
func (b *board) mem(name string) Mem { return Mem{Base: b.pointers[name], Index: b.at, Scale: 1} }

// channelwise is the vector of the group's channels of an array [channels].
func (b *board) channelwise(name string) vector { return b.v.load(b.channelMem(name)) }

func (b *board) channelMem(name string) Mem {
	p := param(name)
	return Mem{Base: p, Index: b.channel, Scale: 1}
}

// addDoubles adds float32 sums to an array of float64 [channels].
func (b *board) addDoubles(name string, sum vector) {
	p := param(name)
	for half := range 2 {
		d := b.v.vec()
		at := Mem{Base: p, Index: b.channel, Scale: 2, Disp: half * b.v.size}
		switch {
		case b.v.wide() && half == 0:
			VCVTPS2PD(sum.AsY(), d)
		case b.v.wide():
			high := YMM()
			VEXTRACTF64X4(Imm(1), sum, high)
			VCVTPS2PD(high, d)
		case half == 0:
			VCVTPS2PD(sum.AsX(), d)
		default:
			high := XMM()
			VEXTRACTF128(Imm(1), sum, high)
			VCVTPS2PD(high, d)
		}
		VADDPD(at, d, d)
		VMOVUPD(d, at)
	}
}

// overBoard emits a function over the squares of one board: rank by rank, and within it group of
// channels by group, so that memory is read in order. boards lists the parameters that are boards; body
// is given what start made for a group of channels, and so is finish, after eight squares.
func overBoard[T any](v *isa, name, signature, doc string, boards []string, start func(*board) T, body func(*board, T), finish func(*board, T)) {
	v.function(name, signature+", square, groups int", doc)
	b := &board{v: v, pointers: map[string]reg.GPVirtual{}}
	for _, n := range boards {
		b.pointers[n] = param(n)
	}
	square, groups := param("square"), param("groups")
	rank := GP64()
	LEAQ(Mem{Base: square, Index: square, Scale: 4}, rank)
	ADDQ(rank, rank)
	loop(U32(8), func() {
		b.channel = GP64()
		XORQ(b.channel, b.channel)
		loop(copyOf(groups), func() {
			b.at = copyOf(b.channel)
			state := start(b)
			for i := range 8 {
				body(b, state)
				if i < 7 {
					ADDQ(square, b.at)
				}
			}
			finish(b, state)
			ADDQ(U32(v.size), b.channel)
		})
		for _, n := range boards {
			ADDQ(rank, b.pointers[n])
		}
	})
	end()
}

// pointwise emits batch norm's passes over a board.
func (v *isa) pointwise() {
	type sums struct{ k, c, first, second vector }
	nothing := func(*board, sums) {}
	fresh := func() (s sums) {
		s.first, s.second = v.vec(), v.vec()
		v.zero(s.first)
		v.zero(s.second)
		return s
	}

	overBoard(v, "addVector", "z, add *float32", "adds one vector of channels to every square.", []string{"z"},
		func(b *board) sums { return sums{k: b.channelwise("add")} },
		func(b *board, s sums) { VMOVUPS(v.add(b.load("z"), s.k), b.mem("z")) }, nothing)

	overBoard(v, "addBoard", "to, from *float32", "adds one board to another.", []string{"to", "from"},
		func(*board) (s sums) { return s },
		func(b *board, _ sums) { VMOVUPS(v.add(b.load("to"), b.load("from")), b.mem("to")) }, nothing)

	overBoard(v, "statistics", "z *float32, sum, square2 *float64", "adds a board and its squares to the sums of the channels.", []string{"z"},
		func(*board) sums { return fresh() },
		func(b *board, s sums) {
			z := b.load("z")
			VADDPS(z, s.first, s.first)
			VFMADD231PS(z, z, s.second)
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
				s := sums{k: b.channelwise("scale"), c: b.channelwise("shift"), first: v.vec()}
				v.zero(s.first)
				return s
			},
			func(b *board, s sums) {
				y := v.madd(b.load("z"), s.k, s.c)
				if residual {
					VADDPS(b.mem("res"), y, y)
				}
				VMAXPS(y, s.first, y)
				VMOVUPS(y, b.mem("y"))
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
				m = mask{mean: b.channelwise("mean"), zero: v.vec(), sum: v.vec(), product: v.vec()}
				for _, r := range []vector{m.zero, m.sum, m.product} {
					v.zero(r)
				}
				if !residual {
					m.scale, m.shift = b.channelwise("scale"), b.channelwise("shift")
				}
				return m
			},
			func(b *board, m mask) {
				z, g := b.load("z"), v.vec()
				var y Op
				if residual {
					y = b.mem("y")
				} else {
					y = v.madd(z, m.scale, m.shift)
				}
				const less = 1
				if v.wide() {
					open := K()
					VCMPPS(Imm(less), y, m.zero, open)
					VMOVUPS_Z(b.mem("dy"), open, g)
				} else {
					VCMPPS(Imm(less), y, m.zero, g)
					VANDPS(b.mem("dy"), g, g)
				}
				VMOVUPS(g, b.mem("grad"))
				VADDPS(g, m.sum, m.sum)
				VFMADD231PS(v.sub(z, m.mean), g, m.product)
			},
			func(b *board, m mask) {
				b.addDoubles("sum", m.sum)
				b.addDoubles("product", m.product)
			})
	}

	type line struct{ gain, slope, offset, sum vector }
	overBoard(v, "combine", "grad, z, gain, slope, offset, dz, sum *float32", "sets dz to gain*grad + slope*z + offset and adds it to sum.", []string{"grad", "z", "dz"},
		func(b *board) line {
			l := line{b.channelwise("gain"), b.channelwise("slope"), b.channelwise("offset"), v.vec()}
			v.zero(l.sum)
			return l
		},
		func(b *board, l line) {
			d := v.madd(b.load("z"), l.slope, l.offset)
			VFMADD231PS(b.mem("grad"), l.gain, d)
			VMOVUPS(d, b.mem("dz"))
			VADDPS(d, l.sum, l.sum)
		},
		func(b *board, l line) {
			at := b.channelMem("sum")
			VADDPS(at, l.sum, l.sum)
			VMOVUPS(l.sum, at)
		})
}

// sum emits the sum of two rows of vectors.
func (v *isa) sum() {
	v.function("add", "to, from *float32, vectors int", "adds from to to.")
	to, from, vectors := param("to"), param("from"), param("vectors")
	loop(vectors, func() {
		VMOVUPS(v.add(v.load(Mem{Base: to}), v.load(Mem{Base: from})), Mem{Base: to})
		ADDQ(U32(v.size), to)
		ADDQ(U32(v.size), from)
	})
	end()
}

// adam emits AdamW's step over vectors of elements.
func (v *isa) adam() {
	v.function("adamW", "w, grad, m, v *float32, vectors int, factors *float32",
		"is AdamW.Step; factors are the struct's nine numbers.")
	p := map[string]reg.GPVirtual{}
	names := []string{"w", "grad", "m", "v"}
	for _, n := range names {
		p[n] = param(n)
	}
	vectors, factors := param("vectors"), param("factors")
	f := v.vecs(9)
	for i := range f {
		VBROADCASTSS(Mem{Base: factors, Disp: 4 * i}, f[i])
	}
	loop(vectors, func() {
		x := v.mul(v.load(Mem{Base: p["grad"]}), f[0])
		m := v.madd(x, f[2], v.mul(v.load(Mem{Base: p["m"]}), f[1]))
		VMOVUPS(m, Mem{Base: p["m"]})
		u := v.madd(v.mul(x, x), f[4], v.mul(v.load(Mem{Base: p["v"]}), f[3]))
		VMOVUPS(u, Mem{Base: p["v"]})
		root := v.mul(u, f[5])
		VSQRTPS(root, root)
		step := v.mul(m, f[6])
		VDIVPS(v.add(root, f[8]), step, step)
		w := v.mul(v.load(Mem{Base: p["w"]}), f[7])
		VMOVUPS(v.sub(w, step), Mem{Base: p["w"]})
		for _, n := range names {
			ADDQ(U32(v.size), p[n])
		}
	})
	end()
}
