package kernels

import (
	"fmt"
	"os"
	"strings"
)

// Int16Set is one implementation of the quantised trunk. All of them give the same bits.
type Int16Set struct {
	// Name is the kernel path as it is stored with games: "portable-i16", "avx2-i16", ...
	Name string
	// Float holds the kernels for what is not quantised: stem and heads.
	Float *Set
	// NewTrunk prepares a trunk, whose width is a multiple of 16, for one goroutine.
	NewTrunk func(t *Int16Trunk) Trunk
}

// PortableInt16 returns the Int16Set that is written in plain Go and runs on every machine.
func PortableInt16() *Int16Set { return &portableInt16 }

var portableInt16 = Int16Set{"portable-i16", &portable, newPortableInt16}

// int16Candidate is an Int16Set of this program and whether the processor can run it.
type int16Candidate struct {
	set  *Int16Set
	runs bool
	need string // what it needs of the processor
}

// Int16Names lists the quantised kernel paths this program was built with, fastest first. Not all may run
// here.
func Int16Names() []string {
	var names []string
	for _, c := range int16Candidates() {
		names = append(names, c.set.Name)
	}
	return names
}

// Int16ByName returns the quantised path of that name, or an error that tells why it cannot run.
func Int16ByName(name string) (*Int16Set, error) {
	return findInt16(name, func(s *Int16Set) bool { return s.Name == name })
}

func findInt16(name string, is func(s *Int16Set) bool) (*Int16Set, error) {
	for _, c := range int16Candidates() {
		switch {
		case !is(c.set):
		case !c.runs:
			return nil, fmt.Errorf("kernel path %s needs %s, which this processor does not have", c.set.Name, c.need)
		default:
			return c.set, nil
		}
	}
	return nil, fmt.Errorf("there is no quantised kernel path for %q here; there are %s", name, strings.Join(Int16Names(), ", "))
}

// ChooseInt16 returns the quantised path that belongs to what the environment variable SYNOCHESS_KERNELS
// names, its own name or that of its float32 kernels, and the fastest that runs here if it is not set.
func ChooseInt16() (*Int16Set, error) {
	name := os.Getenv(Variable)
	if name == "" {
		for _, c := range int16Candidates() {
			if c.runs {
				return c.set, nil
			}
		}
	}
	set, err := findInt16(name, func(s *Int16Set) bool { return s.Name == name || s.Float.Name == name })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Variable, err)
	}
	return set, nil
}
