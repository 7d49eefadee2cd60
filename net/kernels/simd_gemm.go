//go:build amd64 || arm64

package kernels

// Products on vectors. A packed B lies as [panel][k][columns of the panel], the columns padded with zeros
// to whole vectors. Each element of C is one chain of fused multiply-adds over ascending k.

// pack is Set.Pack.
func (s *simd) pack(k, n int, b Operand) *Packed {
	p := new(Packed)
	s.packInto(p, k, n, b)
	return p
}

func (s *simd) packInto(p *Packed, k, n int, b Operand) {
	panels := s.panels((n + s.lanes - 1) / s.lanes)
	size := 0
	for _, vectors := range panels {
		size += k * vectors * s.lanes
	}
	if cap(p.data) < size {
		p.data = aligned(size)
	}
	p.k, p.n, p.data = k, n, p.data[:size]
	to, from := p.data, 0
	for _, vectors := range panels {
		width := vectors * s.lanes
		cols := min(width, n-from)
		for i := range k {
			row := to[i*width : (i+1)*width]
			if b.Transposed {
				for j := range cols {
					row[j] = b.Data[(from+j)*b.Stride+i]
				}
			} else {
				copy(row, b.Data[i*b.Stride+from:][:cols])
			}
			clear(row[cols:])
		}
		to, from = to[k*width:], from+cols
	}
}

// multiply is Set.Gemm.
func (s *simd) multiply(ws *Workspace, m, n, k int, a, b Operand, c []float32, ldc int, accumulate bool) {
	s.packInto(&ws.packed, k, n, b)
	s.multiplyPacked(ws, m, a, &ws.packed, c, ldc, accumulate)
}

// multiplyPacked is Set.GemmPacked.
func (s *simd) multiplyPacked(ws *Workspace, m int, a Operand, b *Packed, c []float32, ldc int, accumulate bool) {
	if m == 0 || b.n == 0 {
		return
	}
	if b.k == 0 {
		gemm(ws, m, b.n, 0, a, Operand{}, c, ldc, accumulate)
		return
	}
	if a.Transposed {
		a = ws.untransposed(m, b.k, a)
	}
	_ = a.Data[(m-1)*a.Stride+b.k-1]
	data, from := b.data, 0
	for vectors := (b.n + s.lanes - 1) / s.lanes; from < b.n; {
		cols := s.take(vectors)
		width := cols * s.lanes
		to, stride := c[from:], ldc
		direct := !accumulate && from+width <= b.n
		if !direct {
			to, stride = grown(&ws.panel, m*width), width
		}
		_ = to[(m-1)*stride+width-1]
		s.gemm[cols](&a.Data[0], &data[0], &to[0], uintptr(b.k), 1, uintptr(m), uintptr(a.Stride)*4, 0, uintptr(stride)*4, 0)
		if !direct {
			storePanel(c[from:], ldc, to, width, m, min(width, b.n-from), accumulate)
		}
		data, from, vectors = data[b.k*width:], from+width, vectors-cols
	}
}

// storePanel writes or adds the part of a panel's product that lies inside C.
func storePanel(c []float32, ldc int, panel []float32, width, rows, cols int, add bool) {
	if cols == 8 && !add { // the value head's channels: calls of copy would take longer than the product
		for i := range rows {
			*(*[8]float32)(c[i*ldc:]) = *(*[8]float32)(panel[i*width:])
		}
		return
	}
	for i := range rows {
		row, from := c[i*ldc:][:cols], panel[i*width:][:cols]
		if !add {
			copy(row, from)
			continue
		}
		for j, v := range from {
			row[j] += v
		}
	}
}

// untransposed copies a transposed A of m rows into rows.
func (ws *Workspace) untransposed(m, k int, a Operand) Operand {
	to := grown(&ws.rows, m*k)
	for j := range k {
		for i, v := range a.Data[j*a.Stride:][:m] {
			to[i*k+j] = v
		}
	}
	return Mat(to, k)
}

// grown returns n floats of a buffer that keeps its size.
func grown(buffer *[]float32, n int) []float32 {
	if len(*buffer) < n {
		*buffer = aligned(n)
	}
	return (*buffer)[:n]
}
