package graph

import (
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"synochess/env/encode"
	"synochess/net"
	"synochess/net/kernels/training"
)

// newFromTo allocates the from-to term of a policy layer, nil if the architecture has none.
func newFromTo(policy *training.Lin, a net.Arch) *training.FromTo {
	if a.FromTo == 0 {
		return nil
	}
	s := training.FromToShape{Channels: a.FromTo, Scale: a.FromToScale(), Squares: make([][2]uint8, 64*a.PolicyPlanes)}
	for i := range s.Squares { // [square][plane], as the policy's logits lie
		from, to := encode.IndexSquares(uint16(i%a.PolicyPlanes*64 + i/a.PolicyPlanes))
		s.Squares[i] = [2]uint8{uint8(from), uint8(to)}
	}
	return training.NewFromTo(policy, s)
}

// policyOp is a policy layer with a from-to term: inputs x, weight, bias, from, to, and the targets that mask
// its output. The term is no op of its own, because it adds to the layer's output and gradient where they lie.
type policyOp struct {
	op
	layer *training.Lin
	term  *training.FromTo
	y     *tensor.Dense
	grads []*tensor.Dense
}

// policy applies the layer and its term.
func policy(name string, l *training.Lin, term *training.FromTo, x, weight, bias, from, to, targets *gorgonia.Node) (*gorgonia.Node, error) {
	inputs := gorgonia.Nodes{x, weight, bias, from, to, targets}
	o := &policyOp{layer: l, term: term, y: dense(l.Y, l.Batch, len(l.Y)/l.Batch), grads: []*tensor.Dense{
		dense(l.DX, x.Shape()...), dense(l.DW, l.In, l.Out), dense(l.DB, l.Out),
		dense(term.DFrom, l.In, term.Channels), dense(term.DTo, l.In, term.Channels), nil,
	}}
	o.op = newOp(name, o.y.Shape(), inputs)
	return gorgonia.ApplyOp(o, inputs...)
}

func (o *policyOp) Do(v ...gorgonia.Value) (gorgonia.Value, error) {
	x := floats(v[0])
	o.layer.ForwardOpen(x, floats(v[1]), floats(v[2]), floats(v[5]))
	o.term.Forward(x, floats(v[3]), floats(v[4]))
	return o.y, nil
}

func (o *policyOp) DiffWRT(int) []bool { return present(o.grads) }

func (o *policyOp) SymDiff(inputs gorgonia.Nodes, output, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	return backward(o.name, gorgonia.Nodes{inputs[0], inputs[1], output, grad}, o.grads, func(v []gorgonia.Value) error {
		x, dy := floats(v[0]), floats(v[3])
		o.layer.Backward(x, floats(v[1]), dy)
		o.term.Backward(x, dy)
		return nil
	})
}
