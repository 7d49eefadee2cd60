package forward

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// value is a vector of the transforms: zero, in a register, or still in memory. The arithmetic below
// leaves zeros out and uses memory as an operand where it can, which saves registers.
type value struct {
	reg reg.VecVirtual
	mem *operand.Mem
}

func inMemory(m operand.Mem) value      { return value{mem: &m} }
func inRegister(r reg.VecVirtual) value { return value{reg: r} }

func (v value) zero() bool { return v.reg == nil && v.mem == nil }

// operand returns what an instruction can read.
func (v value) operand() operand.Op {
	if v.mem != nil {
		return *v.mem
	}
	return v.reg
}

// register returns the value in a register, its own or a fresh one.
func (a *asm) register(v value) reg.VecVirtual {
	if v.mem == nil {
		return v.reg
	}
	r := a.Vec()
	a.VMOVUPS(*v.mem, r)
	return r
}

// copied returns the value in a fresh register.
func (a *asm) copied(v value) reg.VecVirtual {
	if v.mem != nil {
		return a.register(v)
	}
	r := a.Vec()
	a.VMOVAPS(v.reg, r)
	return r
}

// constant returns a vector in memory with f in every lane.
func (a *asm) constant(f float32) operand.Mem {
	m, ok := a.constants[f]
	if !ok {
		m = a.StaticGlobal(fmt.Sprintf("f%08x_%s", math.Float32bits(f), a.Name))
		a.DataAttributes(attr.RODATA | attr.NOPTR)
		for range a.Lanes {
			a.AppendDatum(operand.F32(f))
		}
		a.constants[f] = m
	}
	return m
}

// holdAsFit keeps constants in registers from here on, as many as leave the given number free for others.
func (a *asm) holdAsFit(fs []float64, others int) {
	a.held = map[float32]reg.VecVirtual{}
	for _, x := range fs {
		f := float32(max(x, -x))
		if a.held[f] == nil && f != 1 && len(a.held) < a.Registers-others {
			a.held[f] = a.register(inMemory(a.constant(f)))
		}
	}
}

// add returns x + y.
func (a *asm) add(x, y value) value {
	switch {
	case x.zero():
		return y
	case y.zero():
		return x
	case x.mem != nil:
		x, y = y, x
	}
	r, to := a.register(x), a.Vec()
	a.VADDPS(y.operand(), r, to)
	return inRegister(to)
}

// sub returns x - y, neither zero.
func (a *asm) sub(x, y value) value {
	to := a.Vec()
	a.VSUBPS(y.operand(), a.register(x), to)
	return inRegister(to)
}

// addMul returns x + f*y, rounded once.
func (a *asm) addMul(x value, f float32, y value) value {
	switch {
	case y.zero():
		return x
	case f == 1:
		return a.add(x, y)
	case x.zero() && f < 0:
		panic("a product that has to be negated")
	case x.zero():
		to := a.Vec()
		from, factor := a.product(f, y)
		a.VMULPS(from, factor, to)
		return inRegister(to)
	}
	to := a.copied(x)
	a.addMulTo(to, f, y)
	return inRegister(to)
}

// addMulTo adds f*y to a register, rounding once.
func (a *asm) addMulTo(to reg.VecVirtual, f float32, y value) {
	if f == 1 {
		a.VADDPS(y.operand(), to, to)
		return
	}
	from, factor := a.product(f, y)
	if f > 0 {
		a.VFMADD231PS(from, factor, to)
	} else {
		a.VFNMADD231PS(from, factor, to)
	}
}

// product returns the operands of |f|*y; the constant lies in memory if it is not held in a register.
func (a *asm) product(f float32, y value) (from operand.Op, factor reg.VecVirtual) {
	if held := a.held[max(f, -f)]; held != nil {
		return y.operand(), held
	}
	return a.constant(max(f, -f)), a.register(y)
}
