package kernels

import (
	"fmt"
	"os"
	"strings"
)

// Path is one way to do all the heavy work of the program: an instruction set, or plain Go. The command chooses
// it once (Choose) and passes it down. Packages inference and training have the assembly of a path that only they use.
type Path struct {
	Float Arithmetic // of the forward pass, and of training where it has assembly for this path
	Int16 Arithmetic // of the residual blocks of quantised networks; the zero value where a path has none
	// Vectors is the assembly that all programs share, nil in plain Go. It tells paths apart: what Choose returns is
	// not always one of Paths itself.
	Vectors *Vectors

	forced bool // the user named it, so that nothing may run on another
}

// Arithmetic is a kind of numbers on a path.
type Arithmetic struct {
	Name  string // as it is stored with games: "portable", "avx2-f32", "avx2-i16", ...
	Needs string // what it needs of the processor, in words
	Runs  bool   // whether this processor has that
}

// Variable is the environment variable that forces a path, by the name of one of its arithmetics.
const Variable = "SYNOCHESS_KERNELS"

// Portable is plain Go and runs on every machine.
var Portable = &Path{Float: Arithmetic{Name: "portable", Runs: true}, Int16: Arithmetic{Name: "portable-i16", Runs: true}}

// Paths lists the paths of this program, fastest first. Not all may run here.
func Paths() []*Path { return append(assemblyPaths(), Portable) }

// Choose returns the path that the environment variable SYNOCHESS_KERNELS names, and Best if it is not set. An error says
// why a path that is named cannot run. On one that is named and cannot run quantised networks, these are an error too
// (Quantised).
func Choose() (*Path, error) {
	name := os.Getenv(Variable)
	if name == "" {
		return Best(), nil
	}
	p, err := byName(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Variable, err)
	}
	forced := *p
	forced.forced = true
	return &forced, nil
}

// Best returns the fastest path that runs on this processor.
func Best() *Path {
	for _, p := range Paths() {
		if p.Float.Runs {
			return p
		}
	}
	return Portable
}

// byName returns the path with an arithmetic of that name, or an error that tells why it cannot run.
func byName(name string) (*Path, error) {
	var names []string
	for _, p := range Paths() {
		for _, a := range []Arithmetic{p.Float, p.Int16} {
			switch {
			case a.Name == "":
			case a.Name != name:
				names = append(names, a.Name)
			case !a.Runs:
				return nil, fmt.Errorf("kernel path %s needs %s, which this processor does not have", name, a.Needs)
			default:
				return p, nil
			}
		}
	}
	return nil, fmt.Errorf("there is no kernel path %q here; there are %s", name, strings.Join(names, ", "))
}

// Quantised returns the path that quantised networks run on, stem and heads too: p itself, or the next that has an
// arithmetic for them here. If the user named p he gets no other: where p cannot run them, an error says what it lacks.
func (p *Path) Quantised() (*Path, error) {
	if p.Int16.Runs {
		return p, nil
	}
	if p.forced {
		lacks := "has no int16 kernels"
		if p.Int16.Name != "" {
			lacks = fmt.Sprintf("needs %s for int16, which this processor does not have", p.Int16.Needs)
		}
		return nil, fmt.Errorf("kernel path %s, which %s names, %s: use precision float32, or unset %[2]s", p.Float.Name, Variable, lacks)
	}
	past := false
	for _, q := range Paths() {
		past = past || q == p
		if past && q.Int16.Runs {
			return q, nil
		}
	}
	return Portable, nil
}
