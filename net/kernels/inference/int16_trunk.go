package inference

import (
	"slices"
	"unsafe"

	"synochess/net/kernels"
)

// int16Assembly is what the generated assembly of an instruction set offers for quantised trunks. The
// declarations in avx512vnni_amd64.go and avx2int16_amd64.go say what each function does.
type int16Assembly struct {
	lanes    int                  // float32 values of a vector
	products [4]int16ProductsFunc // by the vectors of columns they take side by side
	quantise func(src, factor *float32, dst *uint16, squares, blocks uintptr)
	in       int16InFunc
	inNarrow int16InFunc // of 16 channels
	out      int16OutFunc
	outSkip  int16OutFunc
	outLast  func(m, finish *float32, skip *uint16, dst *float32, blocks, ldm, step, pixel uintptr)
}

type (
	int16ProductsFunc = func(a, b *int16, c, scale *float32, depth, points, rows, lda, aSkip, ldc, cSkip uintptr)
	int16InFunc       = func(src *uint16, dst *int16, scratch *float32, blocks, lda, step uintptr)
	int16OutFunc      = func(m, finish *float32, dst *uint16, blocks, ldm, step, pixel uintptr)
)

const (
	// int16Chunk is how many boards go through the whole trunk together.
	int16Chunk = 8
	// int16Pad is what is added to the distance between matrices, in bytes; see tallPad.
	int16Pad = 64
)

// int16Trunk is the quantised trunk on vectors.
type int16Trunk struct {
	asm    *int16Assembly
	width  int
	panels []int // widths of the products, in vectors
	enter  []float32
	layers []int16Layer

	act, mid []uint16  // [board][square][channel], activations between and inside the blocks
	v        []int16   // [point][board][tile][channel], transformed inputs; matrices int16Pad apart
	m        []float32 // [point][board][tile][channel of the panel], products; matrices int16Pad apart
	scratch  []float32 // of the transform in
}

// int16Layer is a convolution in the order in which it is read.
type int16Layer struct {
	u      []int16   // [panel][point][in/2][out of the panel][2]
	scale  []float32 // [panel][point][out of the panel]
	finish []float32 // [vector of outputs][bias, factor of the skip connection]
}

func newInt16Trunk(a *int16Assembly, q *Quantised) Trunk {
	w := q.Width
	t := &int16Trunk{asm: a, width: w, enter: q.Enter}
	// An odd number of vectors begins with one or three, so that pairs are left.
	for left := w / a.lanes; left > 0; left -= t.panels[len(t.panels)-1] {
		n := 2
		if a.products[left&3] != nil && left&1 == 1 {
			n = left & 3
		}
		t.panels = append(t.panels, n)
	}
	// All filters in one piece: what is fetched ahead of a layer's end is the next one's.
	size := int16Points * w * w
	u := alignedAs[int16](len(q.Convs) * size)
	for i := range q.Convs {
		t.layers = append(t.layers, a.layer(&q.Convs[i], t.panels, w, u[i*size:(i+1)*size]))
	}
	return t.Twin()
}

// Twin is part of Trunk.
func (t *int16Trunk) Twin() Trunk {
	widest := slices.Max(t.panels)
	return &int16Trunk{
		asm: t.asm, width: t.width, panels: t.panels, enter: t.enter, layers: t.layers,
		act: alignedAs[uint16](int16Chunk * 64 * t.width), mid: alignedAs[uint16](int16Chunk * 64 * t.width),
		v:       alignedAs[int16](int16Points * (int16Chunk*int16Tiles*t.width + int16Pad/2)),
		m:       kernels.Aligned(int16Points * (int16Chunk*int16Tiles*widest*t.asm.lanes + int16Pad/4)),
		scratch: kernels.Aligned(96 * t.asm.lanes),
	}
}

// layer brings a convolution into order; u is where its weights go.
func (a *int16Assembly) layer(c *QuantisedConv, panels []int, width int, u []int16) int16Layer {
	l := int16Layer{u: u, scale: kernels.Aligned(int16Points * width), finish: kernels.Aligned(2 * width)}
	for o, b := range c.Bias {
		at := o/a.lanes*2*a.lanes + o%a.lanes
		l.finish[at] = b
		if c.Skip != nil {
			l.finish[at+a.lanes] = c.Skip[o]
		}
	}
	from, scale := 0, l.scale
	for _, p := range panels {
		cols := p * a.lanes
		for point := range int16Points {
			copy(scale[:cols], c.Scale[point*width+from:])
			for in := range width {
				row := c.U[(point*width+in)*width+from:]
				for o := range cols {
					u[(in/2*cols+o)*2+in%2] = row[o]
				}
			}
			u, scale = u[width*cols:], scale[cols:]
		}
		from += cols
	}
	return l
}

// Chunk is part of Trunk.
func (t *int16Trunk) Chunk() int { return int16Chunk }

// Run is part of Trunk.
func (t *int16Trunk) Run(x []float32, rows int) {
	size := 64 * t.width
	for at := 0; at < rows && len(t.layers) > 0; at += int16Chunk {
		t.run(x[at*size:], min(int16Chunk, rows-at))
	}
}

func (t *int16Trunk) run(x []float32, boards int) {
	t.asm.quantise(&x[0], &t.enter[0], &t.act[0], uintptr(boards*64), uintptr(t.width/t.asm.lanes))
	pixel := uintptr(2 * t.width) // bytes of a square's activations
	for i := range t.layers {
		src := t.act
		if i%2 == 1 {
			src = t.mid
		}
		t.layer(&t.layers[i], src, boards, func(m, finish *float32, board, from int, blocks, ldm, step uintptr) {
			at := board*64*t.width + from
			switch {
			case i%2 == 0:
				t.asm.out(m, finish, &t.mid[at], blocks, ldm, step, pixel)
			case i+1 < len(t.layers):
				t.asm.outSkip(m, finish, &t.act[at], blocks, ldm, step, pixel)
			default:
				t.asm.outLast(m, finish, &t.act[at], &x[at], blocks, ldm, step, pixel)
			}
		})
	}
}

// layer computes a convolution's products and gives them to finish, a board and a panel at a time.
func (t *int16Trunk) layer(l *int16Layer, src []uint16, boards int,
	finish func(m, finish *float32, board, from int, blocks, ldm, step uintptr)) {
	w, rows := t.width, uintptr(boards*int16Tiles)
	lda := uintptr(2 * w)
	for n := range boards {
		t.in(src[n*64*w:], t.v[n*int16Tiles*w:], lda, rows*lda+int16Pad)
	}
	u, scale, from := l.u, l.scale, 0
	for _, p := range t.panels {
		cols := p * t.asm.lanes
		ldm := uintptr(4 * cols)
		t.asm.products[p](&t.v[0], &u[0], &t.m[0], &scale[0], uintptr(w/2), int16Points, rows, lda, int16Pad, ldm, int16Pad)
		for n := range boards {
			finish(&t.m[n*int16Tiles*cols], &l.finish[2*from], n, from, uintptr(p), ldm, rows*ldm+int16Pad)
		}
		u, scale, from = u[int16Points*w*cols:], scale[int16Points*cols:], from+cols
	}
}

// in transforms a board. Where the channels are not a multiple of a vector's, the last 16 take a smaller one.
func (t *int16Trunk) in(src []uint16, dst []int16, lda, step uintptr) {
	blocks := t.width / (2 * t.asm.lanes)
	if blocks > 0 {
		t.asm.in(&src[0], &dst[0], &t.scratch[0], uintptr(blocks), lda, step)
	}
	if done := blocks * 2 * t.asm.lanes; done < t.width {
		t.asm.inNarrow(&src[done], &dst[done], &t.scratch[0], 1, lda, step)
	}
}

// alignedAs is aligned for 16-bit integers.
func alignedAs[T int16 | uint16](n int) []T {
	f := kernels.Aligned((n + 1) / 2)
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(f))), n)
}
