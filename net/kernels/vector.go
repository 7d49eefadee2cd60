package kernels

// Add adds src to dst, which is at least as long.
func Add(dst, src []float32) {
	for len(src) >= 8 && len(dst) >= 8 {
		d, s := (*[8]float32)(dst), (*[8]float32)(src)
		d[0] += s[0]
		d[1] += s[1]
		d[2] += s[2]
		d[3] += s[3]
		d[4] += s[4]
		d[5] += s[5]
		d[6] += s[6]
		d[7] += s[7]
		dst, src = dst[8:], src[8:]
	}
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] += v
	}
}

// AddScaled adds factor*src to dst, which is at least as long.
func AddScaled(dst, src []float32, factor float32) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] += float32(factor * v)
	}
}

// ReLU replaces what is below zero by zero; what is not a number stays so.
func ReLU(x []float32) {
	for i, v := range x {
		x[i] = max(v, 0)
	}
}

// AddBiasReLU adds bias to each row of x, whose rows are as long as bias, and applies ReLU.
func AddBiasReLU(x, bias []float32) {
	for ; len(x) >= len(bias) && len(bias) > 0; x = x[len(bias):] {
		row := x[:len(bias)]
		for i, b := range bias {
			row[i] = max(row[i]+b, 0)
		}
	}
}

// Dot returns the sum of a[i]*b[i]; b is at least as long as a. Four partial sums, each over every
// fourth element, are added in pairs at the end.
func Dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	for len(a) >= 4 && len(b) >= 4 {
		x, y := (*[4]float32)(a), (*[4]float32)(b)
		s0 += float32(x[0] * y[0])
		s1 += float32(x[1] * y[1])
		s2 += float32(x[2] * y[2])
		s3 += float32(x[3] * y[3])
		a, b = a[4:], b[4:]
	}
	b = b[:len(a)]
	for i, v := range a {
		s0 += float32(v * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}
