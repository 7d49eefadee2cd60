package training

import (
	"fmt"
	"math"
)

// batchNormMomentum is the weight of the newest batch in the running statistics.
const batchNormMomentum = 0.05

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
