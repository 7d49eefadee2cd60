package neon

import (
	"fmt"
	"math"
	"slices"
)

// vec is a vector register; the method names say how Go's assembler writes it.
type vec int

// none stands for a vector of zeros that is nowhere.
const none vec = -1

func (v vec) q() string   { return fmt.Sprintf("F%d", int(v)) }
func (v vec) s4() string  { return fmt.Sprintf("V%d.S4", int(v)) }
func (v vec) b16() string { return fmt.Sprintf("V%d.B16", int(v)) }
func (v vec) arm() string { return fmt.Sprintf("V%d.4S", int(v)) }

// lane is one of the four floats of a register.
type lane struct {
	v vec
	i int
}

func (l lane) arm() string { return fmt.Sprintf("V%d.S[%d]", int(l.v), l.i) }

// take returns a register that holds nothing.
func (a *asm) take() vec {
	if len(a.free) == 0 {
		panic("neon: more than 32 vector registers are needed")
	}
	v := a.free[len(a.free)-1]
	a.free = a.free[:len(a.free)-1]
	return v
}

// takes returns n registers that hold nothing.
func (a *asm) takes(n int) []vec {
	list := make([]vec, n)
	for i := range list {
		list[i] = a.take()
	}
	return list
}

// release gives registers back.
func (a *asm) release(list ...vec) {
	for _, v := range list {
		if v == none || slices.Contains(a.free, v) {
			panic("neon: a register is released that was not taken")
		}
		a.free = append(a.free, v)
	}
}

// three writes an instruction of three vectors: d from n and m.
func (a *asm) three(name string, code uint32, d, n, m vec) {
	a.word(code|uint32(m)<<16|uint32(n)<<5|uint32(d), "%s %s, %s, %s", name, d.arm(), n.arm(), m.arm())
}

func (a *asm) fadd(d, n, m vec)  { a.three("FADD", 0x4e20d400, d, n, m) }
func (a *asm) fsub(d, n, m vec)  { a.three("FSUB", 0x4ea0d400, d, n, m) }
func (a *asm) fmax(d, n, m vec)  { a.three("FMAX", 0x4e20f400, d, n, m) } // not a number if n or m is
func (a *asm) faddp(d, n, m vec) { a.three("FADDP", 0x6e20d400, d, n, m) }

// byLane writes an instruction of a vector and a lane: d from n and m.
func (a *asm) byLane(name string, code uint32, d, n vec, m lane) {
	low, high := uint32(m.i&1)<<21, uint32(m.i>>1)<<11
	a.word(code|low|high|uint32(m.v)<<16|uint32(n)<<5|uint32(d), "%s %s, %s, %s", name, d.arm(), n.arm(), m.arm())
}

func (a *asm) fmul(d, n vec, m lane) { a.byLane("FMUL", 0x4f809000, d, n, m) }
func (a *asm) fmla(d, n vec, m lane) { a.byLane("FMLA", 0x4f801000, d, n, m) } // d += n*m, rounded once

// zero fills a register with zeros.
func (a *asm) zero(v vec) { a.op("VMOVI $0, %s", v.b16()) }

// constants writes a table and brings it into registers, four to each, where factor finds them until
// the function ends.
func (a *asm) constants(name string, list []float64) {
	var fs []float32
	for _, f := range list {
		if f := float32(f); f != 1 && !slices.Contains(fs, f) {
			fs = append(fs, f)
		}
	}
	for len(fs)%4 != 0 {
		fs = append(fs, 0)
	}
	a.op("MOVD $%s<>(SB), R19", name)
	for i, f := range fs {
		if i%4 == 0 {
			v := a.take()
			for j := range 4 {
				a.lanes[fs[i+j]] = lane{v, j}
			}
			a.op("FMOVQ %d(R19), %s", 4*i, v.q())
		}
		if !a.defined[name] {
			fmt.Fprintf(&a.data, "DATA %s<>+%d(SB)/4, $%#08x // %v\n", name, 4*i, math.Float32bits(f), f)
		}
	}
	if !a.defined[name] {
		fmt.Fprintf(&a.data, "GLOBL %s<>(SB), RODATA|NOPTR, $%d\n\n", name, 4*len(fs))
		a.defined[name] = true
	}
}

// factor returns where a constant is.
func (a *asm) factor(f float64) lane {
	l, ok := a.lanes[float32(f)]
	if !ok {
		panic(fmt.Sprintf("neon: %v is in no table", f))
	}
	return l
}
