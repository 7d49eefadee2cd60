package kernels

import (
	"slices"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// int16SIMD is what the generated assembly of an instruction set offers for quantised trunks. The
// declarations in avx512vnni_amd64.go and avx2int16_amd64.go say what each function does.
type int16SIMD struct {
	lanes    int              // float32 values of a vector
	gemm     [4]int16GemmFunc // by the vectors of columns they take side by side
	quantise func(src, factor *float32, dst *uint16, squares, blocks uintptr)
	in       int16InFunc
	out      int16OutFunc
	outSkip  int16OutFunc
	outLast  func(m, finish *float32, skip *uint16, dst *float32, blocks, ldm, step, pixel uintptr)
}

type (
	int16GemmFunc = func(a, b *int16, c, scale *float32, depth, points, rows, lda, aSkip, ldc, cSkip uintptr)
	int16InFunc   = func(src *uint16, dst *int16, scratch *float32, blocks, lda, step uintptr)
	int16OutFunc  = func(m, finish *float32, dst *uint16, blocks, ldm, step, pixel uintptr)
)

var (
	avx512Int16 = int16SIMD{
		lanes:    16,
		gemm:     [4]int16GemmFunc{1: gemm1AVX512VNNI, 2: gemm2AVX512VNNI, 3: gemm3AVX512VNNI},
		quantise: quantiseAVX512VNNI,
		in:       winoInAVX512VNNI,
		out:      winoOutAVX512VNNI, outSkip: winoOutSkipAVX512VNNI, outLast: winoOutLastAVX512VNNI,
	}
	avx2Int16 = int16SIMD{
		lanes:    8,
		gemm:     [4]int16GemmFunc{2: gemm2AVX2INT16},
		quantise: quantiseAVX2INT16,
		in:       winoInAVX2INT16,
		out:      winoOutAVX2INT16, outSkip: winoOutSkipAVX2INT16, outLast: winoOutLastAVX2INT16,
	}
	avx512Int16Set = Int16Set{"avx512vnni-i16", avx512Set, avx512Int16.newTrunk}
	avx2Int16Set   = Int16Set{"avx2-i16", avx2Set, avx2Int16.newTrunk}
)

// int16Candidates lists the quantised paths of this program, fastest first.
func int16Candidates() []int16Candidate {
	x := &cpu.X86
	avx2 := x.HasAVX2 && x.HasFMA
	avx512 := x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512BW && x.HasAVX512VL
	return []int16Candidate{
		{&avx512Int16Set, avx2 && avx512 && x.HasAVX512VNNI, "AVX-512 F, DQ, BW, VL and VNNI"},
		{&avx2Int16Set, avx2, "AVX2 and FMA"},
		{&portableInt16, true, ""},
	}
}

const (
	// int16Chunk is how many boards go through the whole trunk together.
	int16Chunk = 8
	// int16Pad is what is added to the distance between matrices, in bytes; see tallPad.
	int16Pad = 64
)

// int16VectorTrunk is the quantised trunk on vectors.
type int16VectorTrunk struct {
	simd   *int16SIMD
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

func (s *int16SIMD) newTrunk(q *Int16Trunk) Trunk {
	w := q.Width
	t := &int16VectorTrunk{simd: s, width: w, enter: q.Enter}
	for left := w / s.lanes; left > 0; left -= t.panels[len(t.panels)-1] {
		n := 2
		if s.gemm[left&3] != nil && left&1 == 1 {
			n = left & 3
		}
		t.panels = append(t.panels, n)
	}
	// All filters in one piece: what is fetched ahead of a layer's end is the next one's.
	size := int16Points * w * w
	u := alignedAs[int16](len(q.Convs) * size)
	for i := range q.Convs {
		t.layers = append(t.layers, s.layer(&q.Convs[i], t.panels, w, u[i*size:(i+1)*size]))
	}
	return t.Twin()
}

// Twin is part of Trunk.
func (t *int16VectorTrunk) Twin() Trunk {
	widest := slices.Max(t.panels)
	return &int16VectorTrunk{
		simd: t.simd, width: t.width, panels: t.panels, enter: t.enter, layers: t.layers,
		act: alignedAs[uint16](int16Chunk * 64 * t.width), mid: alignedAs[uint16](int16Chunk * 64 * t.width),
		v:       alignedAs[int16](int16Points * (int16Chunk*int16Tiles*t.width + int16Pad/2)),
		m:       aligned(int16Points * (int16Chunk*int16Tiles*widest*t.simd.lanes + int16Pad/4)),
		scratch: aligned(96 * t.simd.lanes),
	}
}

// layer brings a convolution into order; u is where its weights go.
func (s *int16SIMD) layer(c *Int16Conv, panels []int, width int, u []int16) int16Layer {
	l := int16Layer{u: u, scale: aligned(int16Points * width), finish: aligned(2 * width)}
	for o, b := range c.Bias {
		at := o/s.lanes*2*s.lanes + o%s.lanes
		l.finish[at] = b
		if c.Skip != nil {
			l.finish[at+s.lanes] = c.Skip[o]
		}
	}
	from, scale := 0, l.scale
	for _, p := range panels {
		cols := p * s.lanes
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
func (t *int16VectorTrunk) Chunk() int { return int16Chunk }

// Run is part of Trunk.
func (t *int16VectorTrunk) Run(x []float32, rows int) {
	size := 64 * t.width
	for at := 0; at < rows && len(t.layers) > 0; at += int16Chunk {
		t.run(x[at*size:], min(int16Chunk, rows-at))
	}
}

func (t *int16VectorTrunk) run(x []float32, boards int) {
	s := t.simd
	s.quantise(&x[0], &t.enter[0], &t.act[0], uintptr(boards*64), uintptr(t.width/s.lanes))
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
				s.out(m, finish, &t.mid[at], blocks, ldm, step, pixel)
			case i+1 < len(t.layers):
				s.outSkip(m, finish, &t.act[at], blocks, ldm, step, pixel)
			default:
				s.outLast(m, finish, &t.act[at], &x[at], blocks, ldm, step, pixel)
			}
		})
	}
}

// layer computes a convolution's products and gives them to finish, a board and a panel at a time.
func (t *int16VectorTrunk) layer(l *int16Layer, src []uint16, boards int,
	finish func(m, finish *float32, board, from int, blocks, ldm, step uintptr)) {
	w, rows := t.width, uintptr(boards*int16Tiles)
	lda := uintptr(2 * w)
	for n := range boards {
		t.in(src[n*64*w:], t.v[n*int16Tiles*w:], lda, rows*lda+int16Pad)
	}
	u, scale, from := l.u, l.scale, 0
	for _, p := range t.panels {
		cols := p * t.simd.lanes
		ldm := uintptr(4 * cols)
		t.simd.gemm[p](&t.v[0], &u[0], &t.m[0], &scale[0], uintptr(w/2), int16Points, rows, lda, int16Pad, ldm, int16Pad)
		for n := range boards {
			finish(&t.m[n*int16Tiles*cols], &l.finish[2*from], n, from, uintptr(p), ldm, rows*ldm+int16Pad)
		}
		u, scale, from = u[int16Points*w*cols:], scale[int16Points*cols:], from+cols
	}
}

// in transforms a board. Where the channels are not a multiple of a vector's, the last 16 take a smaller one.
func (t *int16VectorTrunk) in(src []uint16, dst []int16, lda, step uintptr) {
	blocks := t.width / (2 * t.simd.lanes)
	if blocks > 0 {
		t.simd.in(&src[0], &dst[0], &t.scratch[0], uintptr(blocks), lda, step)
	}
	if done := blocks * 2 * t.simd.lanes; done < t.width {
		winoInAVX2INT16(&src[done], &dst[done], &t.scratch[0], 1, lda, step)
	}
}

// alignedAs is aligned for 16-bit integers.
func alignedAs[T int16 | uint16](n int) []T {
	f := aligned((n + 1) / 2)
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(f))), n)
}
