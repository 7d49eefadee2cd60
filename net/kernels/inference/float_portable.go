package inference

// The register tile of the products, as that of kernels.Gemm: two output channels for the four tiles of a board.
const (
	tileN = 2 // output channels
	tileK = 8 // input channels per loop turn
)

// winoChunk is how many boards go through a layer together, so that a layer's weights are read once
// for all of them. The activations of a chunk stay in the second-level cache.
const winoChunk = 4

// portableTrunk is the portable Trunk. Channels are padded with zeros to a multiple of tileK. Each board
// is computed by itself; the chunk only orders the work.
type portableTrunk struct {
	width, padded int
	layers        []portableLayer

	v    []float32 // [board][channel][point][tile], transformed inputs of the current layer; a channel more
	m    []float32 // [board][channel][point][tile], products: transformed outputs
	skip []float32 // [board][channel][square], input of the current block
}

// portableLayer is a convolution's transformed filter and its bias.
type portableLayer struct {
	u    []float32 // [group of 4 points][out/tileN][point of the group][in][tileN]; and one more
	bias []float32 // [out]
}

// newPortableTrunk prepares the portable Trunk.
func newPortableTrunk(width int, convs []Conv) Trunk {
	t := &portableTrunk{width: width, padded: (width + tileK - 1) / tileK * tileK}
	for _, c := range convs {
		t.layers = append(t.layers, newPortableLayer(width, t.padded, c))
	}
	return t.Twin()
}

// Twin is part of Trunk.
func (t *portableTrunk) Twin() Trunk {
	return &portableTrunk{
		width: t.width, padded: t.padded, layers: t.layers,
		v:    make([]float32, (winoChunk*t.padded+1)*winoBoard),
		m:    make([]float32, winoChunk*t.padded*winoBoard),
		skip: make([]float32, winoChunk*t.padded*64),
	}
}

func newPortableLayer(width, padded int, c Conv) portableLayer {
	l := portableLayer{make([]float32, 0, winoPoints*padded*padded+1), make([]float32, padded)}
	copy(l.bias, c.Bias)
	for group := 0; group < winoPoints; group += 4 {
		for out := 0; out < padded; out += tileN {
			for p := group; p < group+4; p++ {
				for in := range padded {
					for o := out; o < out+tileN; o++ {
						u := float32(0)
						if in < width && o < width {
							u = filterPoint(func(ky, kx int) float32 {
								return c.Weight[((ky*3+kx)*width+in)*width+o]
							}, p/6, p%6)
						}
						l.u = append(l.u, u)
					}
				}
			}
		}
	}
	l.u = append(l.u, 0)
	return l
}

// Chunk is part of Trunk.
func (t *portableTrunk) Chunk() int { return winoChunk }

// Run is part of Trunk.
func (t *portableTrunk) Run(x []float32, rows int) {
	for at := 0; at < rows && len(t.layers) > 0; at += winoChunk {
		n := min(winoChunk, rows-at)
		t.run(x[at*64*t.width:][:n*64*t.width], n)
	}
}

func (t *portableTrunk) run(x []float32, boards int) {
	t.enter(x, boards)
	for i := range t.layers {
		t.products(&t.layers[i], boards)
		t.finish(&t.layers[i], boards, i&1 == 1, i+1 < len(t.layers))
	}
	t.leave(x, boards)
}

// enter brings the activations into channel order and transforms them for the first layer.
func (t *portableTrunk) enter(x []float32, boards int) {
	for n := range boards {
		board := x[n*64*t.width:]
		for c := range t.width {
			i := n*t.padded + c
			skip := (*[64]float32)(t.skip[i*64:])
			for s := range 64 {
				skip[s] = board[s*t.width+c]
			}
			winoIn((*[winoBoard]float32)(t.v[i*winoBoard:]), skip)
		}
	}
}

// leave brings the last block's output back into square order.
func (t *portableTrunk) leave(x []float32, boards int) {
	for n := range boards {
		board := x[n*64*t.width:]
		for c := range t.width {
			skip := (*[64]float32)(t.skip[(n*t.padded+c)*64:])
			for s, y := range skip {
				board[s*t.width+c] = y
			}
		}
	}
}

// products fills m with the 36 matrix products of a layer. Four points share the cache lines of v, so
// they go together; within them the filter's panel is the inner constant and the boards pass by.
func (t *portableTrunk) products(l *portableLayer, boards int) {
	panel := 4 * t.padded * tileN
	size := t.padded * winoBoard
	u := l.u
	for group := 0; group < winoPoints; group += 4 {
		for out := 0; out < t.padded; out += tileN {
			for n := range boards {
				v := t.v[n*size:]
				m := (*[winoBoard + 16]float32)(t.m[n*size+out*winoBoard+group*winoTiles:])
				for p := range 4 {
					winoTile(m, v[(group+p)*winoTiles:], u[p*t.padded*tileN:(p+1)*t.padded*tileN+1], p*winoTiles)
				}
			}
			u = u[panel:]
		}
	}
}

// finish transforms a layer's products back, adds bias and (second convolution of a block) the skip
// connection, and transforms the result for the next layer while it is at hand.
func (t *portableTrunk) finish(l *portableLayer, boards int, second, more bool) {
	var y [64]float32
	for n := range boards {
		for c := range t.padded {
			i := n*t.padded + c
			m := (*[winoBoard]float32)(t.m[i*winoBoard:])
			out := &y
			if second {
				out = (*[64]float32)(t.skip[i*64:])
			}
			winoOut(out, m, l.bias[c], second)
			if more {
				winoIn((*[winoBoard]float32)(t.v[i*winoBoard:]), out)
			}
		}
	}
}

// winoTile computes one point for the four tiles of a board and two output channels: m[at+tile] and
// m[winoBoard+at+tile] become the sums over all input channels of v[channel*winoBoard+tile] times
// u[channel*2] and u[channel*2+1]. u is one longer than its channels and v is longer than them (see kernels.Gemm).
func winoTile(m *[winoBoard + 16]float32, v, u []float32, at int) {
	var s00, s01, s10, s11, s20, s21, s30, s31 float32
	for len(u) > tileK*tileN && len(v) > tileK*winoBoard {
		x, y := (*[(tileK-1)*winoBoard + winoTiles]float32)(v), (*[tileK * tileN]float32)(u)
		y0, y1 := y[0], y[1]
		s00 += float32(x[0] * y0)
		s01 += float32(x[0] * y1)
		s10 += float32(x[1] * y0)
		s11 += float32(x[1] * y1)
		s20 += float32(x[2] * y0)
		s21 += float32(x[2] * y1)
		s30 += float32(x[3] * y0)
		s31 += float32(x[3] * y1)
		y0, y1 = y[2], y[3]
		s00 += float32(x[winoBoard] * y0)
		s01 += float32(x[winoBoard] * y1)
		s10 += float32(x[winoBoard+1] * y0)
		s11 += float32(x[winoBoard+1] * y1)
		s20 += float32(x[winoBoard+2] * y0)
		s21 += float32(x[winoBoard+2] * y1)
		s30 += float32(x[winoBoard+3] * y0)
		s31 += float32(x[winoBoard+3] * y1)
		y0, y1 = y[4], y[5]
		s00 += float32(x[2*winoBoard] * y0)
		s01 += float32(x[2*winoBoard] * y1)
		s10 += float32(x[2*winoBoard+1] * y0)
		s11 += float32(x[2*winoBoard+1] * y1)
		s20 += float32(x[2*winoBoard+2] * y0)
		s21 += float32(x[2*winoBoard+2] * y1)
		s30 += float32(x[2*winoBoard+3] * y0)
		s31 += float32(x[2*winoBoard+3] * y1)
		y0, y1 = y[6], y[7]
		s00 += float32(x[3*winoBoard] * y0)
		s01 += float32(x[3*winoBoard] * y1)
		s10 += float32(x[3*winoBoard+1] * y0)
		s11 += float32(x[3*winoBoard+1] * y1)
		s20 += float32(x[3*winoBoard+2] * y0)
		s21 += float32(x[3*winoBoard+2] * y1)
		s30 += float32(x[3*winoBoard+3] * y0)
		s31 += float32(x[3*winoBoard+3] * y1)
		y0, y1 = y[8], y[9]
		s00 += float32(x[4*winoBoard] * y0)
		s01 += float32(x[4*winoBoard] * y1)
		s10 += float32(x[4*winoBoard+1] * y0)
		s11 += float32(x[4*winoBoard+1] * y1)
		s20 += float32(x[4*winoBoard+2] * y0)
		s21 += float32(x[4*winoBoard+2] * y1)
		s30 += float32(x[4*winoBoard+3] * y0)
		s31 += float32(x[4*winoBoard+3] * y1)
		y0, y1 = y[10], y[11]
		s00 += float32(x[5*winoBoard] * y0)
		s01 += float32(x[5*winoBoard] * y1)
		s10 += float32(x[5*winoBoard+1] * y0)
		s11 += float32(x[5*winoBoard+1] * y1)
		s20 += float32(x[5*winoBoard+2] * y0)
		s21 += float32(x[5*winoBoard+2] * y1)
		s30 += float32(x[5*winoBoard+3] * y0)
		s31 += float32(x[5*winoBoard+3] * y1)
		y0, y1 = y[12], y[13]
		s00 += float32(x[6*winoBoard] * y0)
		s01 += float32(x[6*winoBoard] * y1)
		s10 += float32(x[6*winoBoard+1] * y0)
		s11 += float32(x[6*winoBoard+1] * y1)
		s20 += float32(x[6*winoBoard+2] * y0)
		s21 += float32(x[6*winoBoard+2] * y1)
		s30 += float32(x[6*winoBoard+3] * y0)
		s31 += float32(x[6*winoBoard+3] * y1)
		y0, y1 = y[14], y[15]
		s00 += float32(x[7*winoBoard] * y0)
		s01 += float32(x[7*winoBoard] * y1)
		s10 += float32(x[7*winoBoard+1] * y0)
		s11 += float32(x[7*winoBoard+1] * y1)
		s20 += float32(x[7*winoBoard+2] * y0)
		s21 += float32(x[7*winoBoard+2] * y1)
		s30 += float32(x[7*winoBoard+3] * y0)
		s31 += float32(x[7*winoBoard+3] * y1)
		u, v = u[tileK*tileN:], v[tileK*winoBoard:]
	}
	lo, hi := (*[4]float32)(m[at:]), (*[4]float32)(m[winoBoard+at:])
	lo[0], lo[1], lo[2], lo[3] = s00, s10, s20, s30
	hi[0], hi[1], hi[2], hi[3] = s01, s11, s21, s31
}
