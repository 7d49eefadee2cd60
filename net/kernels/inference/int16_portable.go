package inference

import "math"

// portableInt16Trunk is the quantised trunk in plain Go, one board at a time. It is not fast: it says what
// the others compute.
type portableInt16Trunk struct {
	*Quantised
	act, mid []uint16  // [square][channel], activations between and inside the blocks
	v        []int16   // [point][tile][channel], transformed inputs
	m        []float32 // [point][tile][channel], scaled products
	sums     []int32   // [channel]
}

func newPortableInt16Trunk(t *Quantised) Trunk {
	return &portableInt16Trunk{
		t, make([]uint16, 64*t.Width), make([]uint16, 64*t.Width),
		make([]int16, int16Points*int16Tiles*t.Width), make([]float32, int16Points*int16Tiles*t.Width), make([]int32, t.Width),
	}
}

// Twin is part of Trunk.
func (t *portableInt16Trunk) Twin() Trunk { return newPortableInt16Trunk(t.Quantised) }

// Chunk is part of Trunk.
func (t *portableInt16Trunk) Chunk() int { return 1 }

// Run is part of Trunk.
func (t *portableInt16Trunk) Run(x []float32, rows int) {
	if len(t.Convs) == 0 {
		return
	}
	for ; rows > 0; rows-- {
		t.board(x[:64*t.Width])
		x = x[64*t.Width:]
	}
}

func (t *portableInt16Trunk) board(x []float32) {
	for i, y := range x {
		t.act[i] = int16Round(float32(y * t.Enter[i%t.Width]))
	}
	for i := range t.Convs {
		c := &t.Convs[i]
		src, dst := t.act, t.mid
		if i%2 == 1 {
			src, dst = t.mid, t.act
		}
		t.transformIn(src)
		t.products(c)
		t.transformOut(c, func(at int, y float32) {
			if i%2 == 1 {
				y += float32(float32(t.act[at]) * c.Skip[at%t.Width])
			}
			if i+1 < len(t.Convs) {
				dst[at] = int16Round(y)
			} else {
				x[at] = max(y, 0)
			}
		})
	}
}

// int16Round returns the activation next to y.
func int16Round(y float32) uint16 {
	return uint16(math.RoundToEven(float64(min(max(y, 0), Int16Top))))
}

// transformIn fills v.
func (t *portableInt16Trunk) transformIn(src []uint16) {
	for c := range t.Width {
		for tile := range int16Tiles {
			var rows [6][6]int16 // [vertical point][file]
			for x := range 6 {
				var d [6]int16
				for y := range d {
					rank, file := tile/2*4-1+y, tile%2*4-1+x
					if rank >= 0 && rank < 8 && file >= 0 && file < 8 {
						d[y] = int16(src[(rank*8+file)*t.Width+c])
					}
				}
				for i, y := range int16InRow(&d) {
					rows[i][x] = y
				}
			}
			for i := range rows {
				for j, y := range int16InRow(&rows[i]) {
					t.v[((i*6+j)*int16Tiles+tile)*t.Width+c] = y
				}
			}
		}
	}
}

// int16InRow returns the product of Bt and d. Where a step overflows, the end result is right again.
func int16InRow(d *[6]int16) [6]int16 {
	a, b := d[4]-4*d[2], d[3]-4*d[1]
	c, e := d[4]-d[2], 2*(d[3]-d[1])
	return [6]int16{4*(d[0]-d[2]) + c, a + b, a - b, c + e, c - e, 4*(d[1]-d[3]) + d[5] - d[3]}
}

// products fills m.
func (t *portableInt16Trunk) products(l *QuantisedConv) {
	for p := range int16Points {
		for tile := range int16Tiles {
			clear(t.sums)
			v := t.v[(p*int16Tiles+tile)*t.Width:][:t.Width]
			for i, x := range v {
				for o, u := range l.U[(p*t.Width+i)*t.Width:][:t.Width] {
					t.sums[o] += int32(x) * int32(u)
				}
			}
			m, scale := t.m[(p*int16Tiles+tile)*t.Width:], l.Scale[p*t.Width:]
			for o, s := range t.sums {
				m[o] = float32(float32(s) * scale[o])
			}
		}
	}
}

// transformOut gives put the convolution's outputs with bias, at [square][channel].
func (t *portableInt16Trunk) transformOut(l *QuantisedConv, put func(at int, y float32)) {
	for c := range t.Width {
		for tile := range int16Tiles {
			var ranks [4][6]float32 // [rank][horizontal point]
			for j := range 6 {
				var m [6]float32
				for i := range m {
					m[i] = t.m[((i*6+j)*int16Tiles+tile)*t.Width+c]
				}
				if j == 1 {
					m[1] += l.Bias[c] // this point enters every output once
				}
				for y, sum := range int16OutRow(&m) {
					ranks[y][j] = sum
				}
			}
			for y := range ranks {
				for x, sum := range int16OutRow(&ranks[y]) {
					rank, file := tile/2*4+y, tile%2*4+x
					put((rank*8+file)*t.Width+c, sum)
				}
			}
		}
	}
}

// int16OutRow returns the product of At and m. The factors are powers of two, so that it does not matter
// whether products and sums are fused.
func int16OutRow(m *[6]float32) [4]float32 {
	s, d := m[1]+m[2], m[1]-m[2]
	s2, d2 := m[3]+m[4], m[3]-m[4]
	return [4]float32{m[0] + s + s2, d + float32(2*d2), s + float32(4*s2), d + float32(8*d2) + m[5]}
}
