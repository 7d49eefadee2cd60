package kernels

import "golang.org/x/sys/cpu"

var (
	avx512 = simd{
		lanes:   16,
		gemm:    [5]gemmFunc{1: gemm1AVX512, 2: gemm2AVX512, 3: gemm3AVX512},
		in:      winoInAVX512,
		out:     winoOutAVX512,
		outSkip: winoOutSkipAVX512,
		add:     addAVX512, addScaled: addScaledAVX512, relu: reluAVX512, dot: dotAVX512,
	}
	avx2 = simd{
		lanes:   8,
		gemm:    [5]gemmFunc{2: gemm2AVX2},
		in:      winoInAVX2,
		out:     winoOutAVX2,
		outSkip: winoOutSkipAVX2,
		add:     addAVX2, addScaled: addScaledAVX2, relu: reluAVX2, dot: dotAVX2,
	}
	avx512Set = avx512.set("avx512-f32")
	avx2Set   = avx2.set("avx2-f32")
)

// candidates lists the Sets of this program, fastest first.
func candidates() []candidate {
	x := &cpu.X86
	return []candidate{
		{avx512Set, x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512BW && x.HasAVX512VL && x.HasFMA, "AVX-512 F, DQ, BW and VL"},
		{avx2Set, x.HasAVX2 && x.HasFMA, "AVX2 and FMA"},
		{&portable, true, ""},
	}
}
