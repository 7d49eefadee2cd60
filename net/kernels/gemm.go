package kernels

// The register tile: tileM rows of A times tileN columns of B are eight sums, which with their
// operands just fit the 15 scalar registers Go's compiler has on amd64.
const (
	tileM = 4
	tileN = 2
	tileK = 8 // steps per loop turn
	// blockK is the depth of a packed block. Longer sums are split: the part of each block is summed
	// by itself and then added to C, in ascending order.
	blockK = 256
)

// Operand is a matrix operand: element (i, j) is Data[i*Stride+j], or Data[j*Stride+i] if Transposed.
type Operand struct {
	Data       []float32
	Stride     int
	Transposed bool
}

// Mat is the row-major operand with the given row stride.
func Mat(data []float32, stride int) Operand { return Operand{Data: data, Stride: stride} }

// MatT is the transpose of the row-major matrix with the given row stride: MatT(a, lda) has element
// (i, j) = a[j*lda+i].
func MatT(data []float32, stride int) Operand {
	return Operand{Data: data, Stride: stride, Transposed: true}
}

// Workspace is the scratch memory of products. The zero value is ready; it grows to the largest product
// seen and belongs to one goroutine.
type Workspace struct {
	a     [tileM*blockK + 1]float32 // one panel of A: [k][tileM], and one (see tile)
	b     []float32                 // a block of B in panels: [panel][k][tileN], and one
	panel []float32                 // assembly: columns of C that are not simply stored
}

// Packed is the right-hand matrix of a product in the layout of the Path that packed it. It is not
// changed by use.
type Packed struct {
	k, n int
	data []float32 // blocks of blockK rows, each in panels [panel][k][tileN]; and one (see tile)
}

// Pack prepares a right-hand matrix b [k][n] that is used many times; k and n are at least 1.
func (p *Path) Pack(k, n int, b []float32) *Packed {
	if p.Vectors != nil {
		return p.Vectors.pack(k, n, b)
	}
	packed := &Packed{k: k, n: n}
	for k0 := 0; k0 < k; k0 += blockK {
		depth := min(blockK, k-k0)
		at := len(packed.data)
		packed.data = append(packed.data, make([]float32, blockSize(depth, n))...)
		packB(packed.data[at:], Mat(b, n), k0, depth, n)
	}
	packed.data = append(packed.data, 0)
	return packed
}

// GemmPacked computes C[m][n] = A[m][k]*B, with rows lda and ldc floats apart, for a B [k][n] that the same Path
// packed. c may not overlap a. ws is scratch memory of the calling goroutine.
func (p *Path) GemmPacked(ws *Workspace, m int, a []float32, lda int, b *Packed, c []float32, ldc int) {
	if p.Vectors != nil {
		p.Vectors.gemmPacked(ws, m, a, lda, b, c, ldc)
		return
	}
	data := b.data
	for k0 := 0; k0 < b.k; k0 += blockK {
		depth := min(blockK, b.k-k0)
		gemmBlock(ws, m, b.n, k0, depth, Mat(a, lda), data, c, ldc)
		data = data[blockSize(depth, b.n):]
	}
}

// Gemm computes C[m][n] = A[m][k]*B[k][n] in plain Go; k is at least 1. C's element (i, j) is c[i*ldc+j]; c may not
// overlap a or b. Each element is summed over ascending k within blocks of blockK.
func Gemm(ws *Workspace, m, n, k int, a, b Operand, c []float32, ldc int) {
	for k0 := 0; k0 < k; k0 += blockK {
		depth := min(blockK, k-k0)
		size := blockSize(depth, n)
		if len(ws.b) <= size {
			ws.b = make([]float32, size+1)
		}
		packB(ws.b[:size], b, k0, depth, n)
		gemmBlock(ws, m, n, k0, depth, a, ws.b, c, ldc)
	}
}

// padDepth rounds a depth up to whole loop turns.
func padDepth(depth int) int { return (depth + tileK - 1) / tileK * tileK }

// blockSize is the length of a packed block of B.
func blockSize(depth, n int) int { return (n + tileN - 1) / tileN * tileN * padDepth(depth) }

// gemmBlock multiplies columns k0 to k0+depth of A by one packed block of B, at the start of pb, and adds the
// product to C, or sets C if it is the first block.
func gemmBlock(ws *Workspace, m, n, k0, depth int, a Operand, pb, c []float32, ldc int) {
	panel := padDepth(depth) * tileN
	pa := ws.a[:padDepth(depth)*tileM+1]
	for i0 := 0; i0 < m; i0 += tileM {
		rows := min(tileM, m-i0)
		packA(pa[:len(pa)-1], a, i0, rows, k0, depth)
		for j := 0; j < n; j += tileN {
			var sum [tileM * tileN]float32
			tile(&sum, pa, pb[j/tileN*panel:][:panel+1])
			storeTile(c[i0*ldc+j:], ldc, &sum, rows, min(tileN, n-j), k0 > 0)
		}
	}
}

// storeTile writes or adds the part of a tile that lies inside C.
func storeTile(c []float32, ldc int, sum *[tileM * tileN]float32, rows, cols int, add bool) {
	for i := range rows {
		row := c[i*ldc : i*ldc+cols]
		for j := range row {
			if add {
				row[j] += sum[i*tileN+j]
			} else {
				row[j] = sum[i*tileN+j]
			}
		}
	}
}

// packA copies rows i0.. of columns k0.. into a panel [k][tileM], zeros beyond the matrix.
func packA(dst []float32, a Operand, i0, rows, k0, depth int) {
	if rows < tileM || depth*tileM < len(dst) {
		clear(dst)
	}
	if a.Transposed {
		for k := range depth {
			src := a.Data[(k0+k)*a.Stride+i0:]
			copy(dst[k*tileM:k*tileM+rows], src[:rows])
		}
		return
	}
	for i := range rows {
		src := a.Data[(i0+i)*a.Stride+k0:][:depth]
		to := dst[i:]
		for k, v := range src {
			to[k*tileM] = v
		}
	}
}

// packB copies rows k0.. of B into panels [panel][k][tileN], zeros beyond the matrix.
func packB(dst []float32, b Operand, k0, depth, n int) {
	padded := padDepth(depth)
	clear(dst)
	for p := 0; p*tileN < n; p++ {
		panel := dst[p*padded*tileN : (p+1)*padded*tileN]
		cols := min(tileN, n-p*tileN)
		for j := range cols {
			col := p*tileN + j
			at, step := k0*b.Stride+col, b.Stride
			if b.Transposed {
				at, step = col*b.Stride+k0, 1
			}
			for k := range depth {
				panel[k*tileN+j] = b.Data[at]
				at += step
			}
		}
	}
}

// tile sums a panel of A [k][tileM] times a panel of B [k][tileN] over all k, a multiple of tileK. Each
// slice is one longer than its panel: with array pointers for a turn's operands and the knowledge that
// neither slice ends with the turn, the compiler leaves no check and no pointer masking in the loop.
func tile(sum *[tileM * tileN]float32, a, b []float32) {
	var s00, s01, s10, s11, s20, s21, s30, s31 float32
	for len(a) > tileK*tileM && len(b) > tileK*tileN {
		x, y := (*[tileK * tileM]float32)(a), (*[tileK * tileN]float32)(b)
		y0, y1 := y[0], y[1]
		s00 += float32(x[0] * y0)
		s01 += float32(x[0] * y1)
		s10 += float32(x[1] * y0)
		s11 += float32(x[1] * y1)
		s20 += float32(x[2] * y0)
		s21 += float32(x[2] * y1)
		s30 += float32(x[3] * y0)
		s31 += float32(x[3] * y1)
		y0, y1 = y[2], y[3]
		s00 += float32(x[4] * y0)
		s01 += float32(x[4] * y1)
		s10 += float32(x[5] * y0)
		s11 += float32(x[5] * y1)
		s20 += float32(x[6] * y0)
		s21 += float32(x[6] * y1)
		s30 += float32(x[7] * y0)
		s31 += float32(x[7] * y1)
		y0, y1 = y[4], y[5]
		s00 += float32(x[8] * y0)
		s01 += float32(x[8] * y1)
		s10 += float32(x[9] * y0)
		s11 += float32(x[9] * y1)
		s20 += float32(x[10] * y0)
		s21 += float32(x[10] * y1)
		s30 += float32(x[11] * y0)
		s31 += float32(x[11] * y1)
		y0, y1 = y[6], y[7]
		s00 += float32(x[12] * y0)
		s01 += float32(x[12] * y1)
		s10 += float32(x[13] * y0)
		s11 += float32(x[13] * y1)
		s20 += float32(x[14] * y0)
		s21 += float32(x[14] * y1)
		s30 += float32(x[15] * y0)
		s31 += float32(x[15] * y1)
		y0, y1 = y[8], y[9]
		s00 += float32(x[16] * y0)
		s01 += float32(x[16] * y1)
		s10 += float32(x[17] * y0)
		s11 += float32(x[17] * y1)
		s20 += float32(x[18] * y0)
		s21 += float32(x[18] * y1)
		s30 += float32(x[19] * y0)
		s31 += float32(x[19] * y1)
		y0, y1 = y[10], y[11]
		s00 += float32(x[20] * y0)
		s01 += float32(x[20] * y1)
		s10 += float32(x[21] * y0)
		s11 += float32(x[21] * y1)
		s20 += float32(x[22] * y0)
		s21 += float32(x[22] * y1)
		s30 += float32(x[23] * y0)
		s31 += float32(x[23] * y1)
		y0, y1 = y[12], y[13]
		s00 += float32(x[24] * y0)
		s01 += float32(x[24] * y1)
		s10 += float32(x[25] * y0)
		s11 += float32(x[25] * y1)
		s20 += float32(x[26] * y0)
		s21 += float32(x[26] * y1)
		s30 += float32(x[27] * y0)
		s31 += float32(x[27] * y1)
		y0, y1 = y[14], y[15]
		s00 += float32(x[28] * y0)
		s01 += float32(x[28] * y1)
		s10 += float32(x[29] * y0)
		s11 += float32(x[29] * y1)
		s20 += float32(x[30] * y0)
		s21 += float32(x[30] * y1)
		s30 += float32(x[31] * y0)
		s31 += float32(x[31] * y1)
		a, b = a[tileK*tileM:], b[tileK*tileN:]
	}
	sum[0], sum[1], sum[2], sum[3] = s00, s01, s10, s11
	sum[4], sum[5], sum[6], sum[7] = s20, s21, s30, s31
}
