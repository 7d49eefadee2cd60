// Package amd64 is what the generators for amd64 share: a file of functions for one instruction set.
package amd64

import (
	"fmt"
	"path"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
	"github.com/mmcloughlin/avo/reg"
)

// ISA is an instruction set to write for.
type ISA struct {
	Name      string // in lower case; functions carry it in capitals
	Lanes     int    // float32 values in a vector
	Registers int    // vector registers
}

// The instruction sets by their vectors.
var (
	AVX512 = ISA{Name: "avx512", Lanes: 16, Registers: 32}
	AVX2   = ISA{Name: "avx2", Lanes: 8, Registers: 16}
)

// Width is the size of a vector in bytes.
func (i ISA) Width() int { return 4 * i.Lanes }

// Wide tells vectors of 512 bits.
func (i ISA) Wide() bool { return i.Lanes == 16 }

// Asm collects the functions of a file.
type Asm struct {
	*build.Context
	ISA
}

// New begins a file.
func New(i ISA) *Asm { return &Asm{Context: build.NewContext(), ISA: i} }

// AddTo adds the file's assembly and its declarations, of a package in a folder below kernels' ("." for itself),
// to files.
func (a *Asm) AddTo(files map[string][]byte, folder, pkg string) error {
	file, err := a.Result()
	if err != nil {
		return fmt.Errorf("%s: %w", a.Name, err)
	}
	if err := pass.Compile.Execute(file); err != nil {
		return fmt.Errorf("%s: %w", a.Name, err)
	}
	if err := checkRegisters(file, a.Registers); err != nil {
		return fmt.Errorf("%s: %w", a.Name, err)
	}
	cfg := printer.Config{Name: "net/kernels/gen", Pkg: pkg}
	for suffix, p := range map[string]printer.Printer{".s": printer.NewGoAsm(cfg), ".go": printer.NewStubs(cfg)} {
		if files[path.Join(folder, a.Name+"_amd64"+suffix)], err = p.Print(file); err != nil {
			return err
		}
	}
	return nil
}

// Begin begins a function; name gets the instruction set's name behind it, and doc continues it.
func (a *Asm) Begin(name, signature, doc string) {
	name += strings.ToUpper(a.Name)
	a.Function(name)
	a.Attributes(attr.NOSPLIT)
	a.Pragma("noescape")
	a.SignatureExpr(signature)
	a.Doc(strings.Split(name+" "+doc, "\n")...)
}

// End ends a function.
func (a *Asm) End() {
	a.VZEROUPPER()
	a.RET()
}

// Arg returns a pointer or integer parameter in a register of its own.
func (a *Asm) Arg(name string) reg.GPVirtual {
	r := a.GP64()
	a.Load(a.Param(name), r)
	return r
}

// ArgMem returns where a parameter lies in memory, for those that are used seldom.
func (a *Asm) ArgMem(name string) operand.Mem {
	p, err := a.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}

// Vec returns a fresh vector register.
func (a *Asm) Vec() reg.VecVirtual {
	if a.Wide() {
		return a.ZMM()
	}
	return a.YMM()
}
