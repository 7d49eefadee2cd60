package training

import (
	"fmt"
	"math"
)

// batchNormMomentum is the weight of the newest batch in the running statistics.
const batchNormMomentum = 0.05

// ConvShape describes a ConvBN layer.
type ConvShape struct {
	Batch       int     // positions
	In, Out     int     // channels
	Epsilon     float64 // added to a variance before its square root
	NoInputGrad bool    // the input is data: leave DX nil
}

// ConvBN is one training layer on padded boards: 3x3 convolution, plus an optional vector a position
// (the projected scalars of the stem), batch norm over all squares of the batch, plus an optional
// residual, ReLU. All outputs and gradients are allocated once; boards lie as
// [position][10][10][channel] with borders of zeros. A Tower runs the layers.
type ConvBN struct {
	ConvShape
	// Training chooses between the batch's own statistics, which also move the running ones, and the
	// running statistics.
	Training bool

	Y         []float32 // output boards
	ResGrad   []float32 // boards: gradient of the residual, which is Y's gradient after the ReLU
	DX        []float32 // boards: gradient of the input
	DW        []float32 // [9*In][Out]
	DAdd      []float32 // [Batch][Out]: gradient of the added vectors
	DScale    []float32 // [Out]
	DBias     []float32 // [Out]
	Mean, Var []float32 // [Out]: statistics of the last training batch (biased variance)
	RunMean   []float32 // [Out]: running statistics
	RunVar    []float32 // [Out]

	conv                *conv     // of the portable path
	fast                *simdConv // of the others
	res                 []float32 // boards: the residual of the last Forward, nil for none
	z                   []float32 // boards: what batch norm reads
	scale               []float32 // [Out]: y = z*scale + shift, before residual and ReLU
	shift               []float32
	invStd              []float32
	gain, slope, offset []float32   // [Out]: z's gradient = gain*ResGrad + slope*z + offset
	sums                []float64   // [block][2][Out]
	zGrad               [][]float32 // [worker]: a block's boards of z's gradient, borders unused
	pool                *Pool
}

// newConvBN allocates a layer whose running statistics are mean 0 and variance 1. Y, ResGrad and DX stay nil: the
// tower gives them, since some layers share theirs and some need none.
func newConvBN(pool *Pool, s ConvShape) *ConvBN {
	n := s.Out
	l := &ConvBN{
		ConvShape: s, Training: true, pool: pool, z: newBoards(s.Batch, n),
		DW: make([]float32, 9*s.In*n), DAdd: make([]float32, s.Batch*n),
		DScale: make([]float32, n), DBias: make([]float32, n),
		Mean: make([]float32, n), Var: make([]float32, n), RunMean: make([]float32, n), RunVar: make([]float32, n),
		scale: make([]float32, n), shift: make([]float32, n), invStd: make([]float32, n),
		gain: make([]float32, n), slope: make([]float32, n), offset: make([]float32, n),
		sums: make([]float64, Blocks(s.Batch)*2*n),
	}
	for i := range l.RunVar {
		l.RunVar[i] = 1
	}
	if pool.asm != nil && fastConv(s) {
		l.fast = newSIMDConv(l)
		return l
	}
	l.conv, l.zGrad = newConv(pool, s.Batch, s.In, s.Out), make([][]float32, pool.threads)
	for i := range l.zGrad {
		l.zGrad[i] = make([]float32, BlockPositions*boardArea*n)
	}
	return l
}

// eachRow calls f with the offset of each of the eight rows of squares, eight squares long, of the
// boards lo to hi of n channels.
func eachRow(lo, hi, n int, f func(at int)) {
	for p := lo; p < hi; p++ {
		for r := range 8 {
			f((p*boardArea + 11 + 10*r) * n)
		}
	}
}

// convolve sets z and the sums of its numbers and their squares.
func (l *ConvBN) convolve(x, w, add []float32) {
	if l.fast != nil {
		l.fast.setWeights(w)
	} else {
		l.conv.setWeights(w)
	}
	n := l.Out
	l.pool.run(Blocks(l.Batch), func(worker, block int) {
		sum, square := l.blockSums(block)
		if l.fast != nil {
			l.fast.forwardBlock(worker, block, x, add, sum, square)
			return
		}
		l.conv.forwardBlock(worker, block, x, l.z)
		lo, hi := blockRange(block, l.Batch)
		for p := lo; p < hi; p++ {
			var a []float32
			if add != nil {
				a = add[p*n : (p+1)*n]
			}
			eachRow(p, p+1, n, func(at int) {
				for s := range 8 {
					accumulate(l.z[at+s*n:at+(s+1)*n], a, sum, square)
				}
			})
		}
	})
}

// blockSums returns a block's two sums of every channel, cleared.
func (l *ConvBN) blockSums(block int) (first, second []float64) {
	n := l.Out
	sums := l.sums[block*2*n : (block+1)*2*n]
	clear(sums)
	return sums[:n], sums[n:]
}

// activate sets Y.
func (l *ConvBN) activate(res []float32) {
	n := l.Out
	l.res = res
	l.pool.run(Blocks(l.Batch), func(_, block int) {
		lo, hi := blockRange(block, l.Batch)
		if l.fast != nil {
			for p := lo; p < hi; p++ {
				l.fast.activateBoard(p, l.Y[p*boardArea*n:])
			}
			return
		}
		eachRow(lo, hi, n, func(at int) {
			for s := range 8 {
				from, to := at+s*n, at+(s+1)*n
				if res != nil {
					activateRes(l.z[from:to], l.scale, l.shift, res[from:to], l.Y[from:to])
				} else {
					activate(l.z[from:to], l.scale, l.shift, l.Y[from:to])
				}
			}
		})
	})
}

// accumulate adds a to z, if there is one, and z and its square to the sums.
func accumulate(z, a []float32, sum, square []float64) {
	if a != nil {
		a = a[:len(z)]
		for c := range z {
			z[c] += a[c]
		}
	}
	sum, square = sum[:len(z)], square[:len(z)]
	for c, v := range z {
		w := float64(v)
		sum[c] += w
		square[c] += float64(w * w)
	}
}

// normalise chooses the statistics and prepares scale and shift.
func (l *ConvBN) normalise(scale, bias []float32) error {
	n, count := l.Out, float64(l.Batch*64)
	for c := range n {
		mean, variance := float64(l.RunMean[c]), float64(l.RunVar[c])
		if l.Training {
			var sum, square float64
			for b := range Blocks(l.Batch) {
				sum += l.sums[b*2*n+c]
				square += l.sums[b*2*n+n+c]
			}
			mean = sum / count
			variance = max(square/count-float64(mean*mean), 0)
			l.Mean[c], l.Var[c] = float32(mean), float32(variance)
			l.RunMean[c] += float32(batchNormMomentum * (l.Mean[c] - l.RunMean[c]))
			l.RunVar[c] += float32(batchNormMomentum * (l.Var[c] - l.RunVar[c]))
		}
		if d := mean + variance; math.IsNaN(d) || math.IsInf(d, 0) {
			return fmt.Errorf("batch-norm statistics of channel %d are not finite", c)
		}
		inv := 1 / math.Sqrt(variance+l.Epsilon)
		l.invStd[c] = float32(inv)
		k := float64(inv * float64(scale[c]))
		l.scale[c], l.shift[c] = float32(k), float32(float64(bias[c])-float64(mean*k))
	}
	return nil
}

// activate sets y to the batch norm of z, negative numbers replaced by 0. NaN stays NaN.
func activate(z, scale, shift, y []float32) {
	scale, shift, y = scale[:len(z)], shift[:len(z)], y[:len(z)]
	for c, v := range z {
		y[c] = max(float32(v*scale[c])+shift[c], 0)
	}
}

// activateRes is activate with a residual added before the ReLU.
func activateRes(z, scale, shift, res, y []float32) {
	scale, shift, res, y = scale[:len(z)], shift[:len(z)], res[:len(z)], y[:len(z)]
	for c, v := range z {
		y[c] = max(float32(v*scale[c])+shift[c]+res[c], 0)
	}
}

// maskGrad sets ResGrad and its sums.
func (l *ConvBN) maskGrad(dy []float32) {
	n := l.Out
	l.pool.run(Blocks(l.Batch), func(_, block int) {
		sum, product := l.blockSums(block)
		lo, hi := blockRange(block, l.Batch)
		if l.fast != nil {
			l.fast.maskBoards(lo, hi, dy, sum, product)
			return
		}
		eachRow(lo, hi, n, func(at int) {
			for s := range 8 {
				from, to := at+s*n, at+(s+1)*n
				maskGrad(dy[from:to], l.Y[from:to], l.z[from:to], l.Mean, l.ResGrad[from:to], sum, product)
			}
		})
	})
}

// differentiate sets DScale and DBias, and how z's gradient is made of ResGrad and z:
//
//	dz = scale*inv * (g - mean(g) - (z-mean)*inv^2 * mean(g*(z-mean))) = gain*g + slope*z + offset
func (l *ConvBN) differentiate(scale []float32) {
	n, count := l.Out, float64(l.Batch*64)
	for c := range n {
		var sum, product float64
		for b := range Blocks(l.Batch) {
			sum += l.sums[b*2*n+c]
			product += l.sums[b*2*n+n+c]
		}
		inv, g := float64(l.invStd[c]), float64(scale[c])
		l.DBias[c], l.DScale[c] = float32(sum), float32(product*inv)
		k := -g * inv * inv * inv * product / count
		l.gain[c], l.slope[c] = float32(g*inv), float32(k)
		l.offset[c] = float32(-float64(g*inv*sum/count) - float64(k*float64(l.Mean[c])))
	}
}

// propagate sets DX, DW and DAdd.
func (l *ConvBN) propagate(x []float32) {
	n, blocks := l.Out, Blocks(l.Batch)
	if l.fast != nil {
		l.pool.preparePartials(blocks, len(l.DW))
		l.pool.run(blocks, func(worker, block int) {
			l.fast.backwardBlock(worker, block, x)
			l.pool.closePartial(block, blocks, len(l.DW))
		})
		l.pool.sumPartials(blocks, l.DW)
		return
	}
	l.pool.preparePartials(blocks, l.conv.partialFloats)
	l.pool.run(blocks, func(worker, block int) {
		lo, hi := blockRange(block, l.Batch)
		dz := l.zGrad[worker]
		for p := lo; p < hi; p++ {
			sum := l.DAdd[p*n : (p+1)*n]
			clear(sum)
			eachRow(p, p+1, n, func(at int) {
				for s := range 8 {
					from, to := at+s*n, at+(s+1)*n
					d := dz[from-lo*boardArea*n : to-lo*boardArea*n]
					combine(l.ResGrad[from:to], l.z[from:to], l.gain, l.slope, l.offset, d, sum)
				}
			})
		}
		l.conv.backwardBlock(worker, block, x, dz, l.DX)
		l.pool.closePartial(block, blocks, l.conv.partialFloats)
	})
	l.conv.finishGrad(l.DW)
}

// maskGrad sets g to dy where the ReLU let y pass, and adds g and g*(z-mean) to the sums.
func maskGrad(dy, y, z, mean, g []float32, sum, product []float64) {
	y, z, mean, g = y[:len(dy)], z[:len(dy)], mean[:len(dy)], g[:len(dy)]
	sum, product = sum[:len(dy)], product[:len(dy)]
	for c, v := range dy {
		// Without a branch, which would be taken at random: y is 0 or above, and so its bits are all 0
		// or a positive number.
		open := uint32(-int32(math.Float32bits(y[c])) >> 31)
		v = math.Float32frombits(math.Float32bits(v) & open)
		g[c] = v
		sum[c] += float64(v)
		product[c] += float64(float64(v) * float64(z[c]-mean[c]))
	}
}

// combine sets dz to gain*g + slope*z + offset and adds it to sum.
func combine(g, z, gain, slope, offset, dz, sum []float32) {
	z, gain, slope, offset = z[:len(g)], gain[:len(g)], slope[:len(g)], offset[:len(g)]
	dz, sum = dz[:len(g)], sum[:len(g)]
	for c, v := range g {
		d := float32(gain[c]*v) + float32(slope[c]*z[c]) + offset[c]
		dz[c] = d
		sum[c] += d
	}
}
