package training

import (
	"github.com/mmcloughlin/avo/operand"
)

// weights emits G w G': nine taps into 36 frequencies, for vectors that lie side by side.
func (v *asm) weights() {
	v.function("weights", "w *float32, tap int, u *float32, frequency, vectors int, scratch *float32",
		"transforms weights (transformWeights), taps and frequencies being tap and frequency bytes apart.")
	w, u, tap := v.Arg("w"), v.Arg("u"), v.Arg("tap")
	f, vectors, scratch := v.Arg("frequency"), v.Arg("vectors"), v.Arg("scratch")
	f3, f5, tap3 := v.times3(f), v.times5(f), v.times3(tap)
	k := []vector{v.constant(1. / 4), v.constant(-1. / 6), v.constant(1. / 24), v.constant(1. / 12), v.constant(1. / 6)}
	row := func(load func(i int) vector, store func(i int, x vector)) {
		w0, w1, w2 := load(0), load(1), load(2)
		store(0, v.mul(w0, k[0]))
		store(5, w2)
		sum := v.add(w0, w2)
		store(1, v.mul(v.add(sum, w1), k[1]))
		store(2, v.mul(v.sub(sum, w1), k[1]))
		s := v.madd(w0, k[2], v.mul(w2, k[4]))
		store(3, v.madd(w1, k[3], s))
		store(4, v.nmadd(w1, k[3], s))
	}
	v.loop(vectors, func() {
		at := v.copyOf(w)
		for x := range 3 {
			row(
				func(i int) vector { return v.load(eight(at, at, tap3, tap3, i)) },
				func(i int, y vector) { v.VMOVUPS(y, operand.Mem{Base: scratch, Disp: (3*i + x) * v.Width()}) })
			v.ADDQ(tap, at)
		}
		to := v.copyOf(u)
		for i := range 6 {
			row(
				func(j int) vector { return v.load(operand.Mem{Base: scratch, Disp: (3*i + j) * v.Width()}) },
				func(j int, y vector) { v.VMOVUPS(y, six(to, f, f3, f5, j)) })
			v.LEAQ(operand.Mem{Base: to, Index: f3, Scale: 2}, to)
		}
		v.ADDQ(operand.U32(v.Width()), w)
		v.ADDQ(operand.U32(v.Width()), u)
	})
	v.End()
}

// weightsT emits the transpose: G' du G.
func (v *asm) weightsT() {
	v.function("weightsT", "du *float32, frequency int, dw *float32, tap, vectors int, scratch *float32",
		"is the transpose of the weights' transform (transformWeightsT).")
	du, dw, tap := v.Arg("du"), v.Arg("dw"), v.Arg("tap")
	f, vectors, scratch := v.Arg("frequency"), v.Arg("vectors"), v.Arg("scratch")
	f3, f5, tap3 := v.times3(f), v.times5(f), v.times3(tap)
	k := []vector{v.constant(1. / 4), v.constant(1. / 24), v.constant(1. / 12), v.constant(1. / 6)}
	row := func(load func(i int) vector, store func(i int, x vector)) {
		u1, u2 := load(1), load(2)
		s, d := v.add(u1, u2), v.sub(u2, u1)
		u3, u4 := load(3), load(4)
		t, e := v.add(u3, u4), v.sub(u3, u4)
		store(1, v.madd(e, k[2], v.mul(d, k[3])))
		store(0, v.nmadd(s, k[3], v.madd(load(0), k[0], v.mul(t, k[1]))))
		store(2, v.madd(v.sub(t, s), k[3], load(5)))
	}
	v.loop(vectors, func() {
		at := v.copyOf(du)
		for i := range 6 {
			row(
				func(j int) vector { return v.load(six(at, f, f3, f5, j)) },
				func(j int, y vector) { v.VMOVUPS(y, operand.Mem{Base: scratch, Disp: (6*j + i) * v.Width()}) })
			v.LEAQ(operand.Mem{Base: at, Index: f3, Scale: 2}, at)
		}
		to := v.copyOf(dw)
		for x := range 3 {
			row(
				func(i int) vector { return v.load(operand.Mem{Base: scratch, Disp: (6*x + i) * v.Width()}) },
				func(i int, y vector) { v.VMOVUPS(y, eight(to, to, tap3, tap3, i)) })
			v.ADDQ(tap, to)
		}
		v.ADDQ(operand.U32(v.Width()), du)
		v.ADDQ(operand.U32(v.Width()), dw)
	})
	v.End()
}
