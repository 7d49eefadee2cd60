package inference

// directTrunk computes the convolutions straight from their definition.
type directTrunk struct {
	width int
	convs []Conv
	mid   []float32 // [square][channel]
	out   []float32
}

// NewDirect returns the slow truth, a Trunk that tests and benchmarks hold the others against.
func NewDirect(width int, convs []Conv) Trunk {
	return &directTrunk{width, convs, make([]float32, 64*width), make([]float32, 64*width)}
}

// Twin is part of Trunk.
func (t *directTrunk) Twin() Trunk { return NewDirect(t.width, t.convs) }

// Chunk is part of Trunk.
func (t *directTrunk) Chunk() int { return 1 }

// Run is part of Trunk.
func (t *directTrunk) Run(x []float32, rows int) {
	for n := range rows {
		board := x[n*64*t.width : (n+1)*64*t.width]
		for i := 0; i+1 < len(t.convs); i += 2 {
			conv3x3(t.mid, board, t.convs[i], t.width)
			for j, y := range t.mid {
				t.mid[j] = max(y, 0)
			}
			conv3x3(t.out, t.mid, t.convs[i+1], t.width)
			for j, y := range t.out {
				board[j] = max(y+board[j], 0)
			}
		}
	}
}

// conv3x3 computes one board's convolution plus bias, both boards as [square][channel].
func conv3x3(out, in []float32, c Conv, width int) {
	for s := range 64 {
		to := out[s*width : (s+1)*width]
		copy(to, c.Bias)
		for tap := range 9 {
			rank, file := s>>3+tap/3-1, s&7+tap%3-1
			if rank < 0 || rank > 7 || file < 0 || file > 7 {
				continue
			}
			from := in[(rank*8+file)*width:][:width]
			for i, x := range from {
				w := c.Weight[(tap*width+i)*width:][:len(to)]
				for o := range to {
					to[o] += float32(x * w[o])
				}
			}
		}
	}
}
