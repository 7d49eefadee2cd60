package onnx

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"synochess/env"
	"synochess/env/encode"
	"synochess/internal/files"
	"synochess/net"
	"synochess/net/fast"
	"synochess/net/kernels"
)

// Tolerance is how far an output of an exported model may lie from that of package fast, relative to
// max(1, |output|).
const Tolerance = 1e-4

// Runner runs a model on positions. It belongs to one goroutine.
type Runner interface {
	// Name names the runtime and its version.
	Name() string
	// Run evaluates rows positions: planes is [rows][P][8][8] and vector [rows][V] (Inputs makes them),
	// policy is [rows][5184] and value [rows][3]. The results are valid until the next call.
	Run(rows int, planes, vector []float32) (policy, value []float32, err error)
	// Close frees what the runtime holds.
	Close() error
}

// Agreement says how near a runtime's outputs are to package fast's.
type Agreement struct {
	Runtime   string
	Positions int
	Logits    int     // compared, all policy indices of all positions
	Logit     float64 // largest difference of a logit, relative to max(1, |logit|)
	Value     float64 // largest difference of a probability of win, draw or loss
}

// String is one line.
func (a Agreement) String() string {
	return fmt.Sprintf("%s: %d positions, %d logits off by at most %.1e of max(1, |logit|), win/draw/loss by %.1e (limit %.0e)",
		a.Runtime, a.Positions, a.Logits, a.Logit, a.Value, Tolerance)
}

// Positions plays random games under the rule sets that the weights were trained on (all built-in ones
// if they name none) and returns every seventh position, n in all, asking for every policy index.
func Positions(w *net.Weights, n int) (*encode.Batch, error) {
	var sets []*env.Rules
	for i, text := range w.Record.Rules {
		r, err := env.ParseRules([]byte(text), fmt.Sprintf("rule set %d of the weights", i))
		if err != nil {
			return nil, err
		}
		sets = append(sets, r)
	}
	if len(sets) == 0 {
		for _, name := range env.BuiltinNames() {
			r, err := env.Builtin(name)
			if err != nil {
				return nil, err
			}
			sets = append(sets, r)
		}
	}
	b := encode.NewBatch()
	rng := rand.New(rand.NewPCG(20, 26))
	for game := 0; b.Len() < n; game++ {
		r := sets[game%len(sets)]
		g := env.NewGame(r, r.StartPosition())
		for kept := 0; !g.Outcome().Over() && b.Len() < n && kept < 10; {
			if g.Ply()%7 == game%7 {
				encode.AppendRow(b, r, g.Position(), g.Repetitions(), nil) // all indices are asked for instead
				for i := range encode.PolicySize {
					b.AddMove(uint16(i))
				}
				kept++
			}
			g.PlayRandom(rng)
		}
	}
	return b, nil
}

// Inputs unpacks what a network of the architecture reads of rows [from, to) of a batch into the inputs of its
// model.
func Inputs(a net.Arch, b *encode.Batch, from, to int) (planes, vector []float32) {
	for row := from; row < to; row++ {
		r := b.Row(row).First(a.Planes, a.Scalars)
		for _, mask := range r.Planes {
			for square := range 64 {
				planes = append(planes, float32(mask>>square&1))
			}
		}
		for i, scalar := range r.Scalars {
			v := float32(scalar) / float32(r.Scales[i])
			if i >= net.ScalarPlanes {
				vector = append(vector, v)
				continue
			}
			for range 64 {
				planes = append(planes, v)
			}
		}
	}
	return planes, vector
}

// checkRows is how many positions a runtime gets at a time; it is odd so that the last batch is another.
const checkRows = 13

// Check compares a runtime with package fast, on its portable kernels, on a batch that asks for every
// policy index (Positions). It returns what it found together with an error if that is beyond Tolerance.
func Check(w *net.Weights, b *encode.Batch, r Runner) (Agreement, error) {
	a := Agreement{Runtime: r.Name(), Positions: b.Len(), Logits: len(b.Indices)}
	ev, err := fast.New(kernels.Portable, w)
	if err != nil {
		return a, err
	}
	if err := ev.Evaluate(b); err != nil {
		return a, err
	}
	for from := 0; from < b.Len(); from += checkRows {
		to := min(from+checkRows, b.Len())
		planes, vector := Inputs(w.Arch, b, from, to)
		policy, value, err := r.Run(to-from, planes, vector)
		if err != nil {
			return a, err
		}
		a.Logit = max(a.Logit, difference(policy, b.Logits[b.Offsets[from]:b.Offsets[to]]))
		a.Value = max(a.Value, difference(value, b.WDL[3*from:3*to]))
	}
	if max(a.Logit, a.Value) > Tolerance {
		return a, fmt.Errorf("onnx: the model does not agree with the network: %s", a)
	}
	return a, nil
}

// difference returns the largest difference relative to max(1, |want|); outputs of another length or
// that are no numbers are infinitely far.
func difference(got, want []float32) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	worst := 0.0
	for i, v := range want {
		d := math.Abs(float64(got[i])-float64(v)) / max(1, math.Abs(float64(v)))
		if d != d {
			return math.Inf(1)
		}
		worst = max(worst, d)
	}
	return worst
}

// checkPositions is how many positions an export is checked on.
const checkPositions = 96

// Export writes the network to path as an ONNX model, whole or not at all, once every runtime has shown
// that it agrees: the interpreter, and those that open returns for the serialised model.
func Export(path string, w *net.Weights, program string, open ...func(model []byte) (Runner, error)) ([]Agreement, error) {
	model, err := Marshal(w, program)
	if err != nil {
		return nil, err
	}
	b, err := Positions(w, checkPositions)
	if err != nil {
		return nil, err
	}
	interpret := func(model []byte) (Runner, error) { return Interpret(model) }
	var found []Agreement
	for _, f := range append([]func([]byte) (Runner, error){interpret}, open...) {
		r, err := f(model)
		if err != nil {
			return found, err
		}
		a, err := Check(w, b, r)
		if closed := r.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return found, err
		}
		found = append(found, a)
	}
	return found, files.WriteAtomic(path, func(out io.Writer) error {
		_, err := out.Write(model)
		return err
	})
}
