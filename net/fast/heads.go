package fast

import (
	"slices"

	"synochess/internal/portable"
	"synochess/net"
	"synochess/net/kernels"
)

// head computes a distribution over a few classes, as win, draw and loss, from the trunk's output: a chain of layers
// (net.Arch.Value).
type head struct {
	path    *kernels.Path
	hidden  []hiddenLayer // all layers but the last, each with a rectifier
	classes int
	weight  []float32 // [class][value], of the last layer
	bias    []float32 // [class]
	ws      kernels.Workspace
}

// hiddenLayer is a layer that is computed for all rows at once.
type hiddenLayer struct {
	squares, in, out int // squares: 64, or 1 for what reads all of a position
	weight           *kernels.Packed
	bias             []float32 // [square][out], the same for every square
	y                []float32 // [row][square][out]
}

// newHead returns the head of a chain of layers, with scratch for a number of rows.
func newHead(w *net.Weights, path *kernels.Path, layers []net.Layer, rows int) *head {
	data := func(name string) []float32 { return w.Tensor(name).Data }
	n := len(layers) - 1
	last := layers[n]
	h := &head{path: path, classes: last.Out, weight: transpose(data(last.Weight()), last.In, last.Out), bias: data(last.Name + ".bias")}
	for _, l := range layers[:n] {
		squares := 1
		if l.Kind == net.Square {
			squares = 64
		}
		h.hidden = append(h.hidden, hiddenLayer{
			squares: squares, in: l.In, out: l.Out,
			weight: path.Pack(l.In, l.Out, data(l.Weight())),
			bias:   slices.Repeat(data(l.Name+".bias"), squares),
			y:      make([]float32, rows*squares*l.Out),
		})
	}
	return h
}

// twin returns a head with scratch of its own.
func (h *head) twin() *head {
	t := *h
	t.ws, t.hidden = kernels.Workspace{}, slices.Clone(h.hidden)
	for i, l := range h.hidden {
		t.hidden[i].y = make([]float32, len(l.y))
	}
	return &t
}

// run fills probabilities[row*classes..] for the rows of x.
func (h *head) run(probabilities, x []float32, rows int) {
	for i := range h.hidden {
		l := &h.hidden[i]
		n := rows * l.squares
		y := l.y[:n*l.out]
		h.path.GemmPacked(&h.ws, n, x, l.in, l.weight, y, l.out)
		for at := 0; at < len(y); at += len(l.bias) {
			h.path.Add(y[at:at+len(l.bias)], l.bias)
		}
		h.path.ReLU(y)
		x = y
	}
	size := len(h.weight) / h.classes
	for n := range rows {
		out := probabilities[n*h.classes:][:h.classes]
		for i := range out {
			out[i] = h.bias[i] + h.path.Dot(h.weight[i*size:(i+1)*size], x[n*size:])
		}
		softmax(out)
	}
}

// softmax turns logits into probabilities. It runs in float64, so that they sum to one.
func softmax(x []float32) {
	top := slices.Max(x)
	sum := 0.0
	for _, v := range x {
		sum += portable.Exp(float64(v - top))
	}
	for i, v := range x {
		x[i] = float32(portable.Exp(float64(v-top)) / sum)
	}
}
