package loop

import (
	"fmt"
	"math/rand/v2"

	"synochess/env"
	"synochess/env/encode"
	"synochess/internal/eval"
	"synochess/internal/kernels"
	"synochess/net"
	"synochess/net/fast"
	"synochess/selfplay"
	"synochess/train"
)

// Precision is the arithmetic that networks play in. They are trained in float32, whatever it is.
type Precision string

// The precisions.
const (
	Float32 Precision = net.Precision
	Int16   Precision = net.PrecisionInt16 // of calibrated weights whose width is a multiple of 16
	Auto    Precision = "auto"             // see For; nothing runs in it by itself
)

// For returns what Auto stands for with networks of an architecture on this machine, and other precisions as
// they are. It is Int16 where that is the faster one: beyond plain Go, and of a width that it can have.
func (p Precision) For(a net.Arch) Precision {
	if p != Auto {
		return p
	}
	if set, err := kernels.ChooseInt16(); err != nil || set == kernels.PortableInt16() || Int16.Check(a) != nil {
		return Float32
	}
	return Int16
}

// Precisions lists those that networks run in, the exact one first.
var Precisions = []Precision{Float32, Int16}

// Check tells why networks of an architecture cannot play in the precision.
func (p Precision) Check(a net.Arch) error {
	switch {
	case p != Float32 && p != Int16 && p != Auto:
		return fmt.Errorf("precision is %q; use %s, %s or %s", p, Auto, Float32, Int16)
	case p == Int16 && a.Width%16 != 0:
		return fmt.Errorf("precision is %s and net.width is %d; use a multiple of 16, or %s", p, a.Width, Auto)
	}
	return nil
}

// KernelPath names the kernels that evaluators of the precision run on here.
func (p Precision) KernelPath() (string, error) {
	if p == Int16 {
		set, err := kernels.ChooseInt16()
		if err != nil {
			return "", err
		}
		return set.Name, nil
	}
	set, err := kernels.Choose()
	if err != nil {
		return "", err
	}
	return set.Name, nil
}

// ID returns the evaluation id of a network in the precision; "" if it would have to be calibrated.
func (p Precision) ID(w *net.Weights) string {
	if p == Int16 {
		return w.QuantisedID()
	}
	return w.EvalID()
}

// Open returns an evaluator of a network. In int16, weights that are not calibrated are an error.
func (p Precision) Open(w *net.Weights) (*fast.Evaluator, error) {
	if p == Int16 {
		return fast.NewQuantised(w)
	}
	return fast.New(w)
}

// calibrationPositions is how many positions a network is calibrated on, at most.
const calibrationPositions = 1024

// Calibrate makes a network that has played no games yet ready for the precision: for int16 it is
// calibrated on positions of random games, for float32 there is nothing to do.
func (p Precision) Calibrate(w *net.Weights, rules *selfplay.RuleSource) error {
	if p != Int16 {
		return nil
	}
	b := encode.NewBatch()
	err := randomPositions(rules, calibrationPositions, func(g *env.Game) {
		encode.AppendRow(b, g.Rules(), g.Position(), g.Repetitions(), g.LegalMoves())
	})
	if err != nil {
		return err
	}
	return fast.Calibrate(w, b)
}

// calibrateOn is Calibrate on the last of the samples a network was trained on.
func (p Precision) calibrateOn(w *net.Weights, samples []*train.Sample) error {
	if p != Int16 {
		return nil
	}
	b := encode.NewBatch()
	for _, s := range samples[max(0, len(samples)-calibrationPositions):] {
		appendSample(b, s)
	}
	return fast.Calibrate(w, b)
}

// appendSample appends the inputs of a sample to a batch. Samples do not know their rule set's hash, which
// only helps evaluators to find what they remember of it.
func appendSample(b *eval.Batch, s *train.Sample) {
	planes, scalars, scales := b.AddRow(0)
	copy(planes, s.Planes)
	copy(scalars, s.Scalars)
	copy(scales, s.Scales)
	for _, index := range s.Moves {
		b.AddMove(index)
	}
}

// randomPositions calls each with games at n positions, one ply in seven of random games: an odd number, so
// that both armies are to move, and not small, so that many games and rule sets are seen.
func randomPositions(rules *selfplay.RuleSource, n int, each func(g *env.Game)) error {
	rng := rand.New(rand.NewPCG(3, 4))
	for {
		r, err := rules.Draw(rng)
		if err != nil {
			return err
		}
		for g := env.NewGame(r, r.StartPosition()); !g.Outcome().Over(); {
			if g.Ply()%7 == 0 {
				if n == 0 {
					return nil
				}
				each(g)
				n--
			}
			moves := g.LegalMoves()
			if err := g.Play(moves[rng.IntN(len(moves))]); err != nil {
				return err
			}
		}
	}
}
