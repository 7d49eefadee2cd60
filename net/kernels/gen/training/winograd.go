package training

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

type vector = reg.VecVirtual

// Arithmetic on registers; each result is a new one.

func (v *asm) copy(a vector) vector {
	r := v.Vec()
	v.VMOVAPS(a, r)
	return r
}

func (v *asm) add(a, b vector) vector {
	r := v.Vec()
	v.VADDPS(b, a, r)
	return r
}

// sub is a - b.
func (v *asm) sub(a, b vector) vector {
	r := v.Vec()
	v.VSUBPS(b, a, r)
	return r
}

func (v *asm) mul(a, b vector) vector {
	r := v.Vec()
	v.VMULPS(b, a, r)
	return r
}

// madd is a*b + c, nmadd c - a*b, nmsub -(a*b) - c.

func (v *asm) madd(a, b, c vector) vector {
	r := v.copy(c)
	v.VFMADD231PS(b, a, r)
	return r
}

func (v *asm) nmadd(a, b, c vector) vector {
	r := v.copy(c)
	v.VFNMADD231PS(b, a, r)
	return r
}

func (v *asm) nmsub(a, b, c vector) vector {
	r := v.copy(c)
	v.VFNMSUB231PS(b, a, r)
	return r
}

// spread is a one-dimensional transform of the eight squares of a line into six numbers for each of
// its two tiles: load(i) gives square i, store takes number i of a tile.
type spread func(k *numbers, load func(i int) vector, store func(tile, i int, x vector))

// gather is the opposite: load(tile, i) gives number i of a tile, store takes square i.
type gather func(k *numbers, load func(tile, i int) vector, store func(i int, x vector))

// numbers are the constants of the transforms.
type numbers struct{ two, four, five vector }

// analyse is package training's analyse for both tiles of a line, whose first and last number are border.
func (v *asm) analyse(k *numbers, load func(int) vector, store func(int, int, vector)) {
	middle := func(tile int, d1, d2, d3, d4 vector) {
		a, b := v.nmadd(k.four, d2, d4), v.nmadd(k.four, d1, d3)
		store(tile, 1, v.add(a, b))
		store(tile, 2, v.sub(a, b))
		c, e := v.sub(d4, d2), v.sub(d3, d1)
		store(tile, 3, v.madd(k.two, e, c))
		store(tile, 4, v.nmadd(k.two, e, c))
	}
	x := make([]vector, 8)
	for i := range 5 {
		x[i] = load(i)
	}
	middle(0, x[0], x[1], x[2], x[3])
	store(0, 0, v.nmadd(k.five, x[1], x[3]))
	store(0, 5, v.madd(k.four, x[0], v.nmadd(k.five, x[2], x[4])))
	for i := 5; i < 8; i++ {
		x[i] = load(i)
	}
	store(1, 0, v.madd(k.four, x[3], v.nmadd(k.five, x[5], x[7])))
	store(1, 5, v.nmadd(k.five, x[6], v.mul(k.four, x[4])))
	middle(1, x[4], x[5], x[6], x[7])
}

// analyseT is package training's analyseT for both tiles of a line, summed where they overlap.
func (v *asm) analyseT(k *numbers, load func(int, int) vector, store func(int, vector)) {
	half := func(tile int) (d [6]vector) {
		o1, o2 := load(tile, 1), load(tile, 2)
		s, u := v.add(o1, o2), v.sub(o1, o2)
		o3, o4 := load(tile, 3), load(tile, 4)
		t, w := v.add(o3, o4), v.sub(o3, o4)
		o5 := load(tile, 5)
		d[1] = v.nmadd(k.two, w, v.mul(k.four, v.sub(o5, u)))
		d[3] = v.nmadd(k.five, o5, v.madd(k.two, w, u))
		d[5] = o5
		o0 := load(tile, 0)
		d[2] = v.nmadd(k.four, s, v.nmsub(k.five, o0, t))
		d[4] = v.add(v.add(s, t), o0)
		d[0] = v.mul(k.four, o0)
		return d
	}
	a := half(0)
	for i := range 3 {
		store(i, a[i+1])
	}
	b := half(1)
	store(3, v.add(a[4], b[0]))
	store(4, v.add(a[5], b[1]))
	for i := 5; i < 8; i++ {
		store(i, b[i-3])
	}
}

// synthesisePair is package training's synthesise for both tiles of a line.
func (v *asm) synthesisePair(k *numbers, load func(int, int) vector, store func(int, vector)) {
	for tile := range 2 {
		m1, m2 := load(tile, 1), load(tile, 2)
		a, c := v.add(m1, m2), v.sub(m1, m2)
		m3, m4 := load(tile, 3), load(tile, 4)
		b, d := v.add(m3, m4), v.sub(m3, m4)
		store(4*tile, v.add(v.add(a, b), load(tile, 0)))
		store(4*tile+1, v.madd(k.two, d, c))
		store(4*tile+2, v.madd(k.four, b, a))
		store(4*tile+3, v.madd(k.four, v.add(d, d), v.add(c, load(tile, 5))))
	}
}

// synthesiseT is package training's synthesiseT for both tiles of a line.
func (v *asm) synthesiseT(k *numbers, load func(int) vector, store func(int, int, vector)) {
	for tile := range 2 {
		y0, y1, y2, y3 := load(4*tile), load(4*tile+1), load(4*tile+2), load(4*tile+3)
		store(tile, 0, y0)
		store(tile, 5, y3)
		a, b := v.add(y0, y2), v.add(y1, y3)
		store(tile, 1, v.add(a, b))
		store(tile, 2, v.sub(a, b))
		c, e := v.madd(k.four, y2, y0), v.madd(k.four, y3, y1)
		store(tile, 3, v.madd(k.two, e, c))
		store(tile, 4, v.nmadd(k.two, e, c))
	}
}

func (v *asm) numbers() *numbers {
	return &numbers{two: v.constant(2), four: v.constant(4), five: v.constant(5)}
}

// load is a vector from memory.
func (v *asm) load(m operand.Mem) vector {
	r := v.Vec()
	v.VMOVUPS(m, r)
	return r
}

// six is the address of number i of six that are s bytes apart.
func six(base, s, s3, s5 reg.GPVirtual, i int) operand.Mem {
	return [...]operand.Mem{
		{Base: base}, {Base: base, Index: s, Scale: 1}, {Base: base, Index: s, Scale: 2},
		{Base: base, Index: s3, Scale: 1}, {Base: base, Index: s, Scale: 4}, {Base: base, Index: s5, Scale: 1},
	}[i]
}

// eight is the address of square i of eight that are s bytes apart; high is base + 4*s.
func eight(base, high, s, s3 reg.GPVirtual, i int) operand.Mem {
	if i >= 4 {
		base = high
	}
	return [...]operand.Mem{{Base: base}, {Base: base, Index: s, Scale: 1}, {Base: base, Index: s, Scale: 2}, {Base: base, Index: s3, Scale: 1}}[i%4]
}

// expand emits a transform of a board into 36 frequencies of four tiles: first along the files into
// scratch memory [rank half][row][file], then along its rows.
func (v *asm) expand(name, doc string, transform spread) {
	v.function(name, "board *float32, square int, to *float32, frequency, tile, groups int, scratch *float32", doc)
	board, square, to := v.Arg("board"), v.Arg("square"), v.Arg("to")
	f, groups := v.Arg("frequency"), v.Arg("groups")
	k := v.numbers()
	f3, f5 := v.times3(f), v.times5(f)
	v.loop(groups, func() {
		scratch := v.Arg("scratch")
		{
			rank := v.GP64()
			v.LEAQ(operand.Mem{Base: square, Index: square, Scale: 4}, rank)
			v.ADDQ(rank, rank)
			low, high, rank3 := v.copyOf(board), v.GP64(), v.times3(rank)
			v.LEAQ(operand.Mem{Base: low, Index: rank, Scale: 4}, high)
			v.loop(operand.U32(8), func() {
				transform(k,
					func(i int) vector { return v.load(eight(low, high, rank, rank3, i)) },
					func(tile, i int, x vector) {
						v.VMOVUPS(x, operand.Mem{Base: scratch, Disp: (tile*6 + i) * 8 * v.Width()})
					})
				v.ADDQ(square, low)
				v.ADDQ(square, high)
				v.ADDQ(operand.U32(v.Width()), scratch)
			})
		}
		v.SUBQ(operand.U32(8*v.Width()), scratch)
		half := v.copyOf(to)
		v.loop(operand.U32(2), func() {
			at, second, tile := v.copyOf(half), v.GP64(), v.Arg("tile")
			v.LEAQ(operand.Mem{Base: half, Index: tile, Scale: 1}, second)
			v.LEAQ(operand.Mem{Base: half, Index: tile, Scale: 2}, half)
			v.loop(operand.U32(6), func() {
				transform(k,
					func(i int) vector { return v.load(operand.Mem{Base: scratch, Disp: i * v.Width()}) },
					func(tile, i int, x vector) {
						v.VMOVUPS(x, six([]reg.GPVirtual{at, second}[tile], f, f3, f5, i))
					})
				v.ADDQ(operand.U32(8*v.Width()), scratch)
				v.LEAQ(operand.Mem{Base: at, Index: f3, Scale: 2}, at)
				v.LEAQ(operand.Mem{Base: second, Index: f3, Scale: 2}, second)
			})
		})
		v.ADDQ(operand.U32(v.Width()), board)
		v.ADDQ(operand.U32(v.Width()), to)
	})
	v.End()
}

// reduce emits a transform of 36 frequencies of four tiles into a board: first along the columns of
// frequencies into scratch memory [file half][rank][column], then along the ranks.
func (v *asm) reduce(name, doc string, transform gather) {
	v.function(name, "from *float32, frequency, tile int, board *float32, square, groups int, scratch *float32", doc)
	from, board, groups := v.Arg("from"), v.Arg("board"), v.Arg("groups")
	k := v.numbers()
	v.loop(groups, func() {
		scratch := v.Arg("scratch")
		{
			f, tile, half := v.Arg("frequency"), v.Arg("tile"), v.copyOf(from)
			row := v.times3(f) // six frequencies: one row of a tile
			v.ADDQ(row, row)
			row3, row5 := v.times3(row), v.times5(row)
			v.loop(operand.U32(2), func() {
				low, high := v.copyOf(half), v.GP64()
				v.LEAQ(operand.Mem{Base: half, Index: tile, Scale: 2}, high)
				v.ADDQ(tile, half)
				v.loop(operand.U32(6), func() {
					transform(k,
						func(tile, i int) vector {
							return v.load(six([]reg.GPVirtual{low, high}[tile], row, row3, row5, i))
						},
						func(i int, x vector) { v.VMOVUPS(x, operand.Mem{Base: scratch, Disp: i * 6 * v.Width()}) })
					v.ADDQ(f, low)
					v.ADDQ(f, high)
					v.ADDQ(operand.U32(v.Width()), scratch)
				})
				v.ADDQ(operand.U32((8*6-6)*v.Width()), scratch)
			})
		}
		v.SUBQ(operand.U32(2*8*6*v.Width()), scratch)
		square, low, high := v.Arg("square"), v.copyOf(board), v.GP64()
		square3 := v.times3(square)
		v.LEAQ(operand.Mem{Base: low, Index: square, Scale: 4}, high)
		rank := v.GP64()
		v.LEAQ(operand.Mem{Base: square, Index: square, Scale: 4}, rank)
		v.ADDQ(rank, rank)
		v.loop(operand.U32(8), func() {
			transform(k,
				func(tile, i int) vector { return v.load(operand.Mem{Base: scratch, Disp: (tile*8*6 + i) * v.Width()}) },
				func(i int, x vector) { v.VMOVUPS(x, eight(low, high, square, square3, i)) })
			v.ADDQ(rank, low)
			v.ADDQ(rank, high)
			v.ADDQ(operand.U32(6*v.Width()), scratch)
		})
		v.ADDQ(operand.U32(v.Width()), board)
		v.ADDQ(operand.U32(v.Width()), from)
	})
	v.End()
}
