package training

// Winograd F(4x4, 3x3): a padded 10x10 board is four overlapping 6x6 tiles; the 36 numbers a tile is
// transformed into ("frequencies") are multiplied by those of the weights, and the products are
// transformed back into 4x4 outputs: 144 products a channel pair and board instead of 576. The
// gradients are those of exactly this computation, so both passes work on the same transformed data.
//
// Transformed data lies as [frequency][position][channel][4 tiles], tiles in the order (0,0), (0,1),
// (1,0), (1,1) of (rank half, file half). The stride between frequencies is the caller's; channels are
// padded to a multiple of 4 with zeros.
//
// Boards lie as [10][10][channel] with a border of zeros; the border of an output is not written.

// frequencies is the number of points of the transforms.
const frequencies = 36

// padChannels rounds a number of channels up to what the inner loops need.
func padChannels(n int) int { return (n + 3) &^ 3 }

// analyse multiplies a column of six by B', the input transform.
func analyse(d0, d1, d2, d3, d4, d5 float32) (o0, o1, o2, o3, o4, o5 float32) {
	a, b := d4-float32(4*d2), d3-float32(4*d1)
	c, d := d4-d2, float32(2*(d3-d1))
	return float32(4*d0) - float32(5*d2) + d4, a + b, a - b, c + d, c - d, float32(4*d1) - float32(5*d3) + d5
}

// analyseT multiplies by B, the transpose of analyse.
func analyseT(o0, o1, o2, o3, o4, o5 float32) (d0, d1, d2, d3, d4, d5 float32) {
	s, t := o1+o2, o3+o4
	u, v := o1-o2, float32(2*(o3-o4))
	return float32(4 * o0), float32(4*o5) - float32(4*u) - v, -float32(5*o0) - float32(4*s) - t,
		u + v - float32(5*o5), o0 + s + t, o5
}

// synthesise multiplies a column of six by A', the output transform.
func synthesise(m0, m1, m2, m3, m4, m5 float32) (y0, y1, y2, y3 float32) {
	a, b := m1+m2, m3+m4
	c, d := m1-m2, m3-m4
	return m0 + a + b, c + float32(2*d), a + float32(4*b), c + float32(8*d) + m5
}

// synthesiseT multiplies by A, the transpose of synthesise.
func synthesiseT(y0, y1, y2, y3 float32) (m0, m1, m2, m3, m4, m5 float32) {
	a, b := y0+y2, y1+y3
	c, d := y0+float32(4*y2), float32(2*y1)+float32(8*y3)
	return y0, a + b, a - b, c + d, c - d, y3
}

// transformInput sets v, which starts at frequency 0 of one position, to the transform of board x.
func transformInput(x []float32, channels int, v []float32, stride int) {
	var t [2 * 6 * 8]float32 // [rank half][row][file 1..8]: the columns' transforms
	for c := range channels {
		for f := range 8 {
			p := x[(11+f)*channels+c:]
			var d [8]float32
			for r := range d {
				d[r] = p[r*10*channels]
			}
			t[f], t[8+f], t[16+f], t[24+f], t[32+f], t[40+f] = analyse(0, d[0], d[1], d[2], d[3], d[4])
			t[48+f], t[56+f], t[64+f], t[72+f], t[80+f], t[88+f] = analyse(d[3], d[4], d[5], d[6], d[7], 0)
		}
		for i := range 6 {
			a, b := (*[8]float32)(t[8*i:]), (*[8]float32)(t[48+8*i:])
			a0, a1, a2, a3, a4, a5 := analyse(0, a[0], a[1], a[2], a[3], a[4])
			b0, b1, b2, b3, b4, b5 := analyse(a[3], a[4], a[5], a[6], a[7], 0)
			c0, c1, c2, c3, c4, c5 := analyse(0, b[0], b[1], b[2], b[3], b[4])
			d0, d1, d2, d3, d4, d5 := analyse(b[3], b[4], b[5], b[6], b[7], 0)
			o := v[6*i*stride+4*c:]
			*(*[4]float32)(o) = [4]float32{a0, b0, c0, d0}
			*(*[4]float32)(o[stride:]) = [4]float32{a1, b1, c1, d1}
			*(*[4]float32)(o[2*stride:]) = [4]float32{a2, b2, c2, d2}
			*(*[4]float32)(o[3*stride:]) = [4]float32{a3, b3, c3, d3}
			*(*[4]float32)(o[4*stride:]) = [4]float32{a4, b4, c4, d4}
			*(*[4]float32)(o[5*stride:]) = [4]float32{a5, b5, c5, d5}
		}
	}
}

// transformInputT sets the inside of board dx to the gradient that belongs to dv, the gradient of
// what transformInput wrote.
func transformInputT(dv []float32, stride int, dx []float32, channels int) {
	var t [2 * 8 * 6]float32 // [file half][rank 1..8][column]
	for c := range channels {
		for j := range 6 {
			p := dv[j*stride+4*c:]
			var m [6]*[4]float32
			for i := range m {
				m[i] = (*[4]float32)(p[6*i*stride:])
			}
			for half := range 2 {
				_, a1, a2, a3, a4, a5 := analyseT(m[0][half], m[1][half], m[2][half], m[3][half], m[4][half], m[5][half])
				b0, b1, b2, b3, b4, _ := analyseT(m[0][2+half], m[1][2+half], m[2][2+half], m[3][2+half], m[4][2+half], m[5][2+half])
				o := t[48*half+j:]
				o[0], o[6], o[12], o[18], o[24] = a1, a2, a3, a4+b0, a5+b1
				o[30], o[36], o[42] = b2, b3, b4
			}
		}
		for r := range 8 {
			l, h := (*[6]float32)(t[6*r:]), (*[6]float32)(t[48+6*r:])
			_, a1, a2, a3, a4, a5 := analyseT(l[0], l[1], l[2], l[3], l[4], l[5])
			b0, b1, b2, b3, b4, _ := analyseT(h[0], h[1], h[2], h[3], h[4], h[5])
			o := dx[(10*r+11)*channels+c:]
			o[0], o[channels], o[2*channels], o[3*channels] = a1, a2, a3, a4+b0
			o[4*channels], o[5*channels], o[6*channels], o[7*channels] = a5+b1, b2, b3, b4
		}
	}
}

// transformOutput sets the inside of board y to the output transform of m, which starts at frequency
// 0 of one position.
func transformOutput(m []float32, stride int, y []float32, channels int) {
	var t [4 * 4 * 6]float32 // [tile][row][column]
	for c := range channels {
		for j := range 6 {
			p := m[j*stride+4*c:]
			var q [6]*[4]float32
			for i := range q {
				q[i] = (*[4]float32)(p[6*i*stride:])
			}
			for tile := range 4 {
				o := t[24*tile+j:]
				o[0], o[6], o[12], o[18] = synthesise(q[0][tile], q[1][tile], q[2][tile], q[3][tile], q[4][tile], q[5][tile])
			}
		}
		for tile := range 4 {
			for r := range 4 {
				a := (*[6]float32)(t[24*tile+6*r:])
				o := y[((tile>>1*4+r)*10+tile&1*4+11)*channels+c:]
				o[0], o[channels], o[2*channels], o[3*channels] = synthesise(a[0], a[1], a[2], a[3], a[4], a[5])
			}
		}
	}
}

// transformOutputT sets dm to the gradient that belongs to dy, the gradient of what transformOutput
// wrote.
func transformOutputT(dy []float32, channels int, dm []float32, stride int) {
	var t [2 * 6 * 8]float32 // [rank half][row][file 1..8]
	for c := range channels {
		for f := range 8 {
			p := dy[(11+f)*channels+c:]
			var d [8]float32
			for r := range d {
				d[r] = p[r*10*channels]
			}
			t[f], t[8+f], t[16+f], t[24+f], t[32+f], t[40+f] = synthesiseT(d[0], d[1], d[2], d[3])
			t[48+f], t[56+f], t[64+f], t[72+f], t[80+f], t[88+f] = synthesiseT(d[4], d[5], d[6], d[7])
		}
		for i := range 6 {
			a, b := (*[8]float32)(t[8*i:]), (*[8]float32)(t[48+8*i:])
			a0, a1, a2, a3, a4, a5 := synthesiseT(a[0], a[1], a[2], a[3])
			b0, b1, b2, b3, b4, b5 := synthesiseT(a[4], a[5], a[6], a[7])
			c0, c1, c2, c3, c4, c5 := synthesiseT(b[0], b[1], b[2], b[3])
			d0, d1, d2, d3, d4, d5 := synthesiseT(b[4], b[5], b[6], b[7])
			o := dm[6*i*stride+4*c:]
			*(*[4]float32)(o) = [4]float32{a0, b0, c0, d0}
			*(*[4]float32)(o[stride:]) = [4]float32{a1, b1, c1, d1}
			*(*[4]float32)(o[2*stride:]) = [4]float32{a2, b2, c2, d2}
			*(*[4]float32)(o[3*stride:]) = [4]float32{a3, b3, c3, d3}
			*(*[4]float32)(o[4*stride:]) = [4]float32{a4, b4, c4, d4}
			*(*[4]float32)(o[5*stride:]) = [4]float32{a5, b5, c5, d5}
		}
	}
}

// weightRow is G, the weight transform of three taps into six.
func weightRow(w0, w1, w2 float32) [6]float32 {
	s, t := float32(w0/24)+float32(w2/6), float32(w1/12)
	return [6]float32{w0 / 4, -(w0 + w1 + w2) / 6, -(w0 - w1 + w2) / 6, s + t, s - t, w2}
}

// weightRowT is the transpose of weightRow.
func weightRowT(u0, u1, u2, u3, u4, u5 float32) [3]float32 {
	s, t := u1+u2, u3+u4
	return [3]float32{
		float32(u0/4) - float32(s/6) + float32(t/24),
		float32((u2-u1)/6) + float32((u3-u4)/12),
		u5 - float32(s/6) + float32(t/6),
	}
}

// transformWeights writes the transform of w, [(ky*3+kx)*in + i][out], twice: to u as
// [frequency][i][o] and to ut as [frequency][o][i], both with padded channel counts. The padding is
// left as it is.
func transformWeights(w []float32, in, out int, u, ut []float32) {
	pi, po := padChannels(in), padChannels(out)
	for i := range in {
		for o := range out {
			var t [3][6]float32 // [ky][column]
			for ky := range t {
				at := (ky*3*in+i)*out + o
				t[ky] = weightRow(w[at], w[at+in*out], w[at+2*in*out])
			}
			for j := range 6 {
				col := weightRow(t[0][j], t[1][j], t[2][j])
				for r, v := range col {
					f := 6*r + j
					u[(f*pi+i)*po+o] = v
					ut[(f*po+o)*pi+i] = v
				}
			}
		}
	}
}

// transformWeightsT sets dw, laid out like w in transformWeights, to the gradient that belongs to du,
// the gradient of u.
func transformWeightsT(du []float32, in, out int, dw []float32) {
	pi, po := padChannels(in), padChannels(out)
	for i := range in {
		for o := range out {
			var t [6][3]float32 // [row][kx]
			for r := range t {
				at := (6*r*pi+i)*po + o
				s := pi * po
				t[r] = weightRowT(du[at], du[at+s], du[at+2*s], du[at+3*s], du[at+4*s], du[at+5*s])
			}
			for kx := range 3 {
				col := weightRowT(t[0][kx], t[1][kx], t[2][kx], t[3][kx], t[4][kx], t[5][kx])
				for ky, v := range col {
					dw[((ky*3+kx)*in+i)*out+o] = v
				}
			}
		}
	}
}
