package kernels

// Products on vectors. A packed B lies as [panel][k][columns of the panel], the columns padded with zeros
// to whole vectors. Each element of C is one chain of fused multiply-adds over ascending k.

// pack is Path.Pack.
func (v *Vectors) pack(k, n int, b []float32) *Packed {
	panels := v.Panels((n + v.Lanes - 1) / v.Lanes)
	size := 0
	for _, vectors := range panels {
		size += k * vectors * v.Lanes
	}
	p := &Packed{k: k, n: n, data: Aligned(size)}
	to, from := p.data, 0
	for _, vectors := range panels {
		width := vectors * v.Lanes
		cols := min(width, n-from)
		for i := range k {
			copy(to[i*width:(i+1)*width], b[i*n+from:][:cols])
		}
		to, from = to[k*width:], from+cols
	}
	return p
}

// gemmPacked is Path.GemmPacked.
func (v *Vectors) gemmPacked(ws *Workspace, m int, a []float32, lda int, b *Packed, c []float32, ldc int) {
	if m == 0 {
		return
	}
	_ = a[(m-1)*lda+b.k-1]
	data, from := b.data, 0
	for vectors := (b.n + v.Lanes - 1) / v.Lanes; from < b.n; {
		cols := v.take(vectors)
		width := cols * v.Lanes
		to, stride := c[from:], ldc
		direct := from+width <= b.n
		if !direct {
			to, stride = ws.columns(m*width), width
		}
		_ = to[(m-1)*stride+width-1]
		v.Products[cols](&a[0], &data[0], &to[0], uintptr(b.k), 1, uintptr(m), uintptr(lda)*4, 0, uintptr(stride)*4, 0)
		if !direct {
			storePanel(c[from:], ldc, to, width, m, min(width, b.n-from))
		}
		data, from, vectors = data[b.k*width:], from+width, vectors-cols
	}
}

// storePanel writes the part of a panel's product that lies inside C.
func storePanel(c []float32, ldc int, panel []float32, width, rows, cols int) {
	if cols == 8 { // the value head's channels: calls of copy would take longer than the product
		for i := range rows {
			*(*[8]float32)(c[i*ldc:]) = *(*[8]float32)(panel[i*width:])
		}
		return
	}
	for i := range rows {
		copy(c[i*ldc:][:cols], panel[i*width:])
	}
}

// columns returns room for n floats of columns of C that are not simply stored.
func (ws *Workspace) columns(n int) []float32 {
	if len(ws.panel) < n {
		ws.panel = Aligned(n)
	}
	return ws.panel[:n]
}
