package training

// The inner loops of training. Every product is rounded before it is added (the explicit float32
// conversions), so that no compiler fuses the two and results are the same on every kind of machine.
// Slices are turned into array pointers so that one bounds check serves many loads; wider or deeper
// tiles than these make the Go compiler spill its fifteen registers and run at half the speed.

// dot2x4 sets c0[j] and c1[j] to the sums over k of a0[k]*b[4k+j] and a1[k]*b[4k+j]. The lengths of
// a0 and a1 are the same multiple of 4, and b is at least four times as long.
func dot2x4(a0, a1, b []float32, c0, c1 *[4]float32) {
	var s00, s01, s02, s03, s10, s11, s12, s13 float32
	for len(a0) >= 4 && len(a1) >= 4 && len(b) >= 16 {
		p, q, y := (*[4]float32)(a0), (*[4]float32)(a1), (*[16]float32)(b)
		u, v := p[0], q[0]
		s00 += float32(u * y[0])
		s10 += float32(v * y[0])
		s01 += float32(u * y[1])
		s11 += float32(v * y[1])
		s02 += float32(u * y[2])
		s12 += float32(v * y[2])
		s03 += float32(u * y[3])
		s13 += float32(v * y[3])
		u, v = p[1], q[1]
		s00 += float32(u * y[4])
		s10 += float32(v * y[4])
		s01 += float32(u * y[5])
		s11 += float32(v * y[5])
		s02 += float32(u * y[6])
		s12 += float32(v * y[6])
		s03 += float32(u * y[7])
		s13 += float32(v * y[7])
		u, v = p[2], q[2]
		s00 += float32(u * y[8])
		s10 += float32(v * y[8])
		s01 += float32(u * y[9])
		s11 += float32(v * y[9])
		s02 += float32(u * y[10])
		s12 += float32(v * y[10])
		s03 += float32(u * y[11])
		s13 += float32(v * y[11])
		u, v = p[3], q[3]
		s00 += float32(u * y[12])
		s10 += float32(v * y[12])
		s01 += float32(u * y[13])
		s11 += float32(v * y[13])
		s02 += float32(u * y[14])
		s12 += float32(v * y[14])
		s03 += float32(u * y[15])
		s13 += float32(v * y[15])
		a0, a1, b = a0[4:], a1[4:], b[16:]
	}
	c0[0], c0[1], c0[2], c0[3] = s00, s01, s02, s03
	c1[0], c1[1], c1[2], c1[3] = s10, s11, s12, s13
}

// cross2x4 sets c0[j] and c1[j] to the sums over p and k of v[p*vStride+k]*d[p*dStride+4j+k] and
// v[p*vStride+4+k]*d[p*dStride+4j+k], k = 0..3, p = 0..n-1.
func cross2x4(v, d []float32, vStride, dStride, n int, c0, c1 *[4]float32) {
	var s00, s01, s02, s03, s10, s11, s12, s13 float32
	for p := range n {
		x, y := (*[8]float32)(v[p*vStride:]), (*[16]float32)(d[p*dStride:])
		u, w := x[0], x[4]
		s00 += float32(u * y[0])
		s10 += float32(w * y[0])
		s01 += float32(u * y[4])
		s11 += float32(w * y[4])
		s02 += float32(u * y[8])
		s12 += float32(w * y[8])
		s03 += float32(u * y[12])
		s13 += float32(w * y[12])
		u, w = x[1], x[5]
		s00 += float32(u * y[1])
		s10 += float32(w * y[1])
		s01 += float32(u * y[5])
		s11 += float32(w * y[5])
		s02 += float32(u * y[9])
		s12 += float32(w * y[9])
		s03 += float32(u * y[13])
		s13 += float32(w * y[13])
		u, w = x[2], x[6]
		s00 += float32(u * y[2])
		s10 += float32(w * y[2])
		s01 += float32(u * y[6])
		s11 += float32(w * y[6])
		s02 += float32(u * y[10])
		s12 += float32(w * y[10])
		s03 += float32(u * y[14])
		s13 += float32(w * y[14])
		u, w = x[3], x[7]
		s00 += float32(u * y[3])
		s10 += float32(w * y[3])
		s01 += float32(u * y[7])
		s11 += float32(w * y[7])
		s02 += float32(u * y[11])
		s12 += float32(w * y[11])
		s03 += float32(u * y[15])
		s13 += float32(w * y[15])
	}
	c0[0], c0[1], c0[2], c0[3] = s00, s01, s02, s03
	c1[0], c1[1], c1[2], c1[3] = s10, s11, s12, s13
}
