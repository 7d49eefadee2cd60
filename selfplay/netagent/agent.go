// Package netagent makes an agent of self-play and matches out of a network.
package netagent

import (
	"sync"

	"synochess/env"
	"synochess/env/encode"
	"synochess/mcts"
	"synochess/net"
	"synochess/net/fast"
	"synochess/net/kernels"
	"synochess/selfplay"
)

// New returns the agent that searches with a network on a kernel path, in a precision. Weights that cannot run in it
// are reported when the agent is opened.
func New(path *kernels.Path, w *net.Weights, p fast.Precision, search mcts.Config) *selfplay.Searcher {
	open := sync.OnceValues(func() (*fast.Evaluator, error) { return p.Open(path, w) })
	return selfplay.NewSearcher("network", p.ID(w), search, func() (mcts.Evaluator, error) {
		first, err := open()
		if err != nil {
			return nil, err
		}
		return first.Twin(), nil
	})
}

// CalibrationPositions is how many positions a network is calibrated on, at most.
const CalibrationPositions = 1024

// Calibrate makes a network ready for a precision that needs calibration, on positions of random games by rules. One
// that is calibrated already, or that runs in float32, stays as it is.
func Calibrate(path *kernels.Path, w *net.Weights, p fast.Precision, rules *selfplay.RuleSource) error {
	if p.ID(w) != "" {
		return nil
	}
	b := encode.NewBatch()
	err := rules.RandomPositions(CalibrationPositions, func(g *env.Game) {
		encode.AppendRow(b, g.Rules(), g.Position(), g.Repetitions(), g.LegalMoves())
	})
	if err != nil {
		return err
	}
	return p.Calibrate(path, w, b)
}
