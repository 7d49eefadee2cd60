package fast

import (
	"fmt"
	"slices"

	"synochess/env"
	"synochess/env/encode"
	"synochess/net"
	"synochess/net/kernels"
	"synochess/net/kernels/inference"
)

// vectorTolerance is how far an output may lie from a test vector, relative to the largest of the vector's
// logits, or to 1. It covers every float32 kernel; a network read wrongly is off by far more.
const vectorTolerance = 1e-3

// Save computes the network's test vectors on the portable kernels and writes the weights file.
func Save(path string, w *net.Weights) error {
	if err := AddVectors(w); err != nil {
		return err
	}
	return w.Save(path)
}

// AddVectors computes test vectors, on the portable kernels, for the network as it is now: the start position of every built-in
// rule set and the position six plies into an arbitrary game of it. They hold the inputs that the network reads.
func AddVectors(w *net.Weights) error {
	e, err := New(kernels.Portable, w)
	if err != nil {
		return err
	}
	b, err := vectorRows()
	if err != nil {
		return err
	}
	if err := e.Evaluate(b); err != nil {
		return err
	}
	var list []net.TestVector
	for row := range b.Len() {
		list = append(list, net.TestVector{
			Row: b.Row(row).First(w.Arch.Planes, w.Arch.Scalars).Clone(), Logits: slices.Clone(b.RowLogits(row)), WDL: [3]float32(b.RowWDL(row)),
		})
	}
	w.SetVectors(list)
	return nil
}

// vectorRows returns the inputs of the test vectors.
func vectorRows() (*encode.Batch, error) {
	b := encode.NewBatch()
	for _, name := range env.BuiltinNames() {
		r, err := env.Builtin(name)
		if err != nil {
			return nil, err
		}
		p := r.StartPosition()
		moves := r.Legal(&p, nil)
		encode.AppendRow(b, r, &p, 0, moves)
		for ply := 0; ply < 6 && len(moves) > 0; ply++ {
			var next env.Position
			r.Apply(&p, moves[ply*7%len(moves)], &next)
			p, moves = next, r.Legal(&next, nil)
		}
		if len(moves) > 0 {
			encode.AppendRow(b, r, &p, 1, moves)
		}
	}
	return b, nil
}

// vectorBatch returns the inputs of test vectors.
func vectorBatch(arch net.Arch, vectors []net.TestVector) (*encode.Batch, error) {
	b := encode.NewBatchOf(arch.Planes, arch.Scalars)
	for i, v := range vectors {
		if len(v.Planes) != arch.Planes || len(v.Scalars) != arch.Scalars || len(v.Scales) != arch.Scalars || len(v.Logits) != len(v.Moves) {
			return nil, fmt.Errorf("test vector %d does not have the network's shape; the weights file is damaged, go back to an earlier one", i)
		}
		b.Append(v.Row)
	}
	return b, nil
}

// verify evaluates test vectors and reports the first output that differs.
func (e *Evaluator) verify(vectors []net.TestVector) error {
	b, err := vectorBatch(e.arch, vectors)
	if err != nil {
		return err
	}
	if err := e.Evaluate(b); err != nil {
		return fmt.Errorf("test vectors: %w", err)
	}
	for i, v := range vectors {
		if !near(b.RowLogits(i), v.Logits) || !near(b.RowWDL(i), v.WDL[:]) {
			return fmt.Errorf("test vector %d: the network gives %v %v, its file says %v %v; it would not play as it was trained: use the synochess that wrote it, and report this",
				i, b.RowLogits(i), b.RowWDL(i), v.Logits, v.WDL)
		}
	}
	return nil
}

// verifyTrunk runs the position of a test vector through the blocks, with the evaluator's trunk and with one
// that tells what is right, and reports the first number that differs. There is no tolerance, because
// integers are summed. One position meets every weight, and the trunk that tells is slow.
func (e *Evaluator) verifyTrunk(truth inference.Trunk, v net.TestVector) error {
	b, err := vectorBatch(e.arch, []net.TestVector{v})
	if err != nil {
		return err
	}
	got := e.enter(b, 0, 1)
	want := slices.Clone(got)
	e.trunk.Run(got, 1)
	truth.Run(want, 1)
	for i, y := range want {
		if got[i] != y {
			return fmt.Errorf("a test vector's position: kernel path %s gives %v where plain Go gives %v (square %d, channel %d); it does not work on this machine: force another with %s, and report this",
				e.path, got[i], y, i/e.arch.Width, i%e.arch.Width, kernels.Variable)
		}
	}
	return nil
}

// near reports whether outputs equal the expected ones within vectorTolerance. A small output is the
// difference of large sums and rounds as they do.
func near(got, want []float32) bool {
	scale := float32(1)
	for _, w := range want {
		scale = max(scale, w, -w)
	}
	for i, w := range want {
		if d := got[i] - w; !(max(d, -d) <= vectorTolerance*scale) {
			return false
		}
	}
	return true
}
