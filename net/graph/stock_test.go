package graph

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"synochess/env/encode"
	"synochess/net"
	"synochess/net/kernels"
)

// stockNet is the same network made of Gorgonia's own ops, in float64 and NCHW: the reference.
type stockNet struct {
	t      testing.TB
	g      *gorgonia.ExprGraph
	batch  int
	params map[string]*gorgonia.Node
	names  []string
	loss   *gorgonia.Node
}

func (s *stockNet) must(n *gorgonia.Node, err error) *gorgonia.Node {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

func (s *stockNet) constant(name string, data []float64, shape ...int) *gorgonia.Node {
	v := tensor.New(tensor.WithShape(shape...), tensor.WithBacking(data))
	return gorgonia.NewTensor(s.g, tensor.Float64, len(shape), gorgonia.WithShape(shape...), gorgonia.WithName(name), gorgonia.WithValue(v))
}

// param makes a node of a tensor of net; order says which element of the stock layout is which of ours.
func (s *stockNet) param(w *net.Weights, name string, order func(i int) int, shape ...int) *gorgonia.Node {
	from := w.Tensor(name).Data
	data := make([]float64, len(from))
	for i := range data {
		data[i] = float64(from[order(i)])
	}
	s.params[name] = s.constant(name, data, shape...)
	s.names = append(s.names, name)
	return s.params[name]
}

func same(i int) int { return i }

// filterOrder maps [out][in][ky][kx] to our [(ky*3+kx)*in + i][out].
func filterOrder(in, out int) func(int) int {
	return func(i int) int {
		o, c, tap := i/(9*in), i/9%in, i%9
		return (tap*in+c)*out + o
	}
}

func (s *stockNet) conv(w *net.Weights, weight, bn string, in int, x, add, res *gorgonia.Node) *gorgonia.Node {
	n := w.Arch.Width
	f := s.param(w, weight, filterOrder(in, n), n, in, 3, 3)
	z := s.must(gorgonia.Conv2d(x, f, tensor.Shape{3, 3}, []int{1, 1}, []int{1, 1}, []int{1, 1}))
	if add != nil {
		add = s.must(gorgonia.Reshape(add, tensor.Shape{s.batch, n, 1, 1}))
		z = s.must(gorgonia.BroadcastAdd(z, add, nil, []byte{2, 3}))
	}
	scale := s.param(w, bn+".bn.scale", same, 1, n, 1, 1)
	bias := s.param(w, bn+".bn.bias", same, 1, n, 1, 1)
	y, _, _, _, err := gorgonia.BatchNorm(z, scale, bias, 0.1, net.Epsilon)
	y = s.must(y, err)
	if res != nil {
		y = s.must(gorgonia.Add(y, res))
	}
	return s.must(gorgonia.Rectify(y))
}

// flat makes [batch*64][n], square by square, of [batch][n][8][8].
func (s *stockNet) flat(x *gorgonia.Node, n int) *gorgonia.Node {
	x = s.must(gorgonia.Transpose(x, 0, 2, 3, 1))
	return s.must(gorgonia.Reshape(x, tensor.Shape{s.batch * 64, n}))
}

func (s *stockNet) lin(w *net.Weights, name string, x *gorgonia.Node) *gorgonia.Node {
	shape := w.Tensor(name + ".weight").Shape
	y := s.must(gorgonia.Mul(x, s.param(w, name+".weight", same, shape...)))
	return s.must(gorgonia.BroadcastAdd(y, s.param(w, name+".bias", same, 1, shape[1]), nil, []byte{0}))
}

// fromTo computes the products of all pairs of squares and picks each output's by a matrix of ones.
func (s *stockNet) fromTo(w *net.Weights, x *gorgonia.Node) *gorgonia.Node {
	a := w.Arch
	ends := func(name string) *gorgonia.Node {
		y := s.must(gorgonia.Mul(x, s.param(w, name, same, a.Width, a.FromTo)))
		return s.must(gorgonia.Reshape(y, tensor.Shape{s.batch, 64, a.FromTo}))
	}
	q := ends("policy.from.weight")
	k := s.must(gorgonia.Transpose(ends("policy.to.weight"), 0, 2, 1))
	pairs := s.must(gorgonia.Reshape(s.must(gorgonia.BatchedMatMul(q, k)), tensor.Shape{s.batch, 64 * 64}))
	size := 64 * a.PolicyPlanes
	pick := make([]float64, 64*64*size)
	for index := range size {
		from, to := index%64, index%64
		if m, ok := encode.IndexMove(uint16(index)); ok {
			from, to = int(m.From()), int(m.To())
		}
		output := index%64*a.PolicyPlanes + index/64
		pick[(from*64+to)*size+output] = 1 / math.Sqrt(float64(a.FromTo))
	}
	return s.must(gorgonia.Mul(pairs, s.constant("pick", pick, 64*64, size)))
}

// crossEntropy is the sum over rows of weight * (log sum exp over the mask - sum target*logit) / batch.
func (s *stockNet) crossEntropy(name string, x *gorgonia.Node, targets, weights []float32) *gorgonia.Node {
	size := len(targets) / s.batch
	mask, target := make([]float64, len(targets)), make([]float64, len(targets))
	for i, v := range targets {
		if v >= 0 {
			mask[i], target[i] = 1, float64(v)
		}
	}
	scaled := make([]float64, s.batch)
	for i, v := range weights {
		scaled[i] = float64(v) / float64(s.batch)
	}
	e := s.must(gorgonia.HadamardProd(s.must(gorgonia.Exp(x)), s.constant(name+".mask", mask, s.batch, size)))
	logSum := s.must(gorgonia.Log(s.must(gorgonia.Sum(e, 1))))
	hit := s.must(gorgonia.Sum(s.must(gorgonia.HadamardProd(x, s.constant(name+".target", target, s.batch, size))), 1))
	row := s.must(gorgonia.HadamardProd(s.must(gorgonia.Sub(logSum, hit)), s.constant(name+".weight", scaled, s.batch)))
	return s.must(gorgonia.Sum(row))
}

// newStock builds the reference over the batch that g holds.
func newStock(t testing.TB, g *Graph, w *net.Weights, valueWeight float64) *stockNet {
	a := w.Arch
	s := &stockNet{t: t, g: gorgonia.NewGraph(), batch: g.batch, params: map[string]*gorgonia.Node{}}
	n := a.InputPlanes()
	boards := make([]float64, g.batch*n*64)
	for i := range boards {
		b, p, sq := i/(64*n), i/64%n, i%64
		boards[i] = float64(g.layers.boards.data[(b*100+(sq/8+1)*10+sq%8+1)*n+p])
	}
	vector := make([]float64, g.batch*a.VectorLen())
	for i, v := range g.layers.vector.data {
		vector[i] = float64(v)
	}
	add := s.must(gorgonia.Mul(s.constant("vector", vector, g.batch, a.VectorLen()), s.param(w, "stem.vector.weight", same, a.VectorLen(), a.Width)))
	x := s.conv(w, "stem.conv.weight", "stem", n, s.constant("boards", boards, g.batch, n, 8, 8), add, nil)
	for i := range a.Blocks {
		name := fmt.Sprintf("block%d.conv", i)
		y := s.conv(w, name+"1.weight", name+"1", a.Width, x, nil, nil)
		x = s.conv(w, name+"2.weight", name+"2", a.Width, y, nil, x)
	}
	f := s.flat(x, a.Width)
	policy := s.must(gorgonia.Reshape(s.lin(w, "policy", f), tensor.Shape{g.batch, 64 * a.PolicyPlanes}))
	if a.FromTo > 0 {
		policy = s.must(gorgonia.Add(policy, s.fromTo(w, f)))
	}
	v := s.must(gorgonia.Rectify(s.lin(w, "value.conv", f)))
	v = s.must(gorgonia.Reshape(v, tensor.Shape{g.batch, 64 * a.ValueChannels}))
	v = s.lin(w, "value.fc2", s.must(gorgonia.Rectify(s.lin(w, "value.fc1", v))))
	p := s.crossEntropy("policy", policy, g.layers.policy.target.data, g.layers.policy.weight.data)
	q := s.crossEntropy("value", v, g.layers.value.target.data, g.layers.value.weight.data)
	s.loss = s.must(gorgonia.Add(p, s.must(gorgonia.Mul(q, gorgonia.NewConstant(valueWeight)))))
	return s
}

// compile differentiates the network and returns what runs it once and gives the loss.
func (s *stockNet) compile() (run func() float64) {
	var loss gorgonia.Value
	gorgonia.Read(s.loss, &loss)
	var params gorgonia.Nodes
	for _, name := range s.names {
		params = append(params, s.params[name])
	}
	if _, err := gorgonia.Grad(s.loss, params...); err != nil {
		s.t.Fatal(err)
	}
	vm := gorgonia.NewTapeMachine(s.g)
	s.t.Cleanup(func() { vm.Close() })
	return func() float64 {
		if err := vm.RunAll(); err != nil {
			s.t.Fatal(err)
		}
		vm.Reset()
		return loss.Data().(float64)
	}
}

// TestAgainstStockOps compares loss and all gradients with Gorgonia's own ops on the same weights.
func TestAgainstStockOps(t *testing.T) {
	eachPath(t, func(t *testing.T, path *kernels.Path) {
		for _, c := range []struct{ width, fromTo int }{{6, 0}, {16, 0}, {6, 4}, {16, 5}} { // the assembly does multiples of 16
			t.Run(fmt.Sprintf("width=%d/from-to=%d", c.width, c.fromTo), func(t *testing.T) { againstStockOps(t, path, c.width, c.fromTo) })
		}
	})
}

func againstStockOps(t *testing.T, path *kernels.Path, width, fromTo int) {
	arch := net.Arch{Blocks: 2, Width: width, ValueChannels: 3, ValueHidden: 5, FromTo: fromTo, PolicyPlanes: 7, Planes: 4, Scalars: 6, EncodingVersion: 1}
	r := rand.New(rand.NewPCG(7, 7))
	w := net.New(arch, 3)
	for _, tensor := range w.Tensors { // nothing at a special value, nothing near zero
		if !isStatistic(tensor.Name) {
			for i := range tensor.Data {
				tensor.Data[i] += float32(r.NormFloat64() * 0.1)
			}
		}
	}
	g := build(t, path, w, 19, 2)
	rows := randomRows(r, arch, 19)
	rows[3].PolicyWeight, rows[4].ValueWeight, rows[5].PolicyWeight = 0, 0, 2
	rows[3].Policy = nil
	if err := g.SetRows(rows); err != nil {
		t.Fatal(err)
	}
	// A row without a policy target keeps an old one; the reference wants a mask of at least one.
	g.layers.policy.target.data[3*64*arch.PolicyPlanes] = 1
	tally, err := g.Gradients()
	if err != nil {
		t.Fatal(err)
	}

	s := newStock(t, g, w, 0.7)
	run := s.compile()
	want := run()
	if got := (tally.Policy.Loss + 0.7*tally.Value.Loss) / 19; math.Abs(got-want) > 1e-5*want {
		t.Errorf("loss %v, stock ops %v", got, want)
	}
	if len(s.names) != len(g.Params()) {
		t.Fatalf("%d parameters, the reference has %d", len(g.Params()), len(s.names))
	}
	var slope float64 // of the loss along a random direction, by our gradients
	var moves []func(step float64)
	for _, v := range g.Params() {
		p := v.(Param)
		mine, err := p.Grad()
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := s.params[p.Name].Grad()
		if err != nil {
			t.Fatal(err)
		}
		order := same
		if strings.HasSuffix(p.Name, ".weight") && strings.Contains(p.Name, "conv") && p.Name != "value.conv.weight" {
			in := len(floats(mine)) / 9 / arch.Width
			order = filterOrder(in, arch.Width)
		}
		var size, worst float64
		for i, v := range theirs.Data().([]float64) {
			size = max(size, math.Abs(v))
			worst = max(worst, math.Abs(v-float64(floats(mine)[order(i)])))
		}
		if size == 0 || worst > 2e-5*size {
			t.Errorf("gradient of %s: largest %g, differs by %g from the stock ops", p.Name, size, worst)
		}
		data := s.params[p.Name].Value().Data().([]float64)
		direction := make([]float64, len(data))
		for i := range direction {
			direction[i] = r.NormFloat64()
			slope += direction[i] * float64(floats(mine)[order(i)])
		}
		moves = append(moves, func(step float64) {
			for i, d := range direction {
				data[i] += step * d
			}
		})
	}
	// Stock gradients and ours could share a mistake of Gorgonia's; finite differences cannot.
	along := func(step float64) float64 {
		for _, move := range moves {
			move(step)
		}
		return run()
	}
	const step = 1e-7 // small, lest a ReLU opens or shuts on the way
	if diff := (along(step) - along(-2*step)) / (2 * step); math.Abs(diff-slope) > 1e-4*math.Abs(slope) {
		t.Errorf("slope %g by our gradients, %g by finite differences", slope, diff)
	}
}
