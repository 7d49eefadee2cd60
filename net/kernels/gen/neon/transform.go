package neon

import (
	"slices"

	"synochess/net/kernels/gen/factors"
	"synochess/net/kernels/winograd"
)

// The transforms of the tall tiles that tall.go in package inference describes, for one board and a vector
// of channels. A board is [square][channel], transformed [point][tile][channel], with given strides.

// in writes Bt d, for the rows of Bt in the order 0, a, -a, b, -b, ..., infinity, and gives each to put,
// which may not keep it. d may have nothing at its ends.
func (a *asm) in(f winograd.F, d []vec, put func(i int, v vec)) {
	last := factors.Pairs(f)
	give := func(i int, v vec) {
		put(i, v)
		a.release(v)
	}
	ends := factors.EndsIn(f)[:last]
	give(0, a.sum(d[2*last], ends, func(k int) vec { return d[2*k] }))
	for n := range last {
		even := a.sum(d[2*last], factors.EvenIn(f, n)[:last-1], func(k int) vec { return d[2*k+2] })
		odd := a.sum(none, factors.OddIn(f, n), func(k int) vec { return d[2*k+1] })
		both := a.take()
		a.fadd(both, even, odd)
		give(2*n+1, both)
		a.fsub(even, even, odd)
		give(2*n+2, even)
		a.release(odd)
	}
	give(2*last+1, a.sum(d[2*last+1], ends, func(k int) vec { return d[2*k+1] }))
}

// out writes At m, plus bias (which may be nothing) in every output, and gives each output to put, which
// may change but not keep it. load brings one of m into a register, each once and in order.
func (a *asm) out(f winograd.F, load func(v vec), bias vec, put func(k int, v vec)) {
	next := func() vec {
		v := a.take()
		load(v)
		return v
	}
	first := next()
	pairs := factors.Pairs(f)
	sums, differences := a.takes(pairs), a.takes(pairs)
	for n := range pairs {
		x, y := next(), next()
		a.fadd(sums[n], x, y)
		a.fsub(differences[n], x, y)
		a.release(x, y)
	}
	infinity := next()
	last := 2*pairs - 1
	for k := range last + 1 {
		terms, start := sums, bias
		if k%2 == 1 {
			terms = differences
		}
		switch k {
		case 0:
			start = first
		case last:
			start = infinity
		}
		if start != bias && bias != none {
			a.fadd(start, start, bias)
		}
		y := a.sum(start, factors.Powers(f, k), func(n int) vec { return terms[n] })
		put(k, y)
		a.release(y)
	}
	a.release(first, infinity)
	a.release(sums...)
	a.release(differences...)
}

// sum returns start plus the products of factors and terms, those with positive factors first, in a
// register of its own. The order is that of the amd64 paths, so that all give the same bits.
func (a *asm) sum(start vec, factors []float64, term func(k int) vec) vec {
	total := none
	for _, positive := range []bool{true, false} {
		for k, f := range factors {
			x := term(k)
			switch {
			case x == none || f > 0 != positive:
			case total != none && f == 1:
				a.fadd(total, total, x)
			case total != none:
				a.fmla(total, x, a.factor(f))
			case start == none:
				total = a.take()
				a.fmul(total, x, a.factor(f))
			case f == 1:
				total = a.take()
				a.fadd(total, start, x)
			default:
				total = a.take()
				a.op("VMOV %s, %s", start.b16(), total.b16())
				a.fmla(total, x, a.factor(f))
			}
		}
	}
	return total
}

// loadNext reads a register from memory and moves the pointer by step.
func (a *asm) loadNext(v vec, pointer, step string) {
	a.op("FMOVQ (%s), %s", pointer, v.q())
	a.op("ADD %s, %s", step, pointer)
}

// storeNext writes a register to memory and moves the pointer by step.
func (a *asm) storeNext(v vec, pointer, step string) {
	a.op("FMOVQ %s, (%s)", v.q(), pointer)
	a.op("ADD %s, %s", step, pointer)
}

// transformIn writes the function that transforms boards for the products.
func (a *asm) transformIn() {
	a.function("winoIn", "src *float32, dst *float32, scratch *float32, blocks uintptr, lda uintptr, step uintptr", "",
		`transforms one board of a number of blocks, vectors of channels. Squares of src are lda
bytes apart. Point p of tile t goes to p*step + t*lda bytes of dst. scratch holds 80 vectors.`)
	a.load("R0", "R1", "R2", "R3", "R4", "R5")
	a.op("LSL $3, R4, R6") // from rank to rank
	a.constants("neonIn", slices.Concat(factors.OfIn(winograd.TallDown), factors.OfIn(winograd.TallAlong)))
	d := a.takes(8)
	a.label("block")

	// Down the files: scratch[vertical point][file].
	a.op("MOVD R0, R7")
	a.op("MOVD R2, R8")
	a.op("MOVD $8, R9")
	a.label("files")
	a.op("MOVD R7, R10")
	for _, v := range d {
		a.loadNext(v, "R10", "R6")
	}
	a.in(winograd.TallDown, slices.Concat([]vec{none}, d, []vec{none}), func(i int, v vec) {
		a.op("FMOVQ %s, %d(R8)", v.q(), i*8*width)
	})
	a.op("ADD R4, R7")
	a.op("ADD $%d, R8", width)
	a.op("SUBS $1, R9")
	a.op("BNE files")

	// Along the ranks: the left tile starts at file -1, the right one at 3.
	a.op("MOVD R2, R8")
	a.op("MOVD R1, R10")
	a.op("ADD R4, R1, R11")
	a.op("MOVD $10, R9")
	a.label("rows")
	for i := 0; i < len(d); i += 2 {
		a.op("FLDPQ %d(R8), (%s, %s)", i*width, d[i].q(), d[i+1].q())
	}
	a.op("ADD $%d, R8", len(d)*width)
	a.in(winograd.TallAlong, slices.Concat([]vec{none}, d[:5]), func(_ int, v vec) { a.storeNext(v, "R10", "R5") })
	a.in(winograd.TallAlong, slices.Concat(d[3:], []vec{none}), func(_ int, v vec) { a.storeNext(v, "R11", "R5") })
	a.op("SUBS $1, R9")
	a.op("BNE rows")

	a.op("ADD $%d, R0", width)
	a.op("ADD $%d, R1", width)
	a.op("SUBS $1, R3")
	a.op("BNE block")
	a.op("RET")
}

// transformOut writes the function that transforms products back and finishes the layer.
func (a *asm) transformOut(skip bool) {
	name, doc := "winoOut", "max(At m A + bias, 0)"
	if skip {
		name, doc = "winoOutSkip", "max(At m A + bias + dst, 0)"
	}
	a.function(name, "m *float32, bias *float32, dst *float32, scratch *float32, blocks uintptr, ldm uintptr, step uintptr, pixel uintptr", "",
		"computes dst[square][channel] = "+doc+` of one board for a number of blocks,
vectors of channels. The products of point p and tile t lie at p*step + t*ldm bytes of m. Squares of
dst are pixel bytes apart. scratch holds 80 vectors.`)
	a.load("R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7")
	a.op("LSL $3, R7, R8") // from rank to rank
	a.constants("neonOut", slices.Concat(factors.OfOut(winograd.TallDown), factors.OfOut(winograd.TallAlong)))
	bias, zero := a.take(), a.take()
	a.zero(zero)
	a.label("block")

	// Along the ranks: scratch[vertical point][file].
	tiles := []string{"R9", "R10"}
	a.op("MOVD R0, R9")
	a.op("ADD R5, R0, R10")
	a.op("MOVD R3, R11")
	a.op("MOVD $10, R12")
	a.label("rows")
	for tile, m := range tiles {
		a.out(winograd.TallAlong, func(v vec) { a.loadNext(v, m, "R6") }, none, func(k int, v vec) {
			a.op("FMOVQ %s, %d(R11)", v.q(), (tile*4+k)*width)
		})
	}
	a.op("ADD $%d, R11", 8*width)
	a.op("SUBS $1, R12")
	a.op("BNE rows")

	// Down the files.
	a.op("FMOVQ (R1), %s", bias.q())
	a.op("MOVD R3, R11")
	a.op("MOVD $8, R12")
	a.op("MOVD R2, R13")
	a.label("files")
	a.op("MOVD R13, R14") // next square to write
	a.op("MOVD R13, R15") // next square to read
	i := 0
	a.out(winograd.TallDown, func(v vec) {
		a.op("FMOVQ %d(R11), %s", i*8*width, v.q())
		i++
	}, bias, func(_ int, v vec) {
		if skip {
			old := a.take()
			a.loadNext(old, "R15", "R8")
			a.fadd(v, v, old)
			a.release(old)
		}
		a.fmax(v, v, zero)
		a.storeNext(v, "R14", "R8")
	})
	a.op("ADD $%d, R11", width)
	a.op("ADD R7, R13")
	a.op("SUBS $1, R12")
	a.op("BNE files")

	for _, r := range []string{"R0", "R1", "R2"} {
		a.op("ADD $%d, %s", width, r)
	}
	a.op("SUBS $1, R4")
	a.op("BNE block")
	a.op("RET")
}
