package inference

import "synochess/net/kernels"

var (
	avx512 = assembly{Vectors: kernels.AVX512.Vectors, in: winoInAVX512, out: winoOutAVX512, outSkip: winoOutSkipAVX512}
	avx2   = assembly{Vectors: kernels.AVX2.Vectors, in: winoInAVX2, out: winoOutAVX2, outSkip: winoOutSkipAVX2}

	avx512Int16 = int16Assembly{
		lanes:    16,
		products: [4]int16ProductsFunc{1: gemm1AVX512VNNI, 2: gemm2AVX512VNNI, 3: gemm3AVX512VNNI},
		quantise: quantiseAVX512VNNI,
		in:       winoInAVX512VNNI, inNarrow: winoInAVX2INT16,
		out: winoOutAVX512VNNI, outSkip: winoOutSkipAVX512VNNI, outLast: winoOutLastAVX512VNNI,
	}
	avx2Int16 = int16Assembly{
		lanes:    8,
		products: [4]int16ProductsFunc{2: gemm2AVX2INT16},
		quantise: quantiseAVX2INT16,
		in:       winoInAVX2INT16, inNarrow: winoInAVX2INT16,
		out: winoOutAVX2INT16, outSkip: winoOutSkipAVX2INT16, outLast: winoOutLastAVX2INT16,
	}
)

// assemblyOf returns the assembly of a path in float32, nil if it has none.
func assemblyOf(p *kernels.Path) *assembly {
	switch p.Vectors {
	case kernels.AVX512.Vectors:
		return &avx512
	case kernels.AVX2.Vectors:
		return &avx2
	}
	return nil
}

// int16AssemblyOf returns the assembly of a path for quantised trunks, nil if it has none.
func int16AssemblyOf(p *kernels.Path) *int16Assembly {
	switch p.Vectors {
	case kernels.AVX512.Vectors:
		return &avx512Int16
	case kernels.AVX2.Vectors:
		return &avx2Int16
	}
	return nil
}
