package fast

import (
	"fmt"
	"math"
	"math/rand/v2"

	"synochess/env/encode"
	"synochess/net"
)

// trained returns weights in which everything differs from its initial value, as training would leave
// them.
func trained(blocks, width int, seed uint64) *net.Weights {
	return trainedOf(encode.Version, blocks, width, 16, seed)
}

// trainedOf is trained for an encoding version, with a choice of the from-to term's channels.
func trainedOf(encoding, blocks, width, fromTo int, seed uint64) *net.Weights {
	w := net.New(net.Arch{Blocks: blocks, Width: width, ValueChannels: 5, ValueHidden: 18, FromTo: fromTo, EncodingVersion: encoding}, seed)
	r := rand.New(rand.NewPCG(seed, 3))
	for _, t := range w.Tensors {
		for i := range t.Data {
			switch {
			case t.Name == "policy.weight" || t.Name == "value.fc2.weight":
				t.Data[i] *= 20
			case t.Name == "policy.to.weight": // small, because the term is quadratic in activations that grow with the blocks
				t.Data[i] = float32(0.01 * (r.Float64() - 0.5))
			case len(t.Shape) == 1:
				t.Data[i] += float32(0.5 * (r.Float64() - 0.5))
			}
		}
	}
	return w
}

// reference computes one row from the definition in package net, in float64, nothing folded.
type reference struct {
	w *net.Weights
	a net.Arch
}

func (f reference) data(name string) []float32 { return f.w.Tensor(name).Data }

func (f reference) norm(x []float64, layer string) {
	scale, bias, mean, variance := f.data(layer+".bn.scale"), f.data(layer+".bn.bias"), f.data(layer+".bn.mean"), f.data(layer+".bn.var")
	for i := range x {
		c := i % f.a.Width
		x[i] = float64(scale[c])*(x[i]-float64(mean[c]))/math.Sqrt(float64(variance[c])+net.Epsilon) + float64(bias[c])
	}
}

func relu(x []float64) {
	for i := range x {
		x[i] = max(x[i], 0)
	}
}

// conv is a 3x3 convolution of x[square][in].
func (f reference) conv(x []float64, in int, weight []float32) []float64 {
	out := make([]float64, 64*f.a.Width)
	for s := range 64 {
		for ky := range 3 {
			for kx := range 3 {
				rank, file := s/8+ky-1, s%8+kx-1
				if rank < 0 || rank > 7 || file < 0 || file > 7 {
					continue
				}
				for i := range in {
					for o := range f.a.Width {
						out[s*f.a.Width+o] += x[(rank*8+file)*in+i] * float64(weight[((ky*3+kx)*in+i)*f.a.Width+o])
					}
				}
			}
		}
	}
	return out
}

// linear is x*weight + bias for each row of x.
func linear(x []float64, weight, bias []float32) []float64 {
	n, m := len(weight)/len(bias), len(bias)
	out := make([]float64, len(x)/n*m)
	for row := range len(x) / n {
		for o := range m {
			sum := float64(bias[o])
			for i := range n {
				sum += x[row*n+i] * float64(weight[i*m+o])
			}
			out[row*m+o] = sum
		}
	}
	return out
}

// policy returns the logits of all policy indices [square][plane].
func (f reference) policy(x []float64) []float64 {
	logits := linear(x, f.data("policy.weight"), f.data("policy.bias"))
	n := f.a.FromTo
	if n == 0 {
		return logits
	}
	q := linear(x, f.data("policy.from.weight"), make([]float32, n))
	k := linear(x, f.data("policy.to.weight"), make([]float32, n))
	for i := range logits {
		from, to := i/f.a.PolicyPlanes, i/f.a.PolicyPlanes
		if m, ok := encode.IndexMove(uint16(i%f.a.PolicyPlanes*64 + i/f.a.PolicyPlanes)); ok {
			from, to = int(m.From()), int(m.To())
		}
		for c := range n {
			logits[i] += q[from*n+c] * k[to*n+c] / math.Sqrt(float64(n))
		}
	}
	return logits
}

// row returns the logits of all policy indices [square][plane] and win, draw and loss.
func (f reference) row(b *encode.Batch, n int) (logits, wdl []float64) {
	in := f.a.InputPlanes()
	x := make([]float64, 64*in)
	scalar := func(i int) float64 {
		return float64(b.Scalars[n*b.NumScalars+i]) / float64(b.Scales[n*b.NumScalars+i])
	}
	for s := range 64 {
		for p := range f.a.Planes {
			x[s*in+p] = float64(b.Planes[n*b.NumPlanes+p] >> s & 1)
		}
		for i := range net.ScalarPlanes {
			x[s*in+f.a.Planes+i] = scalar(i)
		}
	}
	x = f.conv(x, in, f.data("stem.conv.weight"))
	for i := range f.a.VectorLen() {
		for j := range x {
			x[j] += scalar(net.ScalarPlanes+i) * float64(f.data("stem.vector.weight")[i*f.a.Width+j%f.a.Width])
		}
	}
	f.norm(x, "stem")
	relu(x)
	for i := range f.a.Blocks {
		name := fmt.Sprintf("block%d.conv", i)
		y := f.conv(x, f.a.Width, f.data(name+"1.weight"))
		f.norm(y, name+"1")
		relu(y)
		y = f.conv(y, f.a.Width, f.data(name+"2.weight"))
		f.norm(y, name+"2")
		for j := range x {
			x[j] += y[j]
		}
		relu(x)
	}
	logits = f.policy(x)
	v := linear(x, f.data("value.conv.weight"), f.data("value.conv.bias"))
	relu(v)
	v = linear(v, f.data("value.fc1.weight"), f.data("value.fc1.bias"))
	relu(v)
	v = linear(v, f.data("value.fc2.weight"), f.data("value.fc2.bias"))
	sum := 0.0
	for _, l := range v {
		sum += math.Exp(l)
	}
	for _, l := range v {
		wdl = append(wdl, math.Exp(l)/sum)
	}
	return logits, wdl
}
