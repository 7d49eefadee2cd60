// Command gen writes the amd64 assembly of package kernels, with its Go declarations:
//
//	go generate ./net/kernels
//
// for the forward pass; command train beside it writes that for training, and command neon that for arm64. They
// are a module of their own, so that the program does not depend on avo.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	folder := flag.String("folder", "..", "where to write")
	flag.Parse()
	for _, i := range []isa{avx512, avx2, avx512Int16, avx2Int16} {
		if err := generate(i, *folder); err != nil {
			fmt.Fprintf(os.Stderr, "gen: %s: %v\n", i.name, err)
			os.Exit(1)
		}
	}
}

// isa is an instruction set to write for.
type isa struct {
	name      string // in lower case; functions carry it in capitals
	lanes     int    // float32 values in a vector
	registers int    // vector registers
	// tiles lists the products: for each number of vectors side by side the numbers of rows that go
	// together, largest first, ending with the number all are multiples of. Sums, a row's vectors and one broadcast fit the registers.
	tiles map[int][]int
	int16 bool // pairs of 16-bit integers, summed in 32 bits, in place of floats
	vnni  bool // there is an instruction for that
}

var (
	avx512 = isa{
		name: "avx512", lanes: 16, registers: 32,
		tiles: map[int][]int{1: {12, 4, 2, 1}, 2: {12, 8, 4, 2, 1}, 3: {8, 4, 2, 1}},
	}
	avx2 = isa{
		name: "avx2", lanes: 8, registers: 16,
		tiles: map[int][]int{2: {6, 4, 2, 1}},
	}
	avx512Int16 = isa{
		name: "avx512vnni", lanes: 16, registers: 32, int16: true, vnni: true,
		tiles: map[int][]int{1: {12, 8, 4}, 2: {12, 8, 4}, 3: {8, 4}},
	}
	avx2Int16 = isa{
		name: "avx2int16", lanes: 8, registers: 16, int16: true,
		tiles: map[int][]int{2: {6, 4}},
	}
)

// asm collects the functions of one instruction set.
type asm struct {
	*build.Context
	isa
	constants map[float32]operand.Mem
	held      map[float32]reg.VecVirtual // constants that are in registers
}

// generate writes the assembly and the declarations of one instruction set.
func generate(i isa, folder string) error {
	if !i.int16 {
		if err := write(i, folder, "kernels", func(a *asm) { a.products(); a.vectors() }); err != nil {
			return err
		}
	}
	return write(i, filepath.Join(folder, "inference"), "inference", func(a *asm) {
		if i.int16 {
			a.products()
			a.int16Transforms()
			return
		}
		a.transformIn()
		a.transformOut(false)
		a.transformOut(true)
	})
}

// write writes the functions of one package.
func write(i isa, folder, pkg string, functions func(a *asm)) error {
	a := &asm{Context: build.NewContext(), isa: i, constants: map[float32]operand.Mem{}}
	a.ConstraintExpr("amd64")
	functions(a)
	file, err := a.Result()
	if err != nil {
		return err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return err
	}
	if err := checkRegisters(file, i.registers); err != nil {
		return err
	}
	cfg := printer.Config{Name: "net/kernels/gen", Pkg: pkg}
	for suffix, p := range map[string]printer.Printer{".s": printer.NewGoAsm(cfg), ".go": printer.NewStubs(cfg)} {
		text, err := p.Print(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, i.name+"_amd64"+suffix), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// products writes the products of all widths.
func (a *asm) products() {
	for cols := 1; cols <= 4; cols++ {
		if rows := a.tiles[cols]; rows != nil {
			a.gemm(cols, rows)
		}
	}
}

// function begins a function; name gets the instruction set's name behind it.
func (a *asm) function(name, signature, doc string) {
	name += strings.ToUpper(a.name)
	a.Function(name)
	a.Attributes(attr.NOSPLIT)
	a.Pragma("noescape")
	a.SignatureExpr(signature)
	a.Doc(strings.Split(name+" "+doc, "\n")...)
	a.held = map[float32]reg.VecVirtual{}
}

// finish ends a function.
func (a *asm) finish() {
	a.VZEROUPPER()
	a.RET()
}

// load returns a parameter in a register.
func (a *asm) load(name string) reg.GPVirtual {
	r := a.GP64()
	a.Load(a.Param(name), r)
	return r
}

// param returns where a parameter lies in memory, for those that are used seldom.
func (a *asm) param(name string) operand.Mem {
	p, err := a.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}

// vec returns a fresh vector register.
func (a *asm) vec() reg.VecVirtual {
	if a.lanes == 16 {
		return a.ZMM()
	}
	return a.YMM()
}

// width is the size of a vector in bytes.
func (a *asm) width() int { return 4 * a.lanes }
