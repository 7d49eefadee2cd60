package bench

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// Machine is what the figures depend on beside the program.
type Machine struct {
	CPU      string   `json:"cpu"`
	Cores    int      `json:"cores"` // that the program may use
	Features []string `json:"features"`
	OS       string   `json:"os"`
	Arch     string   `json:"arch"`
	Go       string   `json:"go"`
}

// features are those that kernels may choose by.
var features = []cpuid.FeatureID{
	cpuid.AVX2, cpuid.FMA3, cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512VL, cpuid.AVX512VNNI, cpuid.AVXVNNI, cpuid.ASIMD, cpuid.ASIMDDP,
}

func thisMachine() Machine {
	m := Machine{
		CPU: cpuid.CPU.BrandName, Cores: runtime.GOMAXPROCS(0),
		OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(),
	}
	if m.CPU == "" {
		m.CPU = "unknown processor"
	}
	for _, f := range features {
		if cpuid.CPU.Has(f) {
			m.Features = append(m.Features, f.String())
		}
	}
	return m
}

// String is one line.
func (m Machine) String() string {
	return fmt.Sprintf("%s, %d cores, %s/%s, %s, %s", m.CPU, m.Cores, m.OS, m.Arch, m.Go, strings.Join(m.Features, " "))
}
