package training

import "synochess/net/kernels"

var avx512 = assembly{
	lanes: 16, rows: 8, near: 2, far: 3,
	tile:    [...]tileFunc{nil, tile1AVX512, tile2AVX512, tile3AVX512},
	analyse: analyseAVX512, synthesiseT: synthesiseTAVX512,
	analyseT: analyseTAVX512, synthesise: synthesiseAVX512,
	weights: weightsAVX512, weightsT: weightsTAVX512,
	addVector: addVectorAVX512, statistics: statisticsAVX512,
	activate: activateAVX512, activateRes: activateResAVX512,
	maskGrad: maskGradAVX512, maskGradRes: maskGradResAVX512,
	combine: combineAVX512, addBoard: addBoardAVX512,
	add: addAVX512, adamW: adamWAVX512,
}

var avx2 = assembly{
	lanes: 8, rows: 4, near: 1, far: 1,
	tile:    [...]tileFunc{nil, tile1AVX2, tile2AVX2, tile3AVX2},
	analyse: analyseAVX2, synthesiseT: synthesiseTAVX2,
	analyseT: analyseTAVX2, synthesise: synthesiseAVX2,
	weights: weightsAVX2, weightsT: weightsTAVX2,
	addVector: addVectorAVX2, statistics: statisticsAVX2,
	activate: activateAVX2, activateRes: activateResAVX2,
	maskGrad: maskGradAVX2, maskGradRes: maskGradResAVX2,
	combine: combineAVX2, addBoard: addBoardAVX2,
	add: addAVX2, adamW: adamWAVX2,
}

// assemblyOf returns the assembly of a path, nil if it has none.
func assemblyOf(p *kernels.Path) *assembly {
	switch p.Vectors {
	case kernels.AVX512.Vectors:
		return &avx512
	case kernels.AVX2.Vectors:
		return &avx2
	}
	return nil
}
