package kernels

import "golang.org/x/sys/cpu"

// assemblyPaths are the paths written in assembly, fastest first.
var assemblyPaths = []assemblyPath{
	{&TrainPath{Name: "avx512-f32", simd: &trainAVX512}, cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasFMA},
	{&TrainPath{Name: "avx2-f32", simd: &trainAVX2}, cpu.X86.HasAVX2 && cpu.X86.HasFMA},
}

var trainAVX512 = trainSIMD{
	lanes: 16, rows: 8, near: 2, far: 3,
	tile:    [...]tileFunc{nil, trainTile1AVX512, trainTile2AVX512, trainTile3AVX512},
	analyse: trainAnalyseAVX512, synthesiseT: trainSynthesiseTAVX512,
	analyseT: trainAnalyseTAVX512, synthesise: trainSynthesiseAVX512,
	weights: trainWeightsAVX512, weightsT: trainWeightsTAVX512,
	addVector: trainAddVectorAVX512, statistics: trainStatisticsAVX512,
	activate: trainActivateAVX512, activateRes: trainActivateResAVX512,
	maskGrad: trainMaskGradAVX512, maskGradRes: trainMaskGradResAVX512,
	combine: trainCombineAVX512, addBoard: trainAddBoardAVX512,
	add: trainAddAVX512, adamW: trainAdamWAVX512,
}

var trainAVX2 = trainSIMD{
	lanes: 8, rows: 4, near: 1, far: 1,
	tile:    [...]tileFunc{nil, trainTile1AVX2, trainTile2AVX2, trainTile3AVX2},
	analyse: trainAnalyseAVX2, synthesiseT: trainSynthesiseTAVX2,
	analyseT: trainAnalyseTAVX2, synthesise: trainSynthesiseAVX2,
	weights: trainWeightsAVX2, weightsT: trainWeightsTAVX2,
	addVector: trainAddVectorAVX2, statistics: trainStatisticsAVX2,
	activate: trainActivateAVX2, activateRes: trainActivateResAVX2,
	maskGrad: trainMaskGradAVX2, maskGradRes: trainMaskGradResAVX2,
	combine: trainCombineAVX2, addBoard: trainAddBoardAVX2,
	add: trainAddAVX2, adamW: trainAdamWAVX2,
}
