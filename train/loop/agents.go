package loop

import (
	"synochess/env/encode"
	"synochess/net"
	"synochess/net/fast"
	"synochess/net/kernels"
	"synochess/selfplay"
	"synochess/selfplay/netagent"
	"synochess/train"
)

// network loads the agent that a generation's training ended with; 0 is the untrained network. Weights that were
// saved where networks play in float32 are calibrated here if they are to play in int16, on positions of random games.
func (r *run) network(generation int) (*selfplay.Searcher, error) {
	w, err := net.Load(r.folder.WeightsOf(generation))
	if err != nil {
		return nil, err
	}
	if err := netagent.Calibrate(r.machine.Kernels, w, r.cfg.Precision, r.rules); err != nil {
		return nil, err
	}
	return netagent.New(r.machine.Kernels, w, r.cfg.Precision, r.cfg.Search), nil
}

// calibrateOn makes a network ready for a precision on the last of the samples that it was trained on.
func calibrateOn(path *kernels.Path, p fast.Precision, w *net.Weights, samples []*train.Sample) error {
	b := encode.NewBatch()
	for _, s := range samples[max(0, len(samples)-netagent.CalibrationPositions):] {
		b.Append(s.Row)
	}
	return p.Calibrate(path, w, b)
}
