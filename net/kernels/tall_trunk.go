//go:build amd64 || arm64

package kernels

import (
	"slices"
	"unsafe"
)

const (
	// tallChunk is how many boards go through the whole trunk together: enough to read the filters seldom,
	// and few enough that a layer's data stays in the second-level cache.
	tallChunk = 8
	// tallPad is what is added to the distance between matrices, in bytes: powers of two would meet in
	// the same few sets of the cache.
	tallPad = 64
)

// tallTrunk is the Trunk on vectors, for widths that are multiples of 16. Every value is computed by the
// same operations in the same order however many boards there are.
type tallTrunk struct {
	simd   *simd
	width  int
	panels []int // widths of the products, in vectors
	layers []tallLayer

	mid     []float32 // [board][square][channel], activations inside a residual block
	v       []float32 // [point][board][tile][channel], transformed inputs; matrices tallPad apart
	m       []float32 // [point][board][tile][channel of the panel], products; matrices tallPad apart
	scratch []float32 // of the transforms
}

// tallLayer is a convolution's transformed filter and its bias.
type tallLayer struct {
	u    []float32 // [panel][point][in][out of the panel]
	bias []float32 // [out]
}

func newTallTrunk(s *simd, width int, convs []Conv) Trunk {
	t := &tallTrunk{simd: s, width: width, panels: s.panels(width / s.lanes)}
	// All filters in one piece: what is fetched ahead of a layer's end is the next one's.
	size := tallPoints * width * width
	u := aligned(len(convs) * size)
	for i, c := range convs {
		l := tallLayer{u: u[i*size : (i+1)*size], bias: c.Bias}
		t.transformFilter(l.u, c)
		t.layers = append(t.layers, l)
	}
	return t.Twin()
}

// Twin is part of Trunk.
func (t *tallTrunk) Twin() Trunk {
	widest := slices.Max(t.panels)
	return &tallTrunk{
		simd: t.simd, width: t.width, panels: t.panels, layers: t.layers,
		mid:     aligned(tallChunk * 64 * t.width),
		v:       aligned(tallPoints * (tallChunk*tallTiles*t.width + tallPad/4)),
		m:       aligned(tallPoints * (tallChunk*tallTiles*widest*t.simd.lanes + tallPad/4)),
		scratch: aligned(tallHigh * 8 * t.simd.lanes),
	}
}

// transformFilter fills a layer's u.
func (t *tallTrunk) transformFilter(u []float32, c Conv) {
	var taps [9]float64
	var to [tallPoints]float32
	from := 0
	for _, p := range t.panels {
		cols := p * t.simd.lanes
		panel := t.width * cols // of one point
		for in := range t.width {
			for o := range cols {
				for tap := range taps {
					taps[tap] = float64(c.Weight[(tap*t.width+in)*t.width+from+o])
				}
				tallFilter(&to, &taps)
				for point, v := range to {
					u[point*panel+in*cols+o] = v
				}
			}
		}
		u, from = u[tallPoints*panel:], from+cols
	}
}

// Chunk is part of Trunk.
func (t *tallTrunk) Chunk() int { return tallChunk }

// Run is part of Trunk.
func (t *tallTrunk) Run(x []float32, rows int) {
	size := 64 * t.width
	for at := 0; at < rows; at += tallChunk {
		boards := min(tallChunk, rows-at)
		chunk := x[at*size:][:boards*size]
		for i := 0; i+1 < len(t.layers); i += 2 {
			t.layer(&t.layers[i], t.mid, chunk, boards, t.simd.out)
			t.layer(&t.layers[i+1], chunk, t.mid, boards, t.simd.outSkip)
		}
	}
}

// layer computes dst = relu(conv(src) + bias), or what else finish makes of it, for [board][square][channel].
func (t *tallTrunk) layer(l *tallLayer, dst, src []float32, boards int, finish outFunc) {
	size, rows := 64*t.width, uintptr(boards*tallTiles)
	lda := uintptr(t.width) * 4
	step := rows*lda + tallPad
	for n := range boards {
		t.simd.in(&src[n*size], &t.v[n*tallTiles*t.width], &t.scratch[0], uintptr(t.width/t.simd.lanes), lda, step)
	}
	u, from := l.u, 0
	for _, p := range t.panels {
		cols := p * t.simd.lanes
		ldm := uintptr(cols) * 4
		t.simd.gemm[p](&t.v[0], &u[0], &t.m[0], uintptr(t.width), tallPoints, rows, lda, tallPad, ldm, tallPad)
		for n := range boards {
			finish(&t.m[n*tallTiles*cols], &l.bias[from], &dst[n*size+from], &t.scratch[0], uintptr(p), ldm, rows*ldm+tallPad, lda)
		}
		u, from = u[tallPoints*t.width*cols:], from+cols
	}
}

// aligned returns n zeros that begin on a cache line.
func aligned(n int) []float32 {
	const line = 16
	s := make([]float32, n+line)
	skip := 0
	for uintptr(unsafe.Pointer(&s[skip]))%(4*line) != 0 {
		skip++
	}
	return s[skip : skip+n : skip+n]
}
