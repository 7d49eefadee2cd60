package fast

import (
	"fmt"

	"synochess/env/encode"
	"synochess/net"
	"synochess/net/kernels"
)

// Precision is the arithmetic that networks play in. They are trained in float32, whatever it is.
type Precision string

// The precisions.
const (
	Float32 Precision = net.Precision
	Int16   Precision = net.PrecisionInt16 // of calibrated weights whose width is a multiple of 16
	Auto    Precision = "auto"             // see For; nothing runs in it by itself
)

// For returns what Auto stands for with networks of an architecture on a kernel path, and other precisions as
// they are. It is Int16 where that is the faster one: with assembly for it, and of a width that it can have.
func (p Precision) For(path *kernels.Path, a net.Arch) Precision {
	if p != Auto {
		return p
	}
	if q, err := path.Quantised(); err != nil || q.Vectors == nil || Int16.Check(a) != nil {
		return Float32
	}
	return Int16
}

// Precisions lists those that networks run in, the exact one first.
var Precisions = []Precision{Float32, Int16}

// Check tells why networks of an architecture cannot play in the precision.
func (p Precision) Check(a net.Arch) error {
	if p == Int16 && a.Width%16 != 0 {
		return fmt.Errorf("precision is %s and net.width is %d; use a multiple of 16, or %s", p, a.Width, Auto)
	}
	return nil
}

// KernelPath is the name of the kernels that evaluators of the precision run on, given a path. A path that the user
// named and that has none for it is an error (kernels.Path.Quantised).
func (p Precision) KernelPath(path *kernels.Path) (string, error) {
	if p != Int16 {
		return path.Float.Name, nil
	}
	q, err := path.Quantised()
	if err != nil {
		return "", err
	}
	return q.Int16.Name, nil
}

// ID returns the evaluation id of a network in the precision; "" if it would have to be calibrated.
func (p Precision) ID(w *net.Weights) string {
	if p == Int16 {
		return w.QuantisedID()
	}
	return w.EvalID()
}

// Open returns an evaluator of a network. In int16, weights that are not calibrated are an error.
func (p Precision) Open(path *kernels.Path, w *net.Weights) (*Evaluator, error) {
	if p == Int16 {
		return NewQuantised(path, w)
	}
	return New(path, w)
}

// Calibrate makes a network ready for the precision on the positions of a batch: for int16 it measures what range each
// activation needs there, for float32 there is nothing to do.
func (p Precision) Calibrate(path *kernels.Path, w *net.Weights, b *encode.Batch) error {
	if p != Int16 {
		return nil
	}
	return Calibrate(path, w, b)
}
