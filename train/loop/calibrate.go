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
		b.Append(s.Row)
	}
	return p.Calibrate(path, w, b)
}
