package graph

import (
	"gorgonia.org/gorgonia"

	"synochess/net"
	"synochess/net/kernels/training"
)

// head is an answer of the network in training: the layers that follow the tower, what they should give, and the loss.
type head struct {
	name   string
	factor float64 // of its loss in the network's
	layers []named[*training.Lin]
	fromTo *training.FromTo // of the policy's only layer, nil if there is none
	target input            // [batch][classes], -1 for what cannot be
	weight input            // [batch], of each position in the loss; 0: no target
	loss   *training.MaskedCE
}

// heads are all of a network.
type heads struct{ policy, value *head }

// newHeads allocates the heads of an architecture.
func newHeads(pool *training.Pool, a net.Arch, o Options) heads {
	h := heads{
		policy: newHead(pool, "policy", 1, o.Batch, a.Policy()[:1]),
		value:  newHead(pool, "value", o.ValueWeight, o.Batch, a.Value()),
	}
	h.policy.fromTo = newFromTo(h.policy.layers[0].layer, a)
	return h
}

// all lists the heads in the order of net's layers.
func (h heads) all() []*head { return []*head{h.policy, h.value} }

// tally sums what the losses measured of the first rows of the batch.
func (h heads) tally(rows int) Tally { return Tally{rows, h.policy.tally(rows), h.value.tally(rows)} }

// newHead allocates a head for a chain of layers. If the last is of kind Square, each square's outputs are classes, of
// which most cannot be.
func newHead(pool *training.Pool, name string, factor float64, batch int, chain []net.Layer) *head {
	last := chain[len(chain)-1]
	sparse, classes := last.Kind == net.Square, last.Out
	if sparse {
		classes *= 64
	}
	h := &head{name: name, factor: factor, target: newInput(batch, classes), weight: newInput(batch), loss: training.NewMaskedCE(pool, batch, classes)}
	for i, l := range chain {
		h.layers = append(h.layers, named[*training.Lin]{l.Name, training.NewLin(pool, training.LinShape{
			Batch: batch, Board: l.Kind == net.Square, In: l.In, Out: l.Out, ReLU: l.ReLU, SparseGrad: sparse && i == len(chain)-1,
		})})
	}
	return h
}

// head appends a head that reads x and returns its part of the loss.
func (p *program) head(h *head, x *gorgonia.Node) (*gorgonia.Node, error) {
	target := p.node("target."+h.name, h.target.value)
	var err error
	for _, l := range h.layers {
		weight, bias := p.byName[l.name+".weight"], p.byName[l.name+".bias"]
		switch {
		case h.fromTo != nil:
			x, err = policy(l.name, l.layer, h.fromTo, x, weight, bias, p.byName[l.name+".from.weight"], p.byName[l.name+".to.weight"], target)
		case l.layer.SparseGrad:
			x, err = lin(l.name, l.layer, x, weight, bias, target)
		default:
			x, err = lin(l.name, l.layer, x, weight, bias, nil)
		}
		if err != nil {
			return nil, err
		}
	}
	loss, err := maskedCE(h.name+" loss", h.loss, x, target, p.node("weight."+h.name, h.weight.value))
	if err != nil || h.factor == 1 {
		return loss, err
	}
	return gorgonia.Mul(loss, gorgonia.NewConstant(float32(h.factor), gorgonia.WithName(h.name+" weight")))
}

// HeadTally sums what was measured of one head. All but Loss and Weight are over the positions that have a target.
type HeadTally struct {
	Rows    int     // positions with a target
	Loss    float64 // sum of weight * cross entropy, nats
	Weight  float64 // sum of the weights
	Hits    int     // the network's likeliest class is the target's
	Entropy float64 // of the network's distribution, nats
}

// tally sums over the first rows of the batch.
func (h *head) tally(rows int) HeadTally {
	var t HeadTally
	for i, w := range h.weight.data[:rows] {
		if w == 0 {
			continue
		}
		t.Rows++
		t.Weight += float64(w)
		t.Loss += float64(w * h.loss.Loss[i])
		t.Entropy += float64(h.loss.Entropy[i])
		if h.loss.Hit[i] {
			t.Hits++
		}
	}
	return t
}

func (t *HeadTally) add(o HeadTally) {
	t.Rows += o.Rows
	t.Loss += o.Loss
	t.Weight += o.Weight
	t.Hits += o.Hits
	t.Entropy += o.Entropy
}

// Tally sums what was measured over positions.
type Tally struct {
	Rows          int // positions
	Policy, Value HeadTally
}

// Add adds another tally.
func (t *Tally) Add(o Tally) {
	t.Rows += o.Rows
	t.Policy.add(o.Policy)
	t.Value.add(o.Value)
}
