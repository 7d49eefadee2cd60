package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"synochess/net/kernels/training"
)

// towerOp is the Tower: inputs boards and vectors, then weight, scale and bias of each layer.
type towerOp struct {
	op
	tower  *training.Tower
	params []training.LayerParams // what the inputs hold, filled at each run
	y      *tensor.Dense
	grads  []*tensor.Dense // of each input, nil for data
}

// tower applies the tower; params are weight, scale and bias of each layer.
func tower(t *training.Tower, boards, vectors *gorgonia.Node, params gorgonia.Nodes) (*gorgonia.Node, error) {
	b, n := t.Layers[0].Batch, t.Layers[0].Out
	o := &towerOp{tower: t, params: make([]training.LayerParams, len(t.Layers)), y: dense(t.Y, b, 10, 10, n)}
	o.grads = []*tensor.Dense{nil, dense(t.DAdd, b, n)}
	for _, l := range t.Layers {
		o.grads = append(o.grads, dense(l.DW, 9*l.In, n), dense(l.DScale, n), dense(l.DBias, n))
	}
	inputs := append(gorgonia.Nodes{boards, vectors}, params...)
	o.op = newOp("tower", o.y.Shape(), inputs)
	return gorgonia.ApplyOp(o, inputs...)
}

func (o *towerOp) Do(v ...gorgonia.Value) (gorgonia.Value, error) {
	for i := range o.params {
		p := v[2+3*i:]
		o.params[i] = training.LayerParams{Weight: floats(p[0]), Scale: floats(p[1]), Bias: floats(p[2])}
	}
	if err := o.tower.Forward(floats(v[0]), floats(v[1]), o.params); err != nil {
		return nil, fmt.Errorf("%s: %w", o.name, err)
	}
	return o.y, nil
}

func (o *towerOp) DiffWRT(int) []bool { return present(o.grads) }

// SymDiff makes the output a child of the backward op, so that nothing overwrites it before. The
// parameters are those that the forward op saw.
func (o *towerOp) SymDiff(inputs gorgonia.Nodes, output, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	return backward(o.name, gorgonia.Nodes{inputs[0], output, grad}, o.grads, func(v []gorgonia.Value) error {
		o.tower.Backward(floats(v[0]), o.params, floats(v[2]))
		return nil
	})
}

// present says which gradients there are.
func present(grads []*tensor.Dense) []bool {
	has := make([]bool, len(grads))
	for i, g := range grads {
		has[i] = g != nil
	}
	return has
}

// linOp is a Lin layer: inputs x, weight, bias, and the targets that mask its output, where it has them.
type linOp struct {
	op
	layer *training.Lin
	y     *tensor.Dense
	grads []*tensor.Dense
}

// lin applies a layer, without bias if bias is nil; targets may be nil unless bias is. The output has one
// row a position.
func lin(name string, l *training.Lin, x, weight, bias, targets *gorgonia.Node) (*gorgonia.Node, error) {
	o := &linOp{layer: l, y: dense(l.Y, l.Batch, len(l.Y)/l.Batch)}
	inputs := gorgonia.Nodes{x, weight}
	o.grads = []*tensor.Dense{nil, dense(l.DW, l.In, l.Out)}
	if l.DX != nil {
		o.grads[0] = dense(l.DX, x.Shape()...)
	}
	if bias != nil {
		inputs, o.grads = append(inputs, bias), append(o.grads, dense(l.DB, l.Out))
	}
	if targets != nil {
		inputs, o.grads = append(inputs, targets), append(o.grads, nil)
	}
	o.op = newOp(name, o.y.Shape(), inputs)
	return gorgonia.ApplyOp(o, inputs...)
}

func (o *linOp) Do(v ...gorgonia.Value) (gorgonia.Value, error) {
	switch len(v) {
	case 2:
		o.layer.Forward(floats(v[0]), floats(v[1]), nil)
	case 3:
		o.layer.Forward(floats(v[0]), floats(v[1]), floats(v[2]))
	default:
		o.layer.ForwardOpen(floats(v[0]), floats(v[1]), floats(v[2]), floats(v[3]))
	}
	return o.y, nil
}

func (o *linOp) DiffWRT(int) []bool { return present(o.grads) }

func (o *linOp) SymDiff(inputs gorgonia.Nodes, output, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	return backward(o.name, gorgonia.Nodes{inputs[0], inputs[1], output, grad}, o.grads, func(v []gorgonia.Value) error {
		o.layer.Backward(floats(v[0]), floats(v[1]), floats(v[3]))
		return nil
	})
}

// lossOp is a MaskedCE: inputs logits, targets, weights.
type lossOp struct {
	op
	loss *training.MaskedCE
	grad *tensor.Dense
}

// maskedCE applies a loss to logits with one row a position.
func maskedCE(name string, l *training.MaskedCE, logits, targets, weights *gorgonia.Node) (*gorgonia.Node, error) {
	inputs := gorgonia.Nodes{logits, targets, weights}
	o := &lossOp{op: newOp(name, tensor.ScalarShape(), inputs), loss: l, grad: dense(l.Grad, l.Batch, l.Size)}
	return gorgonia.ApplyOp(o, inputs...)
}

func (o *lossOp) Do(v ...gorgonia.Value) (gorgonia.Value, error) {
	loss, err := o.loss.Forward(floats(v[0]), floats(v[1]), floats(v[2]))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.name, err)
	}
	return gorgonia.NewF32(loss), nil
}

func (o *lossOp) DiffWRT(int) []bool { return []bool{true, false, false} }

// SymDiff scales the gradient that Forward left by that of the loss, once a run.
func (o *lossOp) SymDiff(inputs gorgonia.Nodes, output, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	return backward(o.name, gorgonia.Nodes{inputs[0], output, grad}, []*tensor.Dense{o.grad, nil, nil}, func(v []gorgonia.Value) error {
		if factor := v[2].Data().(float32); factor != 1 {
			for i := range o.loss.Grad {
				o.loss.Grad[i] *= factor
			}
		}
		return nil
	})
}
