package inference

import "synochess/net/kernels/winograd"

// Winograd F(4x4,3x3) on the points of winograd.F4: a board is 2x2 tiles of 4x4 outputs, each computed from 6x6 inputs (the tile
// and a rim of one) at 36 points. All four tiles of a board touch its edge, so one row and one column of
// each input are padding and are left out.
//
// Transformed boards lie as [channel][point][tile]: point = 6*i + j with i vertical, tile = 2*ty + tx.

const (
	winoPoints = 36
	winoTiles  = 4
	winoBoard  = winoPoints * winoTiles // values of one transformed board and channel
)

// filterPoint returns the transformed filter at point (i, j). It runs in float64, because the sums of filters cancel.
// winograd.Filter adds in another order, which would change the bits of the portable path.
func filterPoint(tap func(ky, kx int) float32, i, j int) float32 {
	var sum float64
	for ky := range 3 {
		for kx := range 3 {
			sum += float64(float64(winograd.F4.Filter[i][ky]*winograd.F4.Filter[j][kx]) * float64(tap(ky, kx)))
		}
	}
	return float32(sum)
}

// winoIn transforms one channel of one board: v[point][tile] = Bt d B.
func winoIn(v *[winoBoard]float32, board *[64]float32) {
	// Bt d for the upper tiles (ranks -1 to 4) and the lower ones (ranks 3 to 8), each file once, as
	// mid[ty][i][file].
	var mid [2 * 6 * 8]float32
	for x := range 8 {
		r0, r1, r2, r3 := board[x], board[8+x], board[16+x], board[24+x]
		r4, r5, r6, r7 := board[32+x], board[40+x], board[48+x], board[56+x]

		e, f := r3-r1, r2-r0
		a, b := r3-float32(4*r1), r2-float32(4*r0)
		f2 := f + f
		mid[x] = e - float32(4*r1)
		mid[8+x] = a + b
		mid[16+x] = a - b
		mid[24+x] = e + f2
		mid[32+x] = e - f2
		mid[40+x] = (r4 - r2) - float32(4*f)

		e, f = r7-r5, r6-r4
		a, b = r7-float32(4*r5), r6-float32(4*r4)
		f2 = f + f
		mid[48+x] = float32(4*(r3-r5)) + e
		mid[56+x] = a + b
		mid[64+x] = a - b
		mid[72+x] = e + f2
		mid[80+x] = e - f2
		mid[88+x] = -r6 - float32(4*f)
	}
	// (Bt d) B, tile by tile along the ranks: the left tiles start at file -1, the right ones at 3.
	for i := range 6 {
		out := (*[6 * winoTiles]float32)(v[i*6*winoTiles:])
		for ty := range 2 {
			m := (*[8]float32)(mid[ty*48+i*8:])
			o := (*[22]float32)(out[2*ty:])
			c0, c1, c2, c3, c4 := m[0], m[1], m[2], m[3], m[4]
			e, f := c3-c1, c2-c0
			a, b := c3-float32(4*c1), c2-float32(4*c0)
			f2 := f + f
			o[0] = e - float32(4*c1)
			o[4] = a + b
			o[8] = a - b
			o[12] = e + f2
			o[16] = e - f2
			o[20] = (c4 - c2) - float32(4*f)

			c5, c6, c7 := m[5], m[6], m[7]
			e, f = c7-c5, c6-c4
			a, b = c7-float32(4*c5), c6-float32(4*c4)
			f2 = f + f
			o[1] = float32(4*(c3-c5)) + e
			o[5] = a + b
			o[9] = a - b
			o[13] = e + f2
			o[17] = e - f2
			o[21] = -c6 - float32(4*f)
		}
	}
}

// winoOut transforms back and finishes a layer for one channel of one board:
// board = relu(At m A + bias), with the board's former contents added before the relu if skip is set.
func winoOut(board *[64]float32, m *[winoBoard]float32, bias float32, skip bool) {
	// m A for each tile, as mid[ty][i][file].
	var mid [2 * 6 * 8]float32
	for i := range 6 {
		in := (*[6 * winoTiles]float32)(m[i*6*winoTiles:])
		for t := range winoTiles {
			p := (*[21]float32)(in[t:])
			a, b := p[4]+p[8], p[4]-p[8]
			c, d := p[12]+p[16], p[12]-p[16]
			o := (*[4]float32)(mid[t>>1*48+i*8+t&1*4:])
			o[0] = p[0] + a + c
			o[1] = b + (d + d)
			o[2] = a + float32(4*c)
			o[3] = b + float32(8*d) + p[20]
		}
	}
	// At (m A), file by file.
	for ty := range 2 {
		p := (*[48]float32)(mid[ty*48:])
		o := (*[32]float32)(board[ty*32:])
		for x := range 8 {
			a, b := p[8+x]+p[16+x], p[8+x]-p[16+x]
			c, d := p[24+x]+p[32+x], p[24+x]-p[32+x]
			a, b = a+bias, b+bias
			y0 := p[x] + a + c
			y1 := b + (d + d)
			y2 := a + float32(4*c)
			y3 := b + float32(8*d) + p[40+x]
			if skip {
				y0 += o[x]
				y1 += o[8+x]
				y2 += o[16+x]
				y3 += o[24+x]
			}
			o[x] = max(y0, 0)
			o[8+x] = max(y1, 0)
			o[16+x] = max(y2, 0)
			o[24+x] = max(y3, 0)
		}
	}
}
