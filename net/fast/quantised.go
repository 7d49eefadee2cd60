package fast

import (
	"errors"
	"fmt"

	"synochess/net"
	"synochess/net/kernels"
	"synochess/net/kernels/inference"
)

// NewQuantised is New in the precision int16: the residual blocks run in 16-bit integers, stem and heads in
// float32, all on the path that the given one has for it (kernels.Path.Quantised). The weights must be calibrated
// (Calibrate) and their width a multiple of 16. The evaluation id is the weights' QuantisedID. Weights that New would
// refuse are refused, and kernels that do not give the bits of kernels.Portable for the positions of the weights'
// test vectors.
func NewQuantised(path *kernels.Path, w *net.Weights) (*Evaluator, error) {
	on, err := path.Quantised()
	if err != nil {
		return nil, err
	}
	return newQuantised(on, w, inference.NewInt16Trunk)
}

func newQuantised(path *kernels.Path, w *net.Weights, newTrunk func(*kernels.Path, *inference.Quantised) inference.Trunk) (*Evaluator, error) {
	if err := check(w); err != nil {
		return nil, err
	}
	if err := checkWidth(w); err != nil {
		return nil, err
	}
	q := w.Quantisation()
	if q == nil {
		return nil, errors.New("the weights are not calibrated for int16: calibrate them on positions of real games, or run them in float32")
	}
	trunk := inference.Quantise(w.Arch.Width, foldTrunk(w), q.Limits)
	e := assemble(w, path, newTrunk(path, trunk))
	e.id, e.path = w.QuantisedID(), path.Int16.Name
	if len(w.Vectors()) == 0 {
		return e, nil
	}
	// What the vectors say is of the float32 network: its kernels run stem and heads here. The blocks must
	// give the bits of the path that says what they compute.
	if _, err := New(path, w); err != nil {
		return nil, err
	}
	if err := e.verifyTrunk(inference.NewInt16Trunk(kernels.Portable, trunk), w.Vectors()[0]); err != nil {
		return nil, err
	}
	return e, nil
}

// checkWidth reports a network that the quantised kernels cannot run.
func checkWidth(w *net.Weights) error {
	if w.Arch.Width%16 != 0 {
		return fmt.Errorf("the network is %d filters wide; int16 needs a multiple of 16: run it in float32", w.Arch.Width)
	}
	return nil
}
