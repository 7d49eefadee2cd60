package kernels

import (
	"fmt"
	"os"
	"strings"
)

// Variable is the environment variable that forces a kernel path, by the name of its Set.
const Variable = "SYNOCHESS_KERNELS"

// candidate is a Set of this program and whether the processor can run it.
type candidate struct {
	set  *Set
	runs bool
	need string // what it needs of the processor
}

// Names lists the kernel paths this program was built with, fastest first. Not all may run here.
func Names() []string {
	var names []string
	for _, c := range candidates() {
		names = append(names, c.set.Name)
	}
	return names
}

// Best returns the fastest Set that runs on this processor.
func Best() *Set {
	for _, c := range candidates() {
		if c.runs {
			return c.set
		}
	}
	return &portable
}

// ByName returns the Set of that name, or an error that tells why it cannot run.
func ByName(name string) (*Set, error) {
	for _, c := range candidates() {
		switch {
		case c.set.Name != name:
		case !c.runs:
			return nil, fmt.Errorf("kernel path %s needs %s, which this processor does not have", name, c.need)
		default:
			return c.set, nil
		}
	}
	return nil, fmt.Errorf("there is no kernel path %q here; there are %s", name, strings.Join(Names(), ", "))
}

// Choose returns the Set that the environment variable SYNOCHESS_KERNELS names, and Best if it is not set.
// The name of a quantised path stands for the Set it uses.
func Choose() (*Set, error) {
	name := os.Getenv(Variable)
	if name == "" {
		return Best(), nil
	}
	if quantised, err := Int16ByName(name); err == nil {
		return quantised.Float, nil
	}
	set, err := ByName(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Variable, err)
	}
	return set, nil
}
