package training

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"synochess/net/kernels"
)

func TestConvBNByHand(t *testing.T) {
	// One stone on an empty board, weights 1..9, statistics mean 0 and variance 1: tap (ky, kx) reads
	// rank+ky-1, file+kx-1, so the square below and left of the stone sees it through tap (2, 2).
	l := newLoneConvBN(NewPool(kernels.Portable, 1), ConvShape{Batch: 1, In: 1, Out: 1, Epsilon: testEpsilon})
	l.Training = false
	l.RunVar[0] = 1 - testEpsilon
	x := make([]float32, boardArea)
	x[4*10+6] = 1
	w := []float32{1, 2, 3, 4, 5, 6, 7, 8, 9}
	if err := l.forward(x, w, []float32{2}, []float32{-8}, []float32{0.5}, nil); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[int]float64{35: 2*9.5 - 8, 36: 2*8.5 - 8, 46: 2*5.5 - 8, 47: 2*4.5 - 8, 57: 0, 11: 0, 0: 0} {
		if got := l.Y[at]; math.Abs(float64(got)-want) > 1e-5 {
			t.Errorf("square %d: %g, want %g", at, got, want)
		}
	}
	// Half the squares 1, half 3: mean 2, variance 1; batch norm makes -1 and 1 of them.
	l.Training = true
	for r := 1; r <= 8; r++ {
		for c := 1; c <= 8; c++ {
			x[10*r+c] = float32(1 + 2*(c%2))
		}
	}
	if err := l.forward(x, []float32{0, 0, 0, 0, 1, 0, 0, 0, 0}, []float32{3}, []float32{1}, nil, nil); err != nil {
		t.Fatal(err)
	}
	if l.Mean[0] != 2 || math.Abs(float64(l.Var[0])-1) > 1e-6 || math.Abs(float64(l.Y[11])-4) > 1e-4 || l.Y[12] != 0 {
		t.Errorf("mean %g, variance %g, y %g and %g; want 2, 1, 4, 0", l.Mean[0], l.Var[0], l.Y[11], l.Y[12])
	}
	// The gradient of a batch norm's output along a constant, or along its input, is lost: with dy = 1
	// where the ReLU lets it pass, dbias = 32 and dscale = 32 * 1.
	dy := slices.Repeat([]float32{1}, boardArea)
	l.backward(x, []float32{3}, dy)
	if l.DBias[0] != 32 || math.Abs(float64(l.DScale[0])-32) > 1e-3 {
		t.Errorf("dbias %g, dscale %g; want 32, 32", l.DBias[0], l.DScale[0])
	}
	if math.Abs(float64(l.DAdd[0])) > 1e-3 {
		t.Errorf("a constant added before batch norm has gradient %g, want 0", l.DAdd[0])
	}
}

func TestConvBNAgainstReference(t *testing.T) {
	for _, c := range []struct {
		batch, in, out int
		add, res, eval bool
	}{
		{1, 4, 4, false, false, false},
		{3, 5, 6, true, false, false},
		{18, 4, 4, false, true, false},
		{17, 3, 2, true, true, false},
		{5, 8, 8, false, true, true},
		{17, 5, 16, true, false, false}, // from here on the assembly's shapes
		{2, 16, 48, false, true, false},
		{2, 48, 16, true, true, false},
		{3, 16, 32, false, true, true},
		{1, 16, 80, false, false, true},
	} {
		eachPath(t, fmt.Sprint(c), func(t *testing.T, path *kernels.Path) {
			r := rand.New(rand.NewPCG(1, uint64(c.batch)))
			x, dy := randomBoards(r, c.batch, c.in), randomBoards(r, c.batch, c.out)
			w := randomData(r, 9*c.in*c.out, 0.3, 0)
			scale, bias := randomData(r, c.out, 0.3, 1), randomData(r, c.out, 0.3, 0)
			var add, res []float32
			var addR, resR, meanR, varR f64
			if c.add {
				add = randomData(r, c.batch*c.out, 1, 0.5)
				addR = double(add)
			}
			if c.res {
				res = randomBoards(r, c.batch, c.out)
				resR = double(res)
			}
			l := newLoneConvBN(NewPool(path, 2), ConvShape{Batch: c.batch, In: c.in, Out: c.out, Epsilon: testEpsilon, NoInputGrad: c.in < 16 && c.out >= 16})
			if c.eval {
				l.Training = false
				copy(l.RunMean, randomData(r, c.out, 0.3, 0))
				copy(l.RunVar, randomData(r, c.out, 0.1, 2))
				meanR, varR = double(l.RunMean), double(l.RunVar)
			}
			if err := l.forward(x, w, scale, bias, add, res); err != nil {
				t.Fatal(err)
			}
			xR, wR, scaleR, biasR, dyR := double(x), double(w), double(scale), double(bias), double(dy)
			forward := func() f64 {
				return referenceConvBN(c.batch, c.in, c.out, xR, wR, scaleR, biasR, addR, resR, meanR, varR)
			}
			checkClose(t, "Y", l.Y, forward(), 1e-5)
			if c.eval {
				return
			}
			loss := func() float64 { return dot(forward(), dyR) }
			l.backward(x, scale, dy)
			checkGradient(t, r, "DW", l.DW, wR, loss)
			checkGradient(t, r, "DScale", l.DScale, scaleR, loss)
			checkGradient(t, r, "DBias", l.DBias, biasR, loss)
			if !l.NoInputGrad {
				checkBoards(t, r, "DX", l.DX, xR, c.in, loss)
			}
			if c.add {
				checkGradient(t, r, "DAdd", l.DAdd, addR, loss)
			}
			if c.res {
				checkBoards(t, r, "ResGrad", l.ResGrad, resR, c.out, loss)
			}
		})
	}
}

func TestConvBNNotFinite(t *testing.T) {
	l := newLoneConvBN(NewPool(kernels.Portable, 1), ConvShape{Batch: 1, In: 1, Out: 2, Epsilon: testEpsilon})
	x := make([]float32, boardArea)
	w := make([]float32, 18)
	w[9] = float32(math.NaN())
	x[44] = 1
	ones := []float32{1, 1}
	if err := l.forward(x, w, ones, ones, nil, nil); err == nil {
		t.Error("a NaN among the weights went unnoticed: the ReLU would have hidden it")
	}
}

// newLoneConvBN allocates a layer that stands in no tower.
func newLoneConvBN(pool *Pool, s ConvShape) *ConvBN {
	l := newConvBN(pool, s)
	l.Y, l.ResGrad = newBoards(s.Batch, s.Out), newBoards(s.Batch, s.Out)
	if !s.NoInputGrad {
		l.DX = newBoards(s.Batch, s.In)
	}
	return l
}

// forward computes Y from the input boards x, the weights w [9*In][Out], the batch norm's scale and
// bias, and, where not nil, the added vectors add [Batch][Out] and the residual boards res. It returns
// an error if the batch's statistics are not finite, because a ReLU would hide that.
func (l *ConvBN) forward(x, w, scale, bias, add, res []float32) error {
	l.res = res
	l.convolve(x, w, add)
	if err := l.normalise(scale, bias); err != nil {
		return err
	}
	l.output()
	return nil
}

// backward takes dy, the gradient of Y after a forward in training mode with the same x and scale,
// and sets ResGrad, DX (unless NoInputGrad), DW, DAdd, DScale and DBias.
func (l *ConvBN) backward(x, scale, dy []float32) {
	l.receive(dy)
	l.differentiate(scale)
	l.propagate(x)
}
