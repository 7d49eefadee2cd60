package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"synochess/net"
	"synochess/net/kernels/training"
)

// layers holds the kernels of a network: the state that its graphs share.
type layers struct {
	tower  *training.Tower
	convs  []named[*training.ConvBN] // the tower's layers
	vector *training.Lin             // the stem's projection of the scalar vector
	lins   []named[*training.Lin]
	fromTo *training.FromTo // of the policy, lins[0]; nil if there is none
	policy *training.MaskedCE
	value  *training.MaskedCE
}

// named is a layer and its name in net's tensor names.
type named[T any] struct {
	name  string
	layer T
}

// newLayers allocates the kernels of an architecture.
func newLayers(pool *training.Pool, a net.Arch, batch int) *layers {
	l := &layers{}
	l.tower = training.NewTower(pool, training.TowerShape{Batch: batch, In: a.InputPlanes(), Width: a.Width, Blocks: a.Blocks, Epsilon: net.Epsilon})
	for i, c := range l.tower.Layers {
		name := "stem"
		if i > 0 {
			name = fmt.Sprintf("block%d.conv%d", (i-1)/2, 2-i%2)
		}
		l.convs = append(l.convs, named[*training.ConvBN]{name, c})
	}
	l.vector = training.NewLin(pool, training.LinShape{Batch: batch, In: a.VectorLen(), Out: a.Width, NoInputGrad: true})
	add := func(name string, s training.LinShape) {
		s.Batch = batch
		l.lins = append(l.lins, named[*training.Lin]{name, training.NewLin(pool, s)})
	}
	add("policy", training.LinShape{Board: true, In: a.Width, Out: a.PolicyPlanes, SparseGrad: true})
	add("value.conv", training.LinShape{Board: true, In: a.Width, Out: a.ValueChannels, ReLU: true})
	add("value.fc1", training.LinShape{In: 64 * a.ValueChannels, Out: a.ValueHidden, ReLU: true})
	add("value.fc2", training.LinShape{In: a.ValueHidden, Out: 3})
	l.fromTo = newFromTo(l.lins[0].layer, a)
	l.policy = training.NewMaskedCE(pool, batch, 64*a.PolicyPlanes)
	l.value = training.NewMaskedCE(pool, batch, 3)
	return l
}

// inputs are the tensors a batch is written to.
type inputs struct {
	boards       *tensor.Dense // [batch][10][10][InputPlanes]
	vector       *tensor.Dense // [batch][VectorLen]
	policy       *tensor.Dense // [batch][64*PolicyPlanes], -1 for what is not a legal move
	policyWeight *tensor.Dense // [batch]
	value        *tensor.Dense // [batch][3]
	valueWeight  *tensor.Dense // [batch]
}

func newInputs(a net.Arch, batch int) inputs {
	zeros := func(shape ...int) *tensor.Dense {
		return dense(make([]float32, tensor.Shape(shape).TotalSize()), shape...)
	}
	return inputs{
		boards: zeros(batch, 10, 10, a.InputPlanes()), vector: zeros(batch, a.VectorLen()),
		policy: zeros(batch, 64*a.PolicyPlanes), policyWeight: zeros(batch),
		value: zeros(batch, 3), valueWeight: zeros(batch),
	}
}

// inputData is the data of the inputs; taking it out of a tensor allocates.
type inputData struct {
	boards, vector, policy, policyWeight, value, valueWeight []float32
}

func (in inputs) data() inputData {
	return inputData{
		boards: floats(in.boards), vector: floats(in.vector), policy: floats(in.policy), policyWeight: floats(in.policyWeight),
		value: floats(in.value), valueWeight: floats(in.valueWeight),
	}
}

// program is one Gorgonia graph over the layers.
type program struct {
	graph  *gorgonia.ExprGraph
	params gorgonia.Nodes // in the order of the parameters
	loss   *gorgonia.Node
}

// assemble builds the graph of the whole network; params holds the trained tensors by their names.
func assemble(a net.Arch, l *layers, in inputs, params []*parameter, valueWeight float64) (*program, error) {
	p := &program{graph: gorgonia.NewGraph()}
	byName := map[string]*gorgonia.Node{}
	node := func(name string, t *tensor.Dense) *gorgonia.Node {
		return gorgonia.NewTensor(p.graph, tensor.Float32, t.Dims(), gorgonia.WithShape(t.Shape()...), gorgonia.WithName(name), gorgonia.WithValue(t))
	}
	for _, q := range params {
		n := node(q.name, q.value)
		p.params, byName[q.name] = append(p.params, n), n
	}
	var first error
	check := func(n *gorgonia.Node, err error) *gorgonia.Node {
		if err != nil && first == nil {
			first = fmt.Errorf("building the network's graph: %w", err)
		}
		return n
	}
	linear := func(i int, x, targets *gorgonia.Node) *gorgonia.Node {
		if first != nil {
			return nil
		}
		name := l.lins[i].name
		if i == 0 && l.fromTo != nil {
			return check(policy(name, l.lins[i].layer, l.fromTo, x, byName[name+".weight"], byName[name+".bias"],
				byName[name+".from.weight"], byName[name+".to.weight"], targets))
		}
		return check(lin(name, l.lins[i].layer, x, byName[name+".weight"], byName[name+".bias"], targets))
	}

	vector := check(lin("stem.vector", l.vector, node("input.vector", in.vector), byName["stem.vector.weight"], nil, nil))
	if first != nil {
		return nil, first
	}
	var inputs gorgonia.Nodes
	for i, c := range l.convs {
		weight := c.name + ".weight"
		if i == 0 {
			weight = "stem.conv.weight"
		}
		inputs = append(inputs, byName[weight], byName[c.name+".bn.scale"], byName[c.name+".bn.bias"])
	}
	x := check(tower(l.tower, node("input.boards", in.boards), vector, inputs))
	targets := node("target.policy", in.policy)
	logits := linear(0, x, targets)
	value := linear(3, linear(2, linear(1, x, nil), nil), nil)
	if first != nil {
		return nil, first
	}
	policyLoss := check(maskedCE("policy loss", l.policy, logits, targets, node("weight.policy", in.policyWeight)))
	valueLoss := check(maskedCE("value loss", l.value, value, node("target.value", in.value), node("weight.value", in.valueWeight)))
	if first != nil {
		return nil, first
	}
	scaled := check(gorgonia.Mul(valueLoss, gorgonia.NewConstant(float32(valueWeight), gorgonia.WithName("value weight"))))
	if first == nil {
		p.loss = check(gorgonia.Add(policyLoss, scaled))
	}
	return p, first
}
