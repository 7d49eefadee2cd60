//go:build amd64 || arm64

package kernels

import "math/bits"

//go:generate go -C gen run .
//go:generate go -C gen run ./neon
//go:generate go -C gen run ./train

// simd is what the generated assembly of an instruction set offers. The declarations beside the
// assembly (avx2_amd64.go, ...) say what each function does.
type simd struct {
	lanes int // float32 values of a vector, a power of two
	// gemm holds the products by the vectors of columns they take side by side, nil where there is none.
	gemm    [5]gemmFunc
	in      func(src, dst, scratch *float32, blocks, lda, step uintptr)
	out     outFunc
	outSkip outFunc

	add       func(dst, src *float32, n uintptr)
	addScaled func(dst, src *float32, factor float32, n uintptr)
	relu      func(dst *float32, n uintptr)
	dot       func(x, y *float32, n uintptr) float32
}

type (
	gemmFunc = func(a, b, c *float32, depth, points, rows, lda, aSkip, ldc, cSkip uintptr)
	outFunc  = func(m, bias, dst, scratch *float32, blocks, ldm, step, pixel uintptr)
)

// set returns the Set that runs on s. Trunks whose width is not a multiple of 16 stay portable.
func (s *simd) set(name string) *Set {
	return &Set{
		Name: name, Gemm: s.multiply, Pack: s.pack, GemmPacked: s.multiplyPacked,
		NewTrunk: func(width int, convs []Conv) Trunk {
			if width == 0 || width%16 != 0 {
				return newWinogradTrunk(width, convs)
			}
			return newTallTrunk(s, width, convs)
		},
		Add: s.addSlices, AddScaled: s.addScaledSlices, ReLU: s.reluSlice, Dot: s.dotSlices,
	}
}

// take returns how many of the vectors of columns left the next product takes side by side; more than
// there are where no narrower product exists.
func (s *simd) take(vectors int) int {
	switch {
	case vectors == 1 && s.gemm[1] != nil:
		return 1
	case vectors > 2 && s.gemm[4] != nil:
		return 4
	case vectors%2 == 1 && s.gemm[3] != nil:
		return 3
	}
	return 2
}

// panels splits columns, counted in vectors, into the widths of products.
func (s *simd) panels(vectors int) []int {
	var list []int
	for vectors > 0 {
		list = append(list, s.take(vectors))
		vectors -= list[len(list)-1]
	}
	return list
}

// whole returns how many of n values lie in whole vectors, and the number of those.
func (s *simd) whole(n int) (values int, vectors uintptr) {
	v := n >> bits.TrailingZeros(uint(s.lanes)) // a division would take longer than a short vector
	return v * s.lanes, uintptr(v)
}

func (s *simd) addSlices(dst, src []float32) {
	dst = dst[:len(src)]
	n, vectors := s.whole(len(src))
	if vectors > 0 {
		s.add(&dst[0], &src[0], vectors)
	}
	if n < len(src) {
		Add(dst[n:], src[n:])
	}
}

func (s *simd) addScaledSlices(dst, src []float32, factor float32) {
	dst = dst[:len(src)]
	n, vectors := s.whole(len(src))
	if vectors > 0 {
		s.addScaled(&dst[0], &src[0], factor, vectors)
	}
	AddScaled(dst[n:], src[n:], factor)
}

func (s *simd) reluSlice(x []float32) {
	n, vectors := s.whole(len(x))
	if vectors > 0 {
		s.relu(&x[0], vectors)
	}
	ReLU(x[n:])
}

func (s *simd) dotSlices(a, b []float32) float32 {
	b = b[:len(a)]
	n, vectors := s.whole(len(a))
	sum := float32(0)
	if vectors > 0 {
		sum = s.dot(&a[0], &b[0], vectors)
	}
	if n < len(a) {
		sum += Dot(a[n:], b[n:])
	}
	return sum
}
