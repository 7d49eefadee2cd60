package neon

import (
	"fmt"
	"strings"
)

// vectors writes the functions on plain slices. n counts vectors and is at least 1.
func (a *asm) vectors() {
	a.function("add", "dst *float32, src *float32, n uintptr", "", "adds n vectors of src to dst.")
	a.load("R0", "R1", "R2")
	a.loop(func(n int) {
		x, y := a.takes(n), a.takes(n)
		a.op("VLD1 (R0), %s", group(x))
		a.op("VLD1.P %d(R1), %s", n*width, group(y))
		for i := range x {
			a.fadd(x[i], x[i], y[i])
		}
		a.op("VST1.P %s, %d(R0)", group(x), n*width)
		a.release(append(x, y...)...)
	})
	a.op("RET")

	a.function("addScaled", "dst *float32, src *float32, factor float32, n uintptr", "", "adds factor times n vectors of src to dst.")
	a.load("R0", "R1", "", "R2")
	factor := a.take()
	a.op("FMOVS factor+16(FP), %s", factor.q())
	a.loop(func(n int) {
		x, y := a.takes(n), a.takes(n)
		a.op("VLD1 (R0), %s", group(x))
		a.op("VLD1.P %d(R1), %s", n*width, group(y))
		for i := range x {
			a.fmla(x[i], y[i], lane{factor, 0})
		}
		a.op("VST1.P %s, %d(R0)", group(x), n*width)
		a.release(append(x, y...)...)
	})
	a.op("RET")

	a.function("relu", "dst *float32, n uintptr", "", "replaces what is below zero in n vectors by zero; what is not a number stays so.")
	a.load("R0", "R2")
	zero := a.take()
	a.zero(zero)
	a.loop(func(n int) {
		x := a.takes(n)
		a.op("VLD1 (R0), %s", group(x))
		for _, v := range x {
			a.fmax(v, v, zero)
		}
		a.op("VST1.P %s, %d(R0)", group(x), n*width)
		a.release(x...)
	})
	a.op("RET")

	a.function("dot", "x *float32, y *float32, n uintptr", "float32", "returns the sum of the products of n vectors.")
	a.load("R0", "R1", "R2")
	sums := a.takes(4)
	for _, v := range sums {
		a.zero(v)
	}
	a.loop(func(n int) {
		x, y := a.takes(n), a.takes(n)
		a.op("VLD1.P %d(R0), %s", n*width, group(x))
		a.op("VLD1.P %d(R1), %s", n*width, group(y))
		for i := range x {
			a.op("VFMLA %s, %s, %s", y[i].s4(), x[i].s4(), sums[i].s4())
		}
		a.release(append(x, y...)...)
	})
	a.fadd(sums[0], sums[0], sums[1])
	a.fadd(sums[2], sums[2], sums[3])
	a.fadd(sums[0], sums[0], sums[2])
	a.faddp(sums[0], sums[0], sums[0])
	a.faddp(sums[0], sums[0], sums[0])
	a.op("FMOVS %s, ret+24(FP)", sums[0].q())
	a.op("RET")
}

// loop writes a loop over the vectors that R2 counts: by fours, then by one.
func (a *asm) loop(body func(n int)) {
	a.op("SUBS $4, R2")
	a.op("BLO rest")
	a.label("fours")
	body(4)
	a.op("SUBS $4, R2")
	a.op("BHS fours")
	a.label("rest")
	a.op("ADDS $4, R2")
	a.op("BEQ done")
	a.label("ones")
	body(1)
	a.op("SUBS $1, R2")
	a.op("BNE ones")
	a.label("done")
}

// group is a list of neighbouring registers.
func group(list []vec) string {
	var names []string
	for i, v := range list {
		if v != list[0]+vec(i) {
			panic(fmt.Sprintf("neon: %v are not neighbours", list))
		}
		names = append(names, v.s4())
	}
	return "[" + strings.Join(names, ", ") + "]"
}
