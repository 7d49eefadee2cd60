// Package portable holds Exp and Log that give the same bits on every processor, because games and
// evaluations depend on them. math.Exp and math.Log have assembly on some machines and not on others, and a
// compiler may fuse x*y+z into one rounding. So every product here is rounded by an explicit conversion
// before it is added.
package portable

import "math"

// ln2Hi and ln2Lo are the natural logarithm of 2 in two parts: ln2Hi has 20 trailing zero bits, so k*ln2Hi is exact for
// the exponents that occur.
const (
	ln2Hi  = 6.93147180369123816490e-01
	ln2Lo  = 1.90821492927058770002e-10
	log2E  = 1.44269504088896338700e+00
	expMax = 709.782712893384   // the largest x whose Exp is finite
	expMin = -745.1332191019411 // the smallest x whose Exp is above 0
)

// Exp returns e to the power x, for normal results within 2 units in the last place. Exp(NaN) is NaN, Exp(+Inf) is +Inf,
// Exp(-Inf) is 0.
func Exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > expMax:
		return math.Inf(1)
	case x < expMin:
		return 0
	}
	k := math.Floor(float64(x*log2E) + 0.5)
	r := x - float64(k*ln2Hi)
	r -= float64(k * ln2Lo)
	// |r| <= 0.347: the Taylor series to r^13 leaves 4e-18.
	p := 1.0 / 6227020800
	p = float64(p*r) + 1.0/479001600
	p = float64(p*r) + 1.0/39916800
	p = float64(p*r) + 1.0/3628800
	p = float64(p*r) + 1.0/362880
	p = float64(p*r) + 1.0/40320
	p = float64(p*r) + 1.0/5040
	p = float64(p*r) + 1.0/720
	p = float64(p*r) + 1.0/120
	p = float64(p*r) + 1.0/24
	p = float64(p*r) + 1.0/6
	p = float64(p*r) + 1.0/2
	p = float64(p*r) + 1
	p = float64(p*r) + 1
	if k > -1000 && k < 1000 { // the power of two and the result are normal numbers: the product is exact
		return p * math.Float64frombits(uint64(int64(k)+1023)<<52)
	}
	return math.Ldexp(p, int(k))
}

// Log returns the natural logarithm of x within 2 units in the last place. Log(0) is -Inf, Log of a negative number is NaN.
func Log(x float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case math.IsInf(x, 1):
		return x
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	// ln m = 2 artanh s with s = (m-1)/(m+1), |s| <= 0.172.
	f := m - 1
	s := f / (2 + f)
	z := float64(s * s)
	p := 1.0 / 23
	p = float64(p*z) + 1.0/21
	p = float64(p*z) + 1.0/19
	p = float64(p*z) + 1.0/17
	p = float64(p*z) + 1.0/15
	p = float64(p*z) + 1.0/13
	p = float64(p*z) + 1.0/11
	p = float64(p*z) + 1.0/9
	p = float64(p*z) + 1.0/7
	p = float64(p*z) + 1.0/5
	p = float64(p*z) + 1.0/3
	// f - s*(f - 2z*p) keeps the digits of f where ln m is small.
	k := float64(e)
	tail := float64(k*ln2Lo) - float64(s*(f-float64(2*float64(z*p))))
	return float64(k*ln2Hi) + (f + tail)
}
