package training

import "synochess/net/kernels"

// FromToShape describes a FromTo.
type FromToShape struct {
	Channels int        // of q and k
	Scale    float32    // factor of their product
	Squares  [][2]uint8 // [64*Out], of each output of a position, laid out as in the policy's Y: from and to square, 0 to 63
}

// FromTo is the part of a policy that sees both ends of a move: to each open output (ForwardOpen) of a policy
// layer it adds
//
//	Scale * q[from] . k[to], where q = x*from and k = x*to on every square
//
// and to the layer's DX its part of the input's gradient. It owns its outputs and gradients, all allocated once.
type FromTo struct {
	FromToShape
	DFrom, DTo []float32 // [In][Channels]

	policy *Lin
	both   *Lin      // q and k of a square side by side
	weight []float32 // [In][2*Channels], of both
	dy     []float32 // [position][square][2*Channels], of both
}

// NewFromTo allocates the term of a policy, a layer on boards without ReLU.
func NewFromTo(policy *Lin, s FromToShape) *FromTo {
	both := NewLin(policy.pool, LinShape{Batch: policy.Batch, Board: true, In: policy.In, Out: 2 * s.Channels, AddDXTo: policy})
	size := policy.In * s.Channels
	return &FromTo{
		FromToShape: s, DFrom: make([]float32, size), DTo: make([]float32, size),
		policy: policy, both: both, weight: make([]float32, 2*size), dy: make([]float32, len(both.Y)),
	}
}

// Forward adds the term to the policy's open outputs, after ForwardOpen of the same x. from and to are
// [In][Channels].
func (f *FromTo) Forward(x, from, to []float32) {
	n := f.Channels
	for i := range f.policy.In {
		row := f.weight[2*i*n:]
		copy(row[:n], from[i*n:])
		copy(row[n:2*n], to[i*n:])
	}
	f.both.Forward(x, f.weight, nil)
	f.eachPosition(func(p int, qk []float32) {
		y := f.policy.Y[p*64*f.policy.Out:]
		for _, i := range f.policy.open[p] {
			q, k := f.ends(i)
			y[i] += float32(f.Scale * kernels.Dot(qk[q:q+n], qk[k:k+n]))
		}
	})
}

// Backward takes dy, the gradient of the policy's outputs, after Forward and after the policy's Backward, both
// of the same x. It sets DFrom and DTo.
func (f *FromTo) Backward(x, dy []float32) {
	n := f.Channels
	f.eachPosition(func(p int, qk []float32) {
		d := f.dy[p*len(qk) : (p+1)*len(qk)]
		clear(d)
		g := dy[p*64*f.policy.Out:]
		for _, i := range f.policy.open[p] {
			q, k := f.ends(i)
			v := float32(f.Scale * g[i])
			kernels.AddScaled(d[q:q+n], qk[k:k+n], v)
			kernels.AddScaled(d[k:k+n], qk[q:q+n], v)
		}
	})
	f.both.Backward(x, f.weight, f.dy)
	for i := range f.policy.In {
		row := f.both.DW[2*i*n:]
		copy(f.DFrom[i*n:(i+1)*n], row)
		copy(f.DTo[i*n:(i+1)*n], row[n:])
	}
}

// eachPosition calls do, on the pool's threads, with every position and its q and k [square][2*Channels].
func (f *FromTo) eachPosition(do func(p int, qk []float32)) {
	size := 64 * 2 * f.Channels
	f.policy.pool.run(Blocks(f.policy.Batch), func(_, block int) {
		lo, hi := blockRange(block, f.policy.Batch)
		for p := lo; p < hi; p++ {
			do(p, f.both.Y[p*size:(p+1)*size])
		}
	})
}

// ends returns where a position's q of an output's from square begins, and its k of the target.
func (f *FromTo) ends(output int32) (q, k int) {
	s := f.Squares[output]
	return int(s[0]) * 2 * f.Channels, (2*int(s[1]) + 1) * f.Channels
}
