package fast

import (
	"synochess/env/encode"
	"synochess/net"
	"synochess/net/kernels"
)

// policy computes logits of single moves from the trunk's output.
type policy struct {
	path   *kernels.Path
	width  int
	weight []float32 // [plane][channel]
	bias   []float32 // [plane]

	// The from-to term, if channels is not 0: q and k of all squares come from one product.
	channels int
	both     *kernels.Packed // [channel][q, k], q with the term's scale
	ws       kernels.Workspace
	ends     []float32 // [square][q, k]
}

func newPolicy(w *net.Weights, path *kernels.Path) *policy {
	t, n := w.Tensor("policy.weight"), w.Arch.FromTo
	p := &policy{path: path, width: w.Arch.Width, weight: transpose(t.Data, t.Shape[0], t.Shape[1]), bias: w.Tensor("policy.bias").Data, channels: n}
	if n == 0 {
		return p
	}
	from, to := w.Tensor("policy.from.weight").Data, w.Tensor("policy.to.weight").Data
	scale := w.Arch.FromToScale()
	both := make([]float32, 0, 2*len(from))
	for at := 0; at < len(from); at += n {
		for _, v := range from[at : at+n] {
			both = append(both, float32(scale*v))
		}
		both = append(both, to[at:at+n]...)
	}
	p.both = path.Pack(p.width, 2*n, both)
	p.ends = make([]float32, 64*2*n)
	return p
}

// twin returns a head with scratch of its own.
func (p *policy) twin() *policy {
	t := *p
	t.ws, t.ends = kernels.Workspace{}, make([]float32, len(p.ends))
	return &t
}

// run fills logits for the policy indices in moves; x is one row [square][channel].
func (p *policy) run(logits, x []float32, moves []uint16) {
	for i, index := range moves {
		plane, square := int(index>>6), int(index&63)
		logits[i] = p.bias[plane] + p.path.Dot(p.weight[plane*p.width:][:p.width], x[square*p.width:])
	}
	n := p.channels
	if n == 0 {
		return
	}
	p.path.GemmPacked(&p.ws, 64, x, p.width, p.both, p.ends, 2*n)
	for i, index := range moves {
		from, to := encode.IndexSquares(index)
		logits[i] += p.path.Dot(p.ends[int(from)*2*n:][:n], p.ends[(2*int(to)+1)*n:])
	}
}
