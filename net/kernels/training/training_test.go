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

// checkBoards is checkGradient for padded boards: the border's gradient must be 0, and differences
// are taken inside.
func checkBoards(t *testing.T, r *rand.Rand, name string, grad []float32, x f64, n int, loss func() float64) {
	t.Helper()
	inside := make([]float32, len(grad))
	eachRow(0, len(grad)/n/boardArea, n, func(at int) { copy(inside[at:at+8*n], grad[at:at+8*n]) })
	if !slices.Equal(inside, grad) {
		t.Errorf("%s is not 0 on the border", name)
	}
	at := make([]int, 0, len(x))
	eachRow(0, len(grad)/n/boardArea, n, func(from int) {
		for i := range 8 * n {
			at = append(at, from+i)
		}
	})
	some, y := make([]float32, 0, 25), make(f64, 25)
	var picks []int
	for i := range y {
		p := at[r.IntN(len(at))]
		picks, some, y[i] = append(picks, p), append(some, grad[p]), x[p]
	}
	checkGradient(t, r, name, some, y, func() float64 {
		keep := make(f64, len(picks))
		for i, p := range picks {
			keep[i] = x[p]
		}
		for i, p := range picks {
			if y[i] != keep[i] {
				x[p] = y[i]
			}
		}
		v := loss()
		for i, p := range picks {
			x[p] = keep[i]
		}
		return v
	})
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

func TestLinByHand(t *testing.T) {
	l := NewLin(NewPool(kernels.Portable, 1), LinShape{Batch: 1, In: 2, Out: 2, ReLU: true})
	x, w := []float32{2, 3}, []float32{1, -1, 10, 0.5} // w[in][out]
	l.Forward(x, w, []float32{0.5, -1})
	if want := []float32{32.5, 0}; !slices.Equal(l.Y, want) {
		t.Fatalf("y = %v, want %v", l.Y, want)
	}
	l.Backward(x, w, []float32{1, 7}) // the second output is shut
	for _, c := range []struct {
		name      string
		got, want []float32
	}{
		{"DX", l.DX, []float32{1, 10}}, {"DW", l.DW, []float32{2, 0, 3, 0}}, {"DB", l.DB, []float32{1, 0}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestLinAgainstReference(t *testing.T) {
	for _, s := range []LinShape{
		{Batch: 3, In: 7, Out: 5, ReLU: true},
		{Batch: 19, In: 6, Out: 3},
		{Batch: 18, Board: true, In: 4, Out: 3, ReLU: true},
		{Batch: 2, Board: true, In: 6, Out: 9, SparseGrad: true},
		{Batch: 17, In: 6, Out: 9, SparseGrad: true, ReLU: true},
		{Batch: 17, In: 64, Out: 32, ReLU: true},
		{Batch: 2, Board: true, In: 16, Out: 81, SparseGrad: true},
		{Batch: 3, Board: true, In: 16, Out: 16},
	} {
		eachPath(t, fmt.Sprintf("%+v", s), func(t *testing.T, path *kernels.Path) {
			r := rand.New(rand.NewPCG(2, uint64(s.Batch)))
			x := randomData(r, s.Batch*s.In, 1, 0)
			if s.Board {
				x = randomBoards(r, s.Batch, s.In)
			}
			w, bias := randomData(r, s.In*s.Out, 0.5, 0), randomData(r, s.Out, 0.5, 0)
			l := NewLin(NewPool(path, 2), s)
			dy := randomData(r, len(l.Y), 1, 0)
			for i := range dy {
				if s.SparseGrad && i%4 != 0 {
					dy[i] = 0
				}
			}
			xR, wR, biasR, dyR := double(x), double(w), double(bias), double(dy)
			l.Forward(x, w, bias)
			checkClose(t, "Y", l.Y, referenceLin(s, xR, wR, biasR), 1e-6)
			l.Backward(x, w, dy)
			loss := func() float64 { return dot(referenceLin(s, xR, wR, biasR), dyR) }
			checkGradient(t, r, "DW", l.DW, wR, loss)
			checkGradient(t, r, "DB", l.DB, biasR, loss)
			if s.Board {
				checkBoards(t, r, "DX", l.DX, xR, s.In, loss)
			} else {
				checkGradient(t, r, "DX", l.DX, xR, loss)
			}
		})
	}
}

// TestLinOpen: with a mask, what is not masked is what the whole layer computes, gradients included.
func TestLinOpen(t *testing.T) {
	eachPath(t, "", func(t *testing.T, path *kernels.Path) {
		s := LinShape{Batch: 19, Board: true, In: 16, Out: 9, SparseGrad: true}
		r := rand.New(rand.NewPCG(5, 5))
		x, w, bias := randomBoards(r, s.Batch, s.In), randomData(r, s.In*s.Out, 0.5, 0), randomData(r, s.Out, 0.5, 0)
		whole, open := NewLin(NewPool(path, 1), s), NewLin(NewPool(path, 2), s)
		for range 2 { // the second step has other masks: nothing of the first may remain
			targets, dy := slices.Repeat([]float32{-1}, len(whole.Y)), make([]float32, len(whole.Y))
			for i := range targets {
				if r.IntN(8) == 0 {
					targets[i], dy[i] = r.Float32(), float32(r.NormFloat64())
				}
			}
			whole.Forward(x, w, bias)
			open.ForwardOpen(x, w, bias, targets)
			var got, want []float32
			for i, v := range targets {
				if v >= 0 {
					got, want = append(got, open.Y[i]), append(want, whole.Y[i])
				}
			}
			checkClose(t, "Y", got, double(want), 1e-6)
			whole.Backward(x, w, dy)
			open.Backward(x, w, dy)
			checkClose(t, "DX", open.DX, double(whole.DX), 1e-6)
			checkClose(t, "DW", open.DW, double(whole.DW), 1e-6)
			checkClose(t, "DB", open.DB, double(whole.DB), 1e-6)
		}
	})
}

func TestMaskedCEByHand(t *testing.T) {
	// Two rows of three. Row 0: the second entry is masked, the others equal: p = 1/2 each, target
	// (3/4, -, 1/4), loss ln 2. Row 1 has weight 1/2: p = (1/4, 1/4, 1/2), target the last, loss ln 2.
	l := NewMaskedCE(NewPool(kernels.Portable, 1), 2, 3)
	ln2 := float32(math.Log(2))
	loss, err := l.Forward([]float32{5, 99, 5, 0, 0, ln2}, []float32{0.75, -1, 0.25, 0, 0, 1}, []float32{1, 0.5})
	if err != nil {
		t.Fatal(err)
	}
	if want := (math.Log(2) + 0.5*math.Log(2)) / 2; math.Abs(float64(loss)-want) > 1e-6 {
		t.Errorf("loss %g, want %g", loss, want)
	}
	checkClose(t, "Grad", l.Grad, f64{-0.125, 0, 0.125, 0.0625, 0.0625, -0.125}, 1e-6)
	checkClose(t, "Loss", l.Loss, f64{math.Log(2), math.Log(2)}, 1e-6)
	checkClose(t, "Entropy", l.Entropy, f64{math.Log(2), 1.5 * math.Log(2)}, 1e-6)
	if !l.Hit[0] || !l.Hit[1] {
		t.Errorf("hits %v, want both", l.Hit)
	}
}

// Logits as far apart as float32 goes: the loss is large or 0, the gradient that of certainty.
func TestMaskedCEOfExtremeLogits(t *testing.T) {
	l := NewMaskedCE(NewPool(kernels.Portable, 1), 1, 3)
	for _, c := range []struct {
		targets, grad []float32
		loss          float64
	}{
		{[]float32{1, 0, -1}, []float32{0, 0, 0}, 0},
		{[]float32{0, 1, -1}, []float32{1, -1, 0}, math.MaxFloat32},
	} {
		loss, err := l.Forward([]float32{math.MaxFloat32, -math.MaxFloat32, 0}, c.targets, []float32{1})
		if err != nil || float64(loss) != c.loss || !slices.Equal(l.Grad, c.grad) || l.Entropy[0] != 0 || !l.Hit[0] != (c.loss > 0) {
			t.Errorf("targets %v: loss %v, gradient %v, entropy %v, error %v", c.targets, loss, l.Grad, l.Entropy[0], err)
		}
	}
}

func TestMaskedCENoLegalMove(t *testing.T) {
	l := NewMaskedCE(NewPool(kernels.Portable, 1), 2, 2)
	logits, targets := []float32{1, 2, 3, 4}, []float32{0.5, 0.5, -1, -1}
	if _, err := l.Forward(logits, targets, []float32{1, 1}); err == nil {
		t.Error("a weighted row without legal moves was accepted")
	}
	loss, err := l.Forward(logits, targets, []float32{1, 0})
	if err != nil || math.IsNaN(float64(loss)) || l.Grad[2] != 0 || l.Grad[3] != 0 {
		t.Errorf("a row of weight 0 gave loss %g, gradient %v, error %v", loss, l.Grad[2:], err)
	}
}

func TestMaskedCEAgainstReference(t *testing.T) {
	const batch, size = 19, 12
	r := rand.New(rand.NewPCG(3, 3))
	x, weights := randomData(r, batch*size, 2, 0), randomData(r, batch, 0.3, 1)
	targets := make([]float32, batch*size)
	for row := range batch {
		var sum float32
		for i := range size {
			v := float32(-1)
			if i == 0 || r.IntN(2) == 0 {
				v = r.Float32()
				sum += v
			}
			targets[row*size+i] = v
		}
		for i, v := range targets[row*size : (row+1)*size] {
			if v >= 0 {
				targets[row*size+i] = v / sum
			}
		}
	}
	weights[4] = 0
	l := NewMaskedCE(NewPool(kernels.Portable, 2), batch, size)
	loss, err := l.Forward(x, targets, weights)
	if err != nil {
		t.Fatal(err)
	}
	xR, tR, wR := double(x), double(targets), double(weights)
	want := func() float64 { return referenceCE(batch, size, xR, tR, wR) }
	checkClose(t, "loss", []float32{loss}, f64{want()}, 1e-6)
	checkGradient(t, r, "Grad", l.Grad, xR, want)
}

// eachPath runs a test on every path that training has code of its own for. Those that cannot run here are named.
func eachPath(t *testing.T, name string, f func(t *testing.T, path *kernels.Path)) {
	for _, p := range kernels.Paths() {
		if assemblyOf(p) == nil && p != kernels.Portable {
			continue
		}
		t.Run(p.Float.Name+"/"+name, func(t *testing.T) {
			if !p.Float.Runs {
				t.Skipf("skipped: this processor does not have %s", p.Float.Needs)
			}
			f(t, p)
		})
	}
}

func TestTrainingThreads(t *testing.T) {
	// The same bits on any number of threads, and when run again; other paths give them but for rounding.
	for _, shape := range []struct{ in, out int }{{6, 8}, {16, 32}} {
		results := map[string][][]float32{}
		eachPath(t, fmt.Sprint(shape), func(t *testing.T, path *kernels.Path) {
			want := trainingRun(t, path, 1, shape.in, shape.out)
			for _, threads := range []int{1, 2, 3, 7} {
				for i, got := range trainingRun(t, path, threads, shape.in, shape.out) {
					if !slices.Equal(got, want[i]) {
						t.Errorf("%d threads: tensor %d differs", threads, i)
					}
				}
			}
			results[path.Float.Name] = want
		})
		for name, got := range results {
			for i, want := range results[kernels.Portable.Float.Name] {
				checkClose(t, fmt.Sprintf("%s: tensor %d", name, i), got[i], double(want), 2e-5)
			}
		}
	}
}

// trainingRun runs one step of a few layers and returns all that they computed.
func trainingRun(t *testing.T, path *kernels.Path, threads, in, out int) [][]float32 {
	t.Helper()
	const batch = 70
	r := rand.New(rand.NewPCG(4, 4))
	pool := NewPool(path, threads)
	conv := newLoneConvBN(pool, ConvShape{Batch: batch, In: in, Out: out, Epsilon: testEpsilon})
	lin := NewLin(pool, LinShape{Batch: batch, Board: true, In: out, Out: 5})
	sparse := NewLin(pool, LinShape{Batch: batch, Board: true, In: out, Out: 5, SparseGrad: true})
	open := NewLin(pool, LinShape{Batch: batch, Board: true, In: out, Out: 5, SparseGrad: true})
	squares := make([][2]uint8, 64*5)
	for i := range squares {
		squares[i] = [2]uint8{uint8(i / 5), uint8(i * 7 % 64)}
	}
	ends := NewFromTo(open, FromToShape{Channels: 3, Scale: 0.6, Squares: squares})
	ce := NewMaskedCE(pool, batch, 64*5)
	x, w, ones := randomBoards(r, batch, in), randomData(r, 9*in*out, 0.3, 0), slices.Repeat([]float32{1}, out)
	w2, bias := randomData(r, out*5, 0.3, 0), randomData(r, 5, 0.3, 0)
	if err := conv.forward(x, w, ones, ones, nil, nil); err != nil {
		t.Fatal(err)
	}
	lin.Forward(conv.Y, w2, bias)
	sparse.Forward(conv.Y, w2, bias)
	targets := slices.Repeat([]float32{1. / 320}, batch*320)
	from, to := randomData(r, out*3, 0.3, 0), randomData(r, out*3, 0.3, 0)
	open.ForwardOpen(conv.Y, w2, bias, targets)
	ends.Forward(conv.Y, from, to)
	loss, err := ce.Forward(lin.Y, targets, slices.Repeat([]float32{1}, batch))
	if err != nil {
		t.Fatal(err)
	}
	lin.Backward(conv.Y, w2, ce.Grad)
	sparse.Backward(conv.Y, w2, ce.Grad)
	open.Backward(conv.Y, w2, ce.Grad)
	ends.Backward(conv.Y, ce.Grad)
	conv.backward(x, ones, lin.DX)
	return [][]float32{{loss}, conv.Y, conv.DX, conv.DW, conv.DScale, conv.DBias, conv.DAdd, conv.RunMean, conv.RunVar,
		lin.Y, lin.DX, lin.DW, lin.DB, sparse.DX, sparse.DW, sparse.DB,
		open.Y, open.DX, open.DW, open.DB, ends.DFrom, ends.DTo}
}

// TestOpen: every number that is not below 0 is open, wherever it stands among masks of any kind.
func TestOpen(t *testing.T) {
	negativeZero, nan := float32(math.Copysign(0, -1)), float32(math.NaN())
	for size := range 27 {
		for at := range size {
			for _, v := range []float32{0, 0.5, 1, negativeZero, nan, -1, -0.5, float32(math.Inf(-1))} {
				targets := slices.Repeat([]float32{-1}, size)
				targets[at] = v
				targets[(at+3)%size] = -2
				var want []int32
				for i, v := range targets {
					if !(v < 0) {
						want = append(want, int32(i))
					}
				}
				if got := appendOpen(nil, targets); !slices.Equal(got, want) {
					t.Fatalf("open in %v: %v, want %v", targets, got, want)
				}
			}
		}
	}
}
