package kernels

import "golang.org/x/sys/cpu"

var (
	hasAVX2   = cpu.X86.HasAVX2 && cpu.X86.HasFMA
	hasAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL && cpu.X86.HasFMA
)

// AVX512 is the path of vectors of sixteen floats; its integers need VNNI.
var AVX512 = &Path{
	Float: Arithmetic{"avx512-f32", "AVX-512 F, DQ, BW and VL", hasAVX512},
	Int16: Arithmetic{"avx512vnni-i16", "AVX-512 F, DQ, BW, VL and VNNI", hasAVX512 && hasAVX2 && cpu.X86.HasAVX512VNNI},
	Vectors: &Vectors{
		Lanes:    16,
		Products: [5]ProductsFunc{1: gemm1AVX512, 2: gemm2AVX512, 3: gemm3AVX512},
		add:      addAVX512, addScaled: addScaledAVX512, relu: reluAVX512, dot: dotAVX512,
	},
}

// AVX2 is the path of vectors of eight floats.
var AVX2 = &Path{
	Float: Arithmetic{"avx2-f32", "AVX2 and FMA", hasAVX2},
	Int16: Arithmetic{"avx2-i16", "AVX2 and FMA", hasAVX2},
	Vectors: &Vectors{
		Lanes:    8,
		Products: [5]ProductsFunc{2: gemm2AVX2},
		add:      addAVX2, addScaled: addScaledAVX2, relu: reluAVX2, dot: dotAVX2,
	},
}

func assemblyPaths() []*Path { return []*Path{AVX512, AVX2} }
