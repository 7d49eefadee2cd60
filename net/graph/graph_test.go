package graph

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"synochess/env/encode"
	"synochess/net"
	"synochess/net/fast"
	"synochess/net/kernels"
)

// randomRow makes a row with a few stones, random scalars and legal moves, and random targets.
func randomRow(r *rand.Rand, a net.Arch) *Example {
	row := &Example{PolicyWeight: 1, ValueWeight: 1}
	for range a.Planes {
		row.Planes = append(row.Planes, r.Uint64()&r.Uint64()&r.Uint64())
	}
	for range a.Scalars {
		scale := uint16(1 + r.IntN(20))
		row.Scales = append(row.Scales, scale)
		row.Scalars = append(row.Scalars, uint16(r.IntN(int(scale)+1)))
	}
	var sum float32
	for _, m := range r.Perm(64 * a.PolicyPlanes)[:5+r.IntN(20)] {
		p := r.Float32()
		row.Moves, row.Policy = append(row.Moves, uint16(m)), append(row.Policy, p)
		sum += p
	}
	for i := range row.Policy {
		row.Policy[i] /= sum
	}
	w, d := r.Float32(), r.Float32()
	row.WDL = [3]float32{w * d, (1 - w) * d, 1 - d}
	return row
}

func randomRows(r *rand.Rand, a net.Arch, n int) []*Example {
	rows := make([]*Example, n)
	for i := range rows {
		rows[i] = randomRow(r, a)
	}
	return rows
}

func build(tb testing.TB, path *kernels.Path, w *net.Weights, batch, threads int) *Graph {
	tb.Helper()
	g, err := Build(w.Arch, Options{Batch: batch, Kernels: path, Threads: threads, ValueWeight: 0.7})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { g.Close() })
	if err := g.Load(w); err != nil {
		tb.Fatal(err)
	}
	return g
}

// TestAgreesWithFast holds the graph in inference mode against the network that plays.
func TestAgreesWithFast(t *testing.T) {
	eachPath(t, func(t *testing.T, path *kernels.Path) {
		for _, fromTo := range []int{0, 16} {
			t.Run(fmt.Sprint("from-to=", fromTo), func(t *testing.T) { agreesWithFast(t, path, fromTo) })
		}
	})
}

func agreesWithFast(t *testing.T, path *kernels.Path, fromTo int) {
	for version := 1; version <= encode.Version; version++ {
		agreesInVersion(t, path, version, fromTo)
	}
}

// agreesInVersion compares networks of an encoding version on rows of the newest.
func agreesInVersion(t *testing.T, path *kernels.Path, version, fromTo int) {
	w := net.New(net.Arch{Blocks: 2, Width: 16, ValueChannels: 3, ValueHidden: 8, FromTo: fromTo, EncodingVersion: version}, 1)
	g := build(t, path, w, 32, 2)
	r := rand.New(rand.NewPCG(5, 5))
	train(t, g, r, 30)
	if err := g.Store(w); err != nil {
		t.Fatal(err)
	}
	ev, err := fast.New(path, w)
	if err != nil {
		t.Fatal(err)
	}
	rows, b := randomRows(r, net.Arch{EncodingVersion: encode.Version}.Complete(), 32), encode.NewBatch()
	for _, row := range rows {
		// The evaluator keeps what depends on the rules alone: regions and rule fields.
		copy(row.Planes[encode.FirstRulePlane:encode.EndRulePlanes], rows[0].Planes[encode.FirstRulePlane:])
		copy(row.Scalars[encode.FirstRuleScalar:encode.EndRuleScalars], rows[0].Scalars[encode.FirstRuleScalar:])
		copy(row.Scales, rows[0].Scales)
		for i := range row.Scalars {
			row.Scalars[i] = min(row.Scalars[i], row.Scales[i])
		}
		b.Append(row.Row)
	}
	if err := ev.Evaluate(b); err != nil {
		t.Fatal(err)
	}
	if err := g.SetRows(rows); err != nil {
		t.Fatal(err)
	}
	tally, err := g.Measure()
	if err != nil {
		t.Fatal(err)
	}
	// The losses are those of the evaluator's answers, move by move: targets sit where the logits do.
	var policy, value float64
	for i, row := range rows {
		var sum float64
		for _, v := range b.RowLogits(i) {
			sum += math.Exp(float64(v))
		}
		for j, v := range b.RowLogits(i) {
			policy -= float64(row.Policy[j]) * (float64(v) - math.Log(sum))
		}
		for j, v := range b.RowWDL(i) {
			value -= float64(row.WDL[j]) * math.Log(float64(v))
		}
	}
	if math.Abs(tally.Policy.Loss-policy) > 1e-4*policy || math.Abs(tally.Value.Loss-value) > 1e-4*value {
		t.Errorf("losses %v and %v, by the evaluator's answers %v and %v", tally.Policy.Loss, tally.Value.Loss, policy, value)
	}
	planes := w.Arch.PolicyPlanes
	for i, row := range rows {
		logits := g.layers.policy.layers[0].layer.Y[i*64*planes : (i+1)*64*planes]
		for j, m := range row.Moves {
			got, want := float64(logits[int(m&63)*planes+int(m>>6)]), float64(b.RowLogits(i)[j])
			if math.Abs(got-want) > 1e-4*max(1, math.Abs(want)) {
				t.Fatalf("row %d, move %d: logit %v, the evaluator says %v", i, j, got, want)
			}
		}
		value := g.layers.value.layers[2].layer.Y[3*i : 3*i+3]
		var sum float64
		for _, v := range value {
			sum += math.Exp(float64(v))
		}
		for j, v := range value {
			got, want := math.Exp(float64(v))/sum, float64(b.RowWDL(i)[j])
			if math.Abs(got-want) > 1e-4 {
				t.Fatalf("row %d: result %d has probability %v, the evaluator says %v", i, j, got, want)
			}
		}
	}
}

func TestEstimateStatistics(t *testing.T) {
	w := net.New(net.Arch{Blocks: 1, Width: 8, ValueChannels: 2, ValueHidden: 8}, 1)
	g := build(t, kernels.Best(), w, 16, 1)
	r := rand.New(rand.NewPCG(6, 6))
	batches := [][]*Example{randomRows(r, w.Arch, 16), randomRows(r, w.Arch, 16), randomRows(r, w.Arch, 16)}
	fill := func(i int) error { return g.SetRows(batches[i]) }
	if err := g.EstimateStatistics(1, fill); err != nil {
		t.Fatal(err)
	}
	// Statistics of one batch alone: inference on that batch is training mode on it.
	measured, err := g.Measure()
	if err != nil {
		t.Fatal(err)
	}
	trained, err := g.Gradients()
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(measured.Policy.Loss-trained.Policy.Loss) > 1e-4*trained.Policy.Loss {
		t.Errorf("policy loss %v with the estimated statistics, %v with the batch's own", measured.Policy.Loss, trained.Policy.Loss)
	}
	// The stem's statistics over three batches are those of one batch that holds all their rows.
	if err := g.EstimateStatistics(3, fill); err != nil {
		t.Fatal(err)
	}
	all := build(t, kernels.Best(), w, 48, 1)
	if err := all.SetRows(slices.Concat(batches...)); err != nil {
		t.Fatal(err)
	}
	if _, err := all.Gradients(); err != nil {
		t.Fatal(err)
	}
	stem, want := g.layers.convs[0].layer, all.layers.convs[0].layer
	for c := range stem.RunMean {
		if math.Abs(float64(stem.RunMean[c]-want.Mean[c])) > 1e-5 || math.Abs(float64(stem.RunVar[c]-want.Var[c])) > 1e-4*float64(want.Var[c]) {
			t.Errorf("channel %d: mean %v, variance %v; over all rows %v, %v", c, stem.RunMean[c], stem.RunVar[c], want.Mean[c], want.Var[c])
		}
	}
}

func TestErrors(t *testing.T) {
	arch := net.Arch{Blocks: 1, Width: 4, ValueChannels: 1, ValueHidden: 2}
	w := net.New(arch, 1)
	r := rand.New(rand.NewPCG(8, 8))
	for _, c := range []struct {
		name string
		do   func(g *Graph, rows []*Example) error
		want string
	}{
		{"short batch", func(g *Graph, rows []*Example) error { return errors.Join(g.SetRows(rows[:7]), second(g.Gradients())) }, "7 rows in a batch of 8"},
		{"long batch", func(g *Graph, rows []*Example) error { return g.SetRows(append(rows, rows[0])) }, "9 rows"},
		{"no legal move", func(g *Graph, rows []*Example) error {
			rows[5].Moves, rows[5].Policy = nil, nil
			return errors.Join(g.SetRows(rows), second(g.Gradients()))
		}, "row 5"},
		{"targets of another position", func(g *Graph, rows []*Example) error {
			rows[2].Policy = rows[2].Policy[1:]
			return g.SetRows(rows)
		}, "row 2"},
		{"policy index", func(g *Graph, rows []*Example) error {
			rows[2].Moves[0] = uint16(64 * g.arch.PolicyPlanes)
			return g.SetRows(rows)
		}, "policy index 5184"},
		{"other encoding", func(g *Graph, rows []*Example) error {
			rows[0].Planes = rows[0].Planes[1:]
			return g.SetRows(rows)
		}, "23 planes"},
		{"NaN in a weight", func(g *Graph, rows []*Example) error {
			floats(g.params[0].value)[3] = float32(math.NaN())
			return errors.Join(g.SetRows(rows), second(g.Gradients()))
		}, `"stem.conv.weight"`},
		{"infinity in a target", func(g *Graph, rows []*Example) error {
			rows[1].WDL[0] = float32(math.Inf(1))
			return errors.Join(g.SetRows(rows), second(g.Gradients()))
		}, `"target.value"`},
		{"overflow within the network", func(g *Graph, rows []*Example) error {
			for _, p := range g.params {
				if p.name == "value.conv.weight" || p.name == "value.fc1.weight" {
					for i := range floats(p.value) {
						floats(p.value)[i] = 1e30
					}
				}
			}
			return errors.Join(g.SetRows(rows), second(g.Gradients()))
		}, `"the output of value.fc1"`},
		{"other architecture", func(g *Graph, rows []*Example) error {
			a := arch
			a.Width = 5
			return g.Load(net.New(a, 1))
		}, "architecture"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := build(t, kernels.Best(), w, 8, 1)
			err := c.do(g, randomRows(r, w.Arch, 8))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want one about %q", err, c.want)
			}
			// The graph is usable again.
			if err := g.Load(w); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(g.SetRows(randomRows(r, w.Arch, 8)), second(g.Gradients())); err != nil {
				t.Errorf("after the error: %v", err)
			}
		})
	}
}

func second[T any](_ T, err error) error { return err }
