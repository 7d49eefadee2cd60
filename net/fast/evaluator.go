package fast

import (
	"fmt"

	"synochess/env/encode"
	"synochess/net"
	"synochess/net/kernels"
	"synochess/net/kernels/inference"
)

// trunk is the part of inference.Trunk that evaluating needs.
type trunk interface {
	Run(x []float32, rows int)
	Chunk() int
}

// Evaluator runs one network. It holds scratch memory and belongs to one goroutine; any number of
// Evaluators may be made from the same weights, best as Twins of each other.
type Evaluator struct {
	arch   net.Arch
	id     string
	path   string
	stem   *stem
	trunk  trunk
	policy *policy
	value  *head
	chunk  int
	x      []float32 // [row of the chunk][square][channel]
}

// New returns an Evaluator in float32 on a kernel path. Weights that are not finite, do not fit
// this program's encoding or do not give the outputs of their own test vectors are refused.
func New(path *kernels.Path, w *net.Weights) (*Evaluator, error) {
	if err := check(w); err != nil {
		return nil, err
	}
	e := assemble(w, path, inference.NewTrunk(path, w.Arch.Width, foldTrunk(w)))
	e.id, e.path = w.EvalID(), path.Float.Name
	if err := e.verify(w.Vectors()); err != nil {
		return nil, err
	}
	return e, nil
}

// check reports weights that no Evaluator can be made of.
func check(w *net.Weights) error {
	if err := w.Check(); err != nil {
		return err
	}
	return w.Arch.CheckEncoding()
}

// Twin returns an Evaluator of the same network for another goroutine. It gives the same results, is not
// checked again, and shares what the two only read.
func (e *Evaluator) Twin() *Evaluator {
	t := *e
	t.stem, t.policy, t.value = e.stem.twin(), e.policy.twin(), e.value.twin()
	t.trunk = e.trunk.(inference.Trunk).Twin() // only Calibrate makes one with another trunk, and keeps it
	t.x = make([]float32, len(e.x))
	return &t
}

// assemble puts stem and heads around a trunk.
func assemble(w *net.Weights, path *kernels.Path, trunk trunk) *Evaluator {
	e := &Evaluator{arch: w.Arch, stem: newStem(w, path), trunk: trunk, policy: newPolicy(w, path), chunk: trunk.Chunk()}
	e.value = newHead(w, path, w.Arch.Value(), e.chunk)
	e.x = make([]float32, e.chunk*64*w.Arch.Width)
	return e
}

// ID returns the network's evaluation id, which tells precisions apart.
func (e *Evaluator) ID() string { return e.id }

// KernelPath names the kernels that run.
func (e *Evaluator) KernelPath() string { return e.path }

// Evaluate is part of mcts.Evaluator. Rows may hold more planes and scalars than the network reads, as those of
// a newer encoding do. A batch that holds fewer, a row without legal moves, with a
// policy index or a scalar out of range, or whose result is not finite is an error; the outputs are then not
// to be used.
func (e *Evaluator) Evaluate(b *encode.Batch) error {
	if err := e.check(b); err != nil {
		return err
	}
	b.PrepareOutputs()
	size := 64 * e.arch.Width
	for from := 0; from < b.Len(); from += e.chunk {
		rows := min(e.chunk, b.Len()-from)
		x := e.enter(b, from, rows)
		e.trunk.Run(x, rows)
		e.value.run(b.WDL[from*3:(from+rows)*3], x, rows)
		for i := range rows {
			e.policy.run(b.RowLogits(from+i), x[i*size:(i+1)*size], b.Moves(from+i))
		}
	}
	return finite(b)
}

// enter runs the stem for rows of a batch, a chunk at most, and returns what the trunk reads, in e.x.
func (e *Evaluator) enter(b *encode.Batch, from, rows int) []float32 {
	size := 64 * e.arch.Width
	x := e.x[:rows*size]
	for i := range rows {
		e.stem.run(x[i*size:(i+1)*size], b.Row(from+i))
	}
	return x
}

// check reports the first fault of a batch.
func (e *Evaluator) check(b *encode.Batch) error {
	if b.NumPlanes < e.arch.Planes || b.NumScalars < e.arch.Scalars {
		return fmt.Errorf("evaluate: the batch has %d planes and %d scalars a row, the network reads %d and %d",
			b.NumPlanes, b.NumScalars, e.arch.Planes, e.arch.Scalars)
	}
	for row := range b.Len() {
		if len(b.Moves(row)) == 0 {
			return fmt.Errorf("evaluate: row %d has no legal move", row)
		}
	}
	for i, index := range b.Indices {
		if int(index) >= 64*e.arch.PolicyPlanes {
			return fmt.Errorf("evaluate: policy index %d (move %d of the batch) is out of range", index, i)
		}
	}
	for i, v := range b.Scalars {
		if scale := b.Scales[i]; scale == 0 || v > scale {
			return fmt.Errorf("evaluate: row %d: scalar %d is %d/%d, must lie in [0,1]", i/b.NumScalars, i%b.NumScalars, v, scale)
		}
	}
	return nil
}

// finite reports the first row with an output that is not a finite number.
func finite(b *encode.Batch) error {
	for row := range b.Len() {
		for _, part := range [2][]float32{b.RowLogits(row), b.RowWDL(row)} {
			for _, v := range part {
				if v-v != 0 {
					return fmt.Errorf("evaluate: row %d gives %v; the weights are damaged or overflow, go back to an earlier checkpoint", row, v)
				}
			}
		}
	}
	return nil
}
