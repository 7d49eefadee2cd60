package training

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The slow truth in float64, written from the definitions, and the finite differences taken of it.

const testEpsilon = 1e-5

// f64 is a tensor's data in double precision.
type f64 []float64

func double(x []float32) f64 {
	d := make(f64, len(x))
	for i, v := range x {
		d[i] = float64(v)
	}
	return d
}

// randomData returns n numbers of a normal distribution.
func randomData(r *rand.Rand, n int, scale, mean float64) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64()*scale + mean)
	}
	return x
}

// randomBoards returns padded boards with a border of zeros.
func randomBoards(r *rand.Rand, batch, n int) []float32 {
	x := make([]float32, batch*boardArea*n)
	eachRow(0, batch, n, func(at int) {
		for i := range 8 * n {
			x[at+i] = float32(r.NormFloat64())
		}
	})
	return x
}

// referenceConvBN is ConvBN in training mode, or with the given statistics if mean is not nil.
func referenceConvBN(batch, in, out int, x, w, scale, bias, add, res, mean, variance f64) f64 {
	z := make(f64, batch*boardArea*out)
	y := make(f64, len(z))
	squares := func(f func(p, at int)) {
		for p := range batch {
			for r := 1; r <= 8; r++ {
				for c := 1; c <= 8; c++ {
					f(p, p*boardArea+10*r+c)
				}
			}
		}
	}
	sum, square := make(f64, out), make(f64, out)
	squares(func(p, at int) {
		for o := range out {
			var s float64
			for tap := range 9 {
				from := at + (tap/3-1)*10 + tap%3 - 1
				for i := range in {
					s += x[from*in+i] * w[(tap*in+i)*out+o]
				}
			}
			if add != nil {
				s += add[p*out+o]
			}
			z[at*out+o] = s
			sum[o] += s
		}
	})
	n := float64(64 * batch)
	if mean == nil {
		squares(func(_, at int) {
			for o := range out {
				d := z[at*out+o] - sum[o]/n
				square[o] += d * d
			}
		})
		mean, variance = sum, square
		for o := range out {
			mean[o] /= n
			variance[o] /= n
		}
	}
	squares(func(_, at int) {
		for o := range out {
			v := (z[at*out+o]-mean[o])/math.Sqrt(variance[o]+testEpsilon)*scale[o] + bias[o]
			if res != nil {
				v += res[at*out+o]
			}
			y[at*out+o] = max(v, 0)
		}
	})
	return y
}

// referenceLin is Lin.
func referenceLin(s LinShape, x, w, bias f64) f64 {
	var y f64
	row := func(at int) {
		for o := range s.Out {
			v := bias[o]
			for i := range s.In {
				v += x[at+i] * w[i*s.Out+o]
			}
			if s.ReLU {
				v = max(v, 0)
			}
			y = append(y, v)
		}
	}
	if !s.Board {
		for p := range s.Batch {
			row(p * s.In)
		}
		return y
	}
	eachRow(0, s.Batch, s.In, func(at int) {
		for q := range 8 {
			row(at + q*s.In)
		}
	})
	return y
}

// referenceCE is MaskedCE.
func referenceCE(batch, size int, x, t, weights f64) float64 {
	var loss float64
	for r := range batch {
		if weights[r] == 0 {
			continue
		}
		var sum float64
		for i := range size {
			if t[r*size+i] >= 0 {
				sum += math.Exp(x[r*size+i])
			}
		}
		for i := range size {
			if v := t[r*size+i]; v > 0 {
				loss -= weights[r] * v * (x[r*size+i] - math.Log(sum))
			}
		}
	}
	return loss / float64(batch)
}

// dot is the sum of products: as a loss it has gradient b to a.
func dot(a, b f64) (s float64) {
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

// checkClose fails if got differs from want by more than tolerance times the largest |want|.
func checkClose(t *testing.T, name string, got []float32, want f64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", name, len(got), len(want))
	}
	var size float64
	for _, v := range want {
		size = max(size, math.Abs(v))
	}
	for i, v := range want {
		if !(math.Abs(float64(got[i])-v) <= tolerance*size) {
			t.Fatalf("%s[%d] = %g, want %g (largest %g)", name, i, got[i], v, size)
		}
	}
}

// checkGradient compares some elements of grad with central differences of loss, which reads x.
func checkGradient(t *testing.T, r *rand.Rand, name string, grad []float32, x f64, loss func() float64) {
	t.Helper()
	const step = 1e-6
	var size float64
	for _, v := range grad {
		size = max(size, math.Abs(float64(v)))
	}
	if size == 0 {
		t.Fatalf("%s: the gradient is all zeros", name)
	}
	for range 25 {
		i := r.IntN(len(x))
		keep := x[i]
		x[i] = keep + step
		up := loss()
		x[i] = keep - step
		down := loss()
		x[i] = keep
		if want := (up - down) / (2 * step); !(math.Abs(float64(grad[i])-want) <= 1e-4*size) {
			t.Errorf("%s[%d] = %g, finite difference %g (largest %g)", name, i, grad[i], want, size)
		}
	}
}

// checkBoards is checkGradient for padded boards: the border's gradient must be 0, and differences
// are taken inside.
func checkBoards(t *testing.T, r *rand.Rand, name string, grad []float32, x f64, n int, loss func() float64) {
	t.Helper()
	inside := make([]float32, len(grad))
	eachRow(0, len(grad)/n/boardArea, n, func(at int) { copy(inside[at:at+8*n], grad[at:at+8*n]) })
	if !slices.Equal(inside, grad) {
		t.Errorf("%s is not 0 on the border", name)
	}
	at := make([]int, 0, len(x))
	eachRow(0, len(grad)/n/boardArea, n, func(from int) {
		for i := range 8 * n {
			at = append(at, from+i)
		}
	})
	some, y := make([]float32, 0, 25), make(f64, 25)
	var picks []int
	for i := range y {
		p := at[r.IntN(len(at))]
		picks, some, y[i] = append(picks, p), append(some, grad[p]), x[p]
	}
	checkGradient(t, r, name, some, y, func() float64 {
		keep := make(f64, len(picks))
		for i, p := range picks {
			keep[i] = x[p]
		}
		for i, p := range picks {
			if y[i] != keep[i] {
				x[p] = y[i]
			}
		}
		v := loss()
		for i, p := range picks {
			x[p] = keep[i]
		}
		return v
	})
}
