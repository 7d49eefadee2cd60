package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"synochess/internal/kernels"
)

// convOp is a ConvBN layer: inputs x, weight, scale, bias, added vectors.
type convOp struct {
	op
	layer *kernels.ConvBN
	y     *tensor.Dense
	grads []*tensor.Dense // of each input, nil for data
}

// convBN applies a layer.
func convBN(name string, l *kernels.ConvBN, x, weight, scale, bias, add *gorgonia.Node) (*gorgonia.Node, error) {
	b, n := l.Batch, l.Out
	o := &convOp{layer: l, y: dense(l.Y, b, 10, 10, n)}
	inputs := gorgonia.Nodes{x, weight, scale, bias, add}
	o.grads = []*tensor.Dense{nil, dense(l.DW, 9*l.In, n), dense(l.DScale, n), dense(l.DBias, n), dense(l.DAdd, b, n)}
	if l.DX != nil {
		o.grads[0] = dense(l.DX, b, 10, 10, l.In)
	}
	o.op = newOp(name, o.y.Shape(), inputs)
	return gorgonia.ApplyOp(o, inputs...)
}

func (o *convOp) Do(v ...gorgonia.Value) (gorgonia.Value, error) {
	if err := o.layer.Forward(floats(v[0]), floats(v[1]), floats(v[2]), floats(v[3]), floats(v[4]), nil); err != nil {
		return nil, fmt.Errorf("%s: %w", o.name, err)
	}
	return o.y, nil
}

func (o *convOp) DiffWRT(int) []bool { return present(o.grads) }

// SymDiff makes the output a child of the backward op, so that nothing overwrites it before.
func (o *convOp) SymDiff(inputs gorgonia.Nodes, output, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	return backward(o.name, gorgonia.Nodes{inputs[0], inputs[2], output, grad}, o.grads, func(v []gorgonia.Value) error {
		o.layer.Backward(floats(v[0]), floats(v[1]), floats(v[3]))
		return nil
	})
}

// blockOp is a residual block: inputs x, then weight, scale and bias of each of the two layers.
type blockOp struct {
	op
	block *kernels.Residual
	y     *tensor.Dense
	grads []*tensor.Dense
}

// residual applies a block; params are both layers' weight, scale and bias.
func residual(name string, r *kernels.Residual, x *gorgonia.Node, params gorgonia.Nodes) (*gorgonia.Node, error) {
	o := &blockOp{block: r, y: dense(r.Y, x.Shape()...)}
	inputs := append(gorgonia.Nodes{x}, params...)
	o.grads = []*tensor.Dense{dense(r.DX, x.Shape()...)}
	for _, l := range []*kernels.ConvBN{r.First, r.Second} {
		o.grads = append(o.grads, dense(l.DW, 9*l.In, l.Out), dense(l.DScale, l.Out), dense(l.DBias, l.Out))
	}
	o.op = newOp(name, o.y.Shape(), inputs)
	return gorgonia.ApplyOp(o, inputs...)
}

func (o *blockOp) Do(v ...gorgonia.Value) (gorgonia.Value, error) {
	err := o.block.Forward(floats(v[0]), floats(v[1]), floats(v[2]), floats(v[3]), floats(v[4]), floats(v[5]), floats(v[6]))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.name, err)
	}
	return o.y, nil
}

func (o *blockOp) DiffWRT(int) []bool { return present(o.grads) }

func (o *blockOp) SymDiff(inputs gorgonia.Nodes, output, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	return backward(o.name, gorgonia.Nodes{inputs[0], inputs[2], inputs[5], output, grad}, o.grads, func(v []gorgonia.Value) error {
		o.block.Backward(floats(v[0]), floats(v[1]), floats(v[2]), floats(v[4]))
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

// linOp is a Lin layer: inputs x, weight, bias.
type linOp struct {
	op
	layer *kernels.Lin
	y     *tensor.Dense
	grads []*tensor.Dense
}

// lin applies a layer without bias if bias is nil. The output has one row a position.
func lin(name string, l *kernels.Lin, x, weight, bias *gorgonia.Node) (*gorgonia.Node, error) {
	o := &linOp{layer: l, y: dense(l.Y, l.Batch, len(l.Y)/l.Batch)}
	inputs := gorgonia.Nodes{x, weight}
	o.grads = []*tensor.Dense{nil, dense(l.DW, l.In, l.Out)}
	if l.DX != nil {
		o.grads[0] = dense(l.DX, x.Shape()...)
	}
	if bias != nil {
		inputs, o.grads = append(inputs, bias), append(o.grads, dense(l.DB, l.Out))
	}
	o.op = newOp(name, o.y.Shape(), inputs)
	return gorgonia.ApplyOp(o, inputs...)
}

func (o *linOp) Do(v ...gorgonia.Value) (gorgonia.Value, error) {
	var bias []float32
	if len(v) > 2 {
		bias = floats(v[2])
	}
	o.layer.Forward(floats(v[0]), floats(v[1]), bias)
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
	loss *kernels.MaskedCE
	grad *tensor.Dense
}

// maskedCE applies a loss to logits with one row a position.
func maskedCE(name string, l *kernels.MaskedCE, logits, targets, weights *gorgonia.Node) (*gorgonia.Node, error) {
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
