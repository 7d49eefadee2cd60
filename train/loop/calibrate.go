package loop

import (
	"synochess/env/encode"
	"synochess/net"
	"synochess/net/fast"
	"synochess/net/kernels"
	"synochess/selfplay/netagent"
	"synochess/train"
)

// calibrateOn makes a network ready for a precision on the last of the samples that it was trained on.
func calibrateOn(path *kernels.Path, p fast.Precision, w *net.Weights, samples []*train.Sample) error {
	b := encode.NewBatch()
	for _, s := range samples[max(0, len(samples)-netagent.CalibrationPositions):] {
		appendSample(b, s)
	}
	return p.Calibrate(path, w, b)
}

// appendSample appends the inputs of a sample to a batch. Samples do not know their rule set's hash, which
// only helps evaluators to find what they remember of it.
func appendSample(b *encode.Batch, s *train.Sample) {
	planes, scalars, scales := b.AddRow(0)
	copy(planes, s.Planes)
	copy(scalars, s.Scalars)
	copy(scales, s.Scales)
	for _, index := range s.Moves {
		b.AddMove(index)
	}
}
