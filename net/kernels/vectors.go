package kernels

import (
	"math/bits"
	"unsafe"
)

//go:generate go -C gen run .

// Vectors is the assembly of an instruction set that all programs share. The declarations beside the assembly
// (avx2_amd64.go, ...) say what each function does.
type Vectors struct {
	Lanes int // float32 values of a vector, a power of two
	// Products holds the products by the vectors of columns they take side by side, nil where there is none.
	Products [5]ProductsFunc

	add       func(dst, src *float32, n uintptr)
	addScaled func(dst, src *float32, factor float32, n uintptr)
	relu      func(dst *float32, n uintptr)
	dot       func(x, y *float32, n uintptr) float32
}

// ProductsFunc computes C[rows][columns] = A[rows][depth]*B[depth][columns] for each of a number of points, with
// strides in bytes: see the declarations beside the assembly.
type ProductsFunc = func(a, b, c *float32, depth, points, rows, lda, aSkip, ldc, cSkip uintptr)

// take returns how many of the vectors of columns left the next product takes side by side; more than
// there are where no narrower product exists.
func (v *Vectors) take(vectors int) int {
	switch {
	case vectors == 1 && v.Products[1] != nil:
		return 1
	case vectors > 2 && v.Products[4] != nil:
		return 4
	case vectors%2 == 1 && v.Products[3] != nil:
		return 3
	}
	return 2
}

// Panels splits columns, counted in vectors, into the widths of products.
func (v *Vectors) Panels(vectors int) []int {
	var list []int
	for vectors > 0 {
		list = append(list, v.take(vectors))
		vectors -= list[len(list)-1]
	}
	return list
}

// whole returns how many of n values lie in whole vectors, and the number of those.
func (v *Vectors) whole(n int) (values int, vectors uintptr) {
	w := n >> bits.TrailingZeros(uint(v.Lanes)) // a division would take longer than a short vector
	return w * v.Lanes, uintptr(w)
}

// Add does what the function Add does.
func (p *Path) Add(dst, src []float32) {
	n := 0
	if v := p.Vectors; v != nil {
		dst = dst[:len(src)]
		values, vectors := v.whole(len(src))
		if vectors > 0 {
			v.add(&dst[0], &src[0], vectors)
		}
		n = values
	}
	if n < len(src) {
		Add(dst[n:], src[n:])
	}
}

// AddScaled does what the function AddScaled does.
func (p *Path) AddScaled(dst, src []float32, factor float32) {
	n := 0
	if v := p.Vectors; v != nil {
		dst = dst[:len(src)]
		values, vectors := v.whole(len(src))
		if vectors > 0 {
			v.addScaled(&dst[0], &src[0], factor, vectors)
		}
		n = values
	}
	AddScaled(dst[n:], src[n:], factor)
}

// ReLU does what the function ReLU does.
func (p *Path) ReLU(x []float32) {
	n := 0
	if v := p.Vectors; v != nil {
		values, vectors := v.whole(len(x))
		if vectors > 0 {
			v.relu(&x[0], vectors)
		}
		n = values
	}
	ReLU(x[n:])
}

// Dot does what the function Dot does, but for the order of the sum.
func (p *Path) Dot(a, b []float32) float32 {
	v := p.Vectors
	if v == nil {
		return Dot(a, b)
	}
	b = b[:len(a)]
	n, vectors := v.whole(len(a))
	sum := float32(0)
	if vectors > 0 {
		sum = v.dot(&a[0], &b[0], vectors)
	}
	if n < len(a) {
		sum += Dot(a[n:], b[n:])
	}
	return sum
}

// Aligned returns n zeros that begin on a cache line.
func Aligned(n int) []float32 {
	const line = 16
	s := make([]float32, n+line)
	skip := 0
	for uintptr(unsafe.Pointer(&s[skip]))%(4*line) != 0 {
		skip++
	}
	return s[skip : skip+n : skip+n]
}
