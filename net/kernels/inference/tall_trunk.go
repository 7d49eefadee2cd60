package inference

import (
	"slices"

	"synochess/net/kernels"
	"synochess/net/kernels/winograd"
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
	asm    *assembly
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

func newTallTrunk(a *assembly, width int, convs []Conv) Trunk {
	t := &tallTrunk{asm: a, width: width, panels: a.Panels(width / a.Lanes)}
	// All filters in one piece: what is fetched ahead of a layer's end is the next one's.
	size := tallPoints * width * width
	u := kernels.Aligned(len(convs) * size)
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
		asm: t.asm, width: t.width, panels: t.panels, layers: t.layers,
		mid:     kernels.Aligned(tallChunk * 64 * t.width),
		v:       kernels.Aligned(tallPoints * (tallChunk*tallTiles*t.width + tallPad/4)),
		m:       kernels.Aligned(tallPoints * (tallChunk*tallTiles*widest*t.asm.Lanes + tallPad/4)),
		scratch: kernels.Aligned(tallHigh * 8 * t.asm.Lanes),
	}
}

// transformFilter fills a layer's u.
func (t *tallTrunk) transformFilter(u []float32, c Conv) {
	var taps [9]float64
	var to [tallPoints]float64
	from := 0
	for _, p := range t.panels {
		cols := p * t.asm.Lanes
		panel := t.width * cols // of one point
		for in := range t.width {
			for o := range cols {
				for tap := range taps {
					taps[tap] = float64(c.Weight[(tap*t.width+in)*t.width+from+o])
				}
				winograd.Filter(winograd.TallDown, winograd.TallAlong, &taps, to[:])
				for point, v := range to {
					u[point*panel+in*cols+o] = float32(v)
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
			t.layer(&t.layers[i], t.mid, chunk, boards, t.asm.out)
			t.layer(&t.layers[i+1], chunk, t.mid, boards, t.asm.outSkip)
		}
	}
}

// layer computes dst = relu(conv(src) + bias), or what else finish makes of it, for [board][square][channel].
func (t *tallTrunk) layer(l *tallLayer, dst, src []float32, boards int, finish outFunc) {
	size, rows := 64*t.width, uintptr(boards*tallTiles)
	lda := uintptr(t.width) * 4
	step := rows*lda + tallPad
	for n := range boards {
		t.asm.in(&src[n*size], &t.v[n*tallTiles*t.width], &t.scratch[0], uintptr(t.width/t.asm.Lanes), lda, step)
	}
	u, from := l.u, 0
	for _, p := range t.panels {
		cols := p * t.asm.Lanes
		ldm := uintptr(cols) * 4
		t.asm.Products[p](&t.v[0], &u[0], &t.m[0], uintptr(t.width), tallPoints, rows, lda, tallPad, ldm, tallPad)
		for n := range boards {
			finish(&t.m[n*tallTiles*cols], &l.bias[from], &dst[n*size+from], &t.scratch[0], uintptr(p), ldm, rows*ldm+tallPad, lda)
		}
		u, from = u[tallPoints*t.width*cols:], from+cols
	}
}
