// Command train writes the amd64 assembly of package kernels for training, with its Go declarations:
//
//	go generate ./net/kernels
//
// All functions work on vectors of channels ("groups" of 16 with AVX-512, 8 with AVX2): boards, transformed
// data and weights all have their channels contiguous. Strides are in bytes. Nothing is checked.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// isa is the instruction set that is written.
type isa struct {
	name  string // suffix of the functions
	lanes int    // floats in a vector
	size  int    // bytes of a vector
	rows  int    // rows of a product's register tile
	near  int    // cache lines of the next operand prefetched per four steps of a product
	far   int    // and of boards for later
}

var isas = map[string]*isa{
	"avx512": {name: "AVX512", lanes: 16, size: 64, rows: 8, near: 2, far: 3},
	"avx2":   {name: "AVX2", lanes: 8, size: 32, rows: 4, near: 1, far: 1},
}

func (v *isa) wide() bool { return v.lanes == 16 }

// vec is a new virtual vector register.
func (v *isa) vec() reg.VecVirtual {
	if v.wide() {
		return ZMM()
	}
	return YMM()
}

func (v *isa) vecs(n int) []reg.VecVirtual {
	r := make([]reg.VecVirtual, n)
	for i := range r {
		r[i] = v.vec()
	}
	return r
}

// zero clears a register.
func (v *isa) zero(r reg.VecVirtual) {
	if v.wide() {
		VPXORD(r, r, r)
	} else {
		VXORPS(r, r, r)
	}
}

// constant is a register with x in every lane.
func (v *isa) constant(x float32) reg.VecVirtual {
	at, ok := constants[x]
	if !ok {
		at = ConstData(fmt.Sprintf("train%s_%d", v.name, len(constants)), F32(x))
		constants[x] = at
	}
	r := v.vec()
	VBROADCASTSS(at, r)
	return r
}

// constants are the numbers that lie in the file already.
var constants = map[float32]Mem{}

// function starts an assembly function.
func (v *isa) function(name, signature, doc string) {
	TEXT(name+v.name, NOSPLIT, "func("+signature+")")
	Pragma("noescape")
	Doc(name + v.name + " " + doc)
}

// param loads a pointer or integer parameter into a register of its own.
func param(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// copyOf is a register that starts with the value of another.
func copyOf(r reg.GPVirtual) reg.GPVirtual {
	c := GP64()
	MOVQ(r, c)
	return c
}

// times3 is three times a stride.
func times3(s reg.GPVirtual) reg.GPVirtual {
	r := GP64()
	LEAQ(Mem{Base: s, Index: s, Scale: 2}, r)
	return r
}

// times5 is five times a stride.
func times5(s reg.GPVirtual) reg.GPVirtual {
	r := GP64()
	LEAQ(Mem{Base: s, Index: s, Scale: 4}, r)
	return r
}

// labels counts the loops of the file; labels must differ within a function.
var labels int

// loop emits body n times; n is a constant or a register, which is used up.
func loop(n Op, body func()) {
	labels++
	label := fmt.Sprintf("loop%d", labels)
	counter, ok := n.(reg.GPVirtual)
	if !ok {
		counter = GP64()
		MOVQ(n, counter)
	}
	Label(label)
	body()
	DECQ(counter)
	JNZ(LabelRef(label))
}

// end returns from a function.
func end() {
	VZEROUPPER()
	RET()
}

func main() {
	folder := flag.String("folder", "..", "where to write")
	name := flag.String("isa", "", "instruction set to write for: avx512 or avx2 (default: both)")
	flag.Parse()
	if *name == "" {
		both(*folder)
		return
	}
	v := isas[*name]
	if v == nil {
		fmt.Fprintf(os.Stderr, "train: no instruction set %q\n", *name)
		os.Exit(2)
	}
	file := filepath.Join(*folder, "training", *name+"_amd64")
	for option, value := range map[string]string{"pkg": "training", "out": file + ".s", "stubs": file + ".go"} {
		if err := flag.Set(option, value); err != nil { // a flag of avo
			fmt.Fprintln(os.Stderr, "train:", err)
			os.Exit(1)
		}
	}
	os.Args = []string{os.Args[0], "-isa", *name} // avo writes them into the files; the folder does not matter
	for n := 1; n <= 3; n++ {
		v.tile(n)
	}
	v.expand("analyse", "transforms a board's input for the products (transformInput).", v.analyse)
	v.expand("synthesiseT", "is the transpose of the output transform (transformOutputT).", v.synthesiseT)
	v.reduce("analyseT", "is the transpose of the input transform (transformInputT).", v.analyseT)
	v.reduce("synthesise", "transforms products into a board (transformOutput).", v.synthesisePair)
	v.weights()
	v.weightsT()
	v.pointwise()
	v.sum()
	v.adam()
	Generate()
	v.checkRegisters()
}

// both runs the command for each instruction set: avo's functions without a context write one file a process.
func both(folder string) {
	self, err := os.Executable()
	for _, name := range []string{"avx512", "avx2"} {
		if err == nil {
			c := exec.Command(self, "-isa", name, "-folder", folder)
			c.Stderr = os.Stderr
			err = c.Run()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

// checkRegisters refuses AVX2 code that uses registers of AVX-512, which avo takes without a word.
func (v *isa) checkRegisters() {
	out := flag.Lookup("out").Value.String()
	text, err := os.ReadFile(out)
	if err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
	if bad := regexp.MustCompile(`\b([XY](1[6-9]|2\d|3[01])|Z\d+|K\d)\b`).Find(text); bad != nil && !v.wide() {
		fmt.Fprintf(os.Stderr, "train: %s uses %s, which AVX2 lacks\n", out, bad)
		os.Exit(1)
	}
}
