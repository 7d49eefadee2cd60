package fast

import (
	"slices"

	"synochess/internal/portable"
	"synochess/net"
	"synochess/net/kernels"
)

// value computes win, draw and loss of a few rows from the trunk's output.
type value struct {
	path                  *kernels.Path
	width, channels, size int // size: hidden units
	conv, fc1             *kernels.Packed
	convBias              []float32 // [square][value channel], the same for every square
	fc1Bias               []float32
	fc2                   []float32 // [3][hidden]
	fc2Bias               []float32
	ws                    kernels.Workspace
	planes                []float32 // [row][square][value channel]
	hidden                []float32 // [row][hidden]
}

func newValue(w *net.Weights, path *kernels.Path, rows int) *value {
	a := w.Arch
	return &value{
		path: path, width: a.Width, channels: a.ValueChannels, size: a.ValueHidden,
		conv:     path.Pack(a.Width, a.ValueChannels, w.Tensor("value.conv.weight").Data),
		fc1:      path.Pack(64*a.ValueChannels, a.ValueHidden, w.Tensor("value.fc1.weight").Data),
		convBias: slices.Repeat(w.Tensor("value.conv.bias").Data, 64),
		fc1Bias:  w.Tensor("value.fc1.bias").Data,
		fc2:      transpose(w.Tensor("value.fc2.weight").Data, a.ValueHidden, 3),
		fc2Bias:  w.Tensor("value.fc2.bias").Data,
		planes:   make([]float32, rows*64*a.ValueChannels),
		hidden:   make([]float32, rows*a.ValueHidden),
	}
}

// twin returns a head with scratch of its own.
func (v *value) twin() *value {
	t := *v
	t.ws = kernels.Workspace{}
	t.planes, t.hidden = make([]float32, len(v.planes)), make([]float32, len(v.hidden))
	return &t
}

// run fills wdl[row*3..] for the rows of x.
func (v *value) run(wdl, x []float32, rows int) {
	planes, hidden := v.planes[:rows*64*v.channels], v.hidden[:rows*v.size]
	v.path.GemmPacked(&v.ws, rows*64, x, v.width, v.conv, planes, v.channels)
	v.addBiasReLU(planes, v.convBias)
	v.path.GemmPacked(&v.ws, rows, planes, 64*v.channels, v.fc1, hidden, v.size)
	v.addBiasReLU(hidden, v.fc1Bias)
	for n := range rows {
		out := (*[3]float32)(wdl[n*3:])
		for i := range out {
			out[i] = v.fc2Bias[i] + v.path.Dot(v.fc2[i*v.size:(i+1)*v.size], hidden[n*v.size:])
		}
		softmax(out)
	}
}

// addBiasReLU adds bias to each row of x, whose rows are as long as bias, and applies ReLU.
func (v *value) addBiasReLU(x, bias []float32) {
	for at := 0; at < len(x); at += len(bias) {
		v.path.Add(x[at:at+len(bias)], bias)
	}
	v.path.ReLU(x)
}

// softmax turns three logits into probabilities. It runs in float64, so that they sum to one.
func softmax(x *[3]float32) {
	top := max(x[0], x[1], x[2])
	var e [3]float64
	for i, v := range x {
		e[i] = portable.Exp(float64(v - top))
	}
	sum := e[0] + e[1] + e[2]
	for i := range x {
		x[i] = float32(e[i] / sum)
	}
}
