package training

import "math"

// The passes of a layer over the channels of one square, in plain Go.

// accumulate adds a to z, if there is one, and z and its square to the sums.
func accumulate(z, a []float32, sum, square []float64) {
	if a != nil {
		a = a[:len(z)]
		for c := range z {
			z[c] += a[c]
		}
	}
	sum, square = sum[:len(z)], square[:len(z)]
	for c, v := range z {
		w := float64(v)
		sum[c] += w
		square[c] += float64(w * w)
	}
}

// activate sets y to the batch norm of z, negative numbers replaced by 0. NaN stays NaN.
func activate(z, scale, shift, y []float32) {
	scale, shift, y = scale[:len(z)], shift[:len(z)], y[:len(z)]
	for c, v := range z {
		y[c] = max(float32(v*scale[c])+shift[c], 0)
	}
}

// activateRes is activate with a residual added before the ReLU.
func activateRes(z, scale, shift, res, y []float32) {
	scale, shift, res, y = scale[:len(z)], shift[:len(z)], res[:len(z)], y[:len(z)]
	for c, v := range z {
		y[c] = max(float32(v*scale[c])+shift[c]+res[c], 0)
	}
}

// maskGrad sets g to dy where the ReLU of activate let pass, and adds g and g*(z-mean) to the sums.
func maskGrad(dy, z, scale, shift, mean, g []float32, sum, product []float64) {
	z, scale, shift, mean, g = z[:len(dy)], scale[:len(dy)], shift[:len(dy)], mean[:len(dy)], g[:len(dy)]
	sum, product = sum[:len(dy)], product[:len(dy)]
	for c, v := range dy {
		v = where(max(float32(z[c]*scale[c])+shift[c], 0), v)
		g[c] = v
		sum[c] += float64(v)
		product[c] += float64(float64(v) * float64(z[c]-mean[c]))
	}
}

// maskGradRes is maskGrad of activateRes, given its y.
func maskGradRes(dy, y, z, mean, g []float32, sum, product []float64) {
	y, z, mean, g = y[:len(dy)], z[:len(dy)], mean[:len(dy)], g[:len(dy)]
	sum, product = sum[:len(dy)], product[:len(dy)]
	for c, v := range dy {
		v = where(y[c], v)
		g[c] = v
		sum[c] += float64(v)
		product[c] += float64(float64(v) * float64(z[c]-mean[c]))
	}
}

// where returns v if y, which is 0 or above, is not 0. It does so without a branch, which would be taken at random: the
// bits of y are all 0 or a positive number.
func where(y, v float32) float32 {
	open := uint32(-int32(math.Float32bits(y)) >> 31)
	return math.Float32frombits(math.Float32bits(v) & open)
}

// combine sets dz to gain*g + slope*z + offset and adds it to sum.
func combine(g, z, gain, slope, offset, dz, sum []float32) {
	z, gain, slope, offset = z[:len(g)], gain[:len(g)], slope[:len(g)], offset[:len(g)]
	dz, sum = dz[:len(g)], sum[:len(g)]
	for c, v := range g {
		d := float32(gain[c]*v) + float32(slope[c]*z[c]) + offset[c]
		dz[c] = d
		sum[c] += d
	}
}
