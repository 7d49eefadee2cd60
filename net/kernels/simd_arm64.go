package kernels

var (
	neon = simd{
		lanes:   4,
		gemm:    [5]gemmFunc{2: gemm2NEON, 4: gemm4NEON},
		in:      winoInNEON,
		out:     winoOutNEON,
		outSkip: winoOutSkipNEON,
		add:     addNEON, addScaled: addScaledNEON, relu: reluNEON, dot: dotNEON,
	}
	neonSet = neon.set("neon-f32")
)

// candidates lists the Sets of this program, fastest first. Every processor that Go runs on has NEON.
func candidates() []candidate {
	return []candidate{{set: neonSet, runs: true}, {set: &portable, runs: true}}
}
