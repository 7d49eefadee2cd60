package inference

import "synochess/net/kernels"

var neon = assembly{Vectors: kernels.NEON.Vectors, in: winoInNEON, out: winoOutNEON, outSkip: winoOutSkipNEON}

// assemblyOf returns the assembly of a path in float32, nil if it has none.
func assemblyOf(p *kernels.Path) *assembly {
	if p.Vectors == kernels.NEON.Vectors {
		return &neon
	}
	return nil
}

// int16AssemblyOf: there is none for this kind of processor.
func int16AssemblyOf(*kernels.Path) *int16Assembly { return nil }
