package kernels

// NEON is the path of vectors of four floats. Every processor that Go runs on has them.
var NEON = &Path{
	Float: Arithmetic{Name: "neon-f32", Runs: true},
	Vectors: &Vectors{
		Lanes:    4,
		Products: [5]ProductsFunc{2: gemm2NEON, 4: gemm4NEON},
		add:      addNEON, addScaled: addScaledNEON, relu: reluNEON, dot: dotNEON,
	},
}

func assemblyPaths() []*Path { return []*Path{NEON} }
