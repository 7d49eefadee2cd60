package kernels

// The register tile: tileM rows of A times tileN columns of B are eight sums, which with their
// operands just fit the 15 scalar registers Go's compiler has on amd64.
const (
	tileM = 4
	tileN = 2
	tileK = 4 // steps per loop turn
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

// Workspace is the scratch memory of Gemm. The zero value is ready; it grows to the largest product
// seen and belongs to one goroutine.
type Workspace struct {
	a [tileM * blockK]float32 // one panel of A: [k][tileM]
	b []float32               // a block of B in panels: [panel][k][tileN]
}

// gemm is the portable GemmFunc. Each element of C is summed over ascending k within blocks of blockK.
func gemm(ws *Workspace, m, n, k int, a, b Operand, c []float32, ldc int, accumulate bool) {
	if k == 0 && !accumulate {
		for i := range m {
			clear(c[i*ldc : i*ldc+n])
		}
	}
	panels := (n + tileN - 1) / tileN
	for k0 := 0; k0 < k; k0 += blockK {
		depth := min(blockK, k-k0)
		padded := (depth + tileK - 1) / tileK * tileK
		if need := panels * padded * tileN; cap(ws.b) < need {
			ws.b = make([]float32, need)
		}
		packB(ws.b[:panels*padded*tileN], b, k0, depth, padded, n)
		for i0 := 0; i0 < m; i0 += tileM {
			rows := min(tileM, m-i0)
			pa := ws.a[:padded*tileM]
			packA(pa, a, i0, rows, k0, depth)
			for p := range panels {
				var sum [tileM * tileN]float32
				tile(&sum, pa, ws.b[p*padded*tileN:(p+1)*padded*tileN])
				cols := min(tileN, n-p*tileN)
				storeTile(c[i0*ldc+p*tileN:], ldc, &sum, rows, cols, accumulate || k0 > 0)
			}
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
func packB(dst []float32, b Operand, k0, depth, padded, n int) {
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

// tile sums a panel of A [k][tileM] times a panel of B [k][tileN] over all k, which must be a
// multiple of tileK. Converting slices to array pointers leaves no bounds check in the loop.
func tile(sum *[tileM * tileN]float32, a, b []float32) {
	var s00, s01, s10, s11, s20, s21, s30, s31 float32
	for len(a) >= tileK*tileM && len(b) >= tileK*tileN {
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
		a, b = a[tileK*tileM:], b[tileK*tileN:]
	}
	sum[0], sum[1], sum[2], sum[3] = s00, s01, s10, s11
	sum[4], sum[5], sum[6], sum[7] = s20, s21, s30, s31
}
