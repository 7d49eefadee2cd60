package graph

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"synochess/env"
	"synochess/env/encode"
	"synochess/net"
	"synochess/net/fast"
	"synochess/net/kernels"
)

// played returns examples of n positions of random games of all built-in rule sets in turn, with random targets, and the
// same positions as a batch.
func played(t *testing.T, n int) ([]*Example, *encode.Batch) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	b := encode.NewBatch()
	for names := env.BuiltinNames(); b.Len() < n; {
		rules, err := env.Builtin(names[b.Len()%len(names)])
		if err != nil {
			t.Fatal(err)
		}
		if g := env.RandomGame(rules, 1+r.IntN(60), r); !g.Outcome().Over() {
			encode.AppendRow(b, rules, g.Position(), g.Repetitions(), g.LegalMoves())
		}
	}
	var rows []*Example
	for i := range n {
		e := &Example{Row: b.Row(i).Clone(), Policy: make([]float32, len(b.Moves(i))), PolicyWeight: 1, ValueWeight: 1}
		e.Policy[r.IntN(len(e.Policy))], e.WDL[r.IntN(3)] = 1, 1
		rows = append(rows, e)
	}
	return rows, b
}

// answers returns what the heads of a graph last gave for examples: the logits of their moves, and results.
func (g *Graph) answers(rows []*Example) []float32 {
	var all []float32
	planes := g.arch.PolicyPlanes
	for i, row := range rows {
		logits := g.layers.policy.layers[0].layer.Y[i*64*planes:]
		for _, m := range row.Moves {
			all = append(all, logits[int(m&63)*planes+int(m>>6)])
		}
	}
	return append(all, g.layers.value.layers[2].layer.Y...)
}

// near fails if two lists of numbers differ by more than rounding.
func near(t *testing.T, what string, got, want []float32) {
	t.Helper()
	worst, sum := 0.0, 0.0
	for i := range want {
		worst = max(worst, math.Abs(float64(got[i]-want[i]))/max(1, math.Abs(float64(want[i]))))
		sum += math.Abs(float64(want[i]))
	}
	t.Logf("%s: largest difference %.1e of numbers of mean size %.2f", what, worst, sum/float64(len(want)))
	if !(worst < 1e-5) || len(got) != len(want) || !(sum/float64(len(want)) > 1e-3) {
		t.Errorf("%s: %d numbers, want %d; largest difference %g, mean size %g", what, len(got), len(want), worst, sum/float64(len(want)))
	}
}

// A grown network says of positions what the smaller one says: as played, in the graph with its stored statistics, and in
// the graph with those of the batch. So does one that was grown twice.
func TestGrowKeepsTheFunction(t *testing.T) {
	quick := net.Arch{Blocks: 2, Width: 32, ValueChannels: 8, ValueHidden: 64, FromTo: 16}
	standard, strong := quick, quick
	standard.Blocks, standard.Width = 4, 48
	strong.Blocks, strong.Width = 6, 64
	plain := net.Arch{Blocks: 1, Width: 16, ValueChannels: 2, ValueHidden: 8, EncodingVersion: 1}
	change := func(a net.Arch, f func(*net.Arch)) net.Arch { f(&a); return a }
	eachPath(t, func(t *testing.T, path *kernels.Path) {
		for name, archs := range map[string][]net.Arch{
			"quick, standard, strong": {quick, standard, strong},
			"blocks":                  {plain, change(plain, func(a *net.Arch) { a.Blocks = 3 })},
			"from no blocks":          {change(plain, func(a *net.Arch) { a.Blocks = 0 }), plain},
			"width":                   {plain, change(plain, func(a *net.Arch) { a.Width = 23 })},
			"value head":              {plain, change(plain, func(a *net.Arch) { a.ValueChannels, a.ValueHidden = 5, 9 })},
			"from-to term":            {plain, change(plain, func(a *net.Arch) { a.FromTo = 8 }), change(plain, func(a *net.Arch) { a.FromTo = 20 })},
			"encoding":                {plain, change(plain, func(a *net.Arch) { a.EncodingVersion = 2 }), change(plain, func(a *net.Arch) { a.EncodingVersion = 3 })},
		} {
			t.Run(name, func(t *testing.T) { growsThrough(t, path, archs) })
		}
	})
}

func growsThrough(t *testing.T, path *kernels.Path, archs []net.Arch) {
	const n = 24
	rows, b := played(t, n)
	w := net.New(archs[0], 1)
	for i := range archs {
		g := build(t, path, w, n, 2)
		train(t, g, rand.New(rand.NewPCG(uint64(i), 1)), 4) // the new parts, too, are those of a trained network
		if err := g.Store(w); err != nil {
			t.Fatal(err)
		}
		want := said(t, path, g, w, rows, b)
		if i+1 == len(archs) {
			break
		}
		larger, err := net.Grow(w, archs[i+1], 5)
		if err != nil {
			t.Fatal(err)
		}
		got := said(t, path, build(t, path, larger, n, 2), larger, rows, b)
		for mode := range want {
			near(t, fmt.Sprintf("from %d to %d, %s", i, i+1, mode), got[mode], want[mode])
		}
		w = larger
	}
}

// said returns a network's answers by what gave them.
func said(t *testing.T, path *kernels.Path, g *Graph, w *net.Weights, rows []*Example, b *encode.Batch) map[string][]float32 {
	t.Helper()
	all := map[string][]float32{}
	ev, err := fast.New(path, w)
	if err != nil {
		t.Fatal(err)
	}
	if err := ev.Evaluate(b); err != nil {
		t.Fatal(err)
	}
	all["as played"] = append(append([]float32{}, b.Logits...), b.WDL...)
	if err := g.SetRows(rows); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Measure(); err != nil {
		t.Fatal(err)
	}
	all["stored statistics"] = g.answers(rows)
	if _, err := g.Gradients(); err != nil {
		t.Fatal(err)
	}
	all["statistics of the batch"] = g.answers(rows)
	return all
}
