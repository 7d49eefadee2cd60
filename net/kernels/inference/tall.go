package inference

import "synochess/net/kernels"

// Tall tiles: Winograd F(8x4,3x3). A board is two tiles, its left and its right half, of 8x4 outputs, each
// computed from 10x6 inputs (the half and a rim of one) at 10x6 points: winograd.TallDown down the files and
// winograd.TallAlong along the ranks. That takes 120 products a board where F(4x4,3x3) takes 144, and no input is
// transformed twice down the files.

const (
	tallHigh   = 10 // points down the files
	tallWide   = 6  // points along the ranks
	tallPoints = tallHigh * tallWide
	tallTiles  = 2
)

// assembly is what the generated assembly of an instruction set offers for trunks in float32. The declarations beside
// it (avx2_amd64.go, ...) say what each function does.
type assembly struct {
	*kernels.Vectors
	in           func(src, dst, scratch *float32, blocks, lda, step uintptr)
	out, outSkip outFunc
}

type outFunc = func(m, bias, dst, scratch *float32, blocks, ldm, step, pixel uintptr)
