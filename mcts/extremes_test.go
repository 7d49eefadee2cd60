package mcts

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"synochess/env"
)

// A move that loses at once with a logit far above all others leaves the other moves their priors.
func TestLostMoveOfGreatLogit(t *testing.T) {
	r := builtin(t, "moddable")
	for _, far := range []float32{50, 104, 1000, math.MaxFloat32} {
		for _, mode := range []string{ModeGumbel, ModePUCT} {
			cfg := testConfig()
			cfg.Mode = mode
			s := New(cfg, nil)
			logit := func(p *env.Position, m env.Move) float32 {
				if r.MoveString(m) == "d3f4" { // opens the file between the royals
					return far
				}
				return hashedLogit(p, m)
			}
			g := gameAt(t, r, "3k4/8/3s4/8/8/8/3N4/3K4[] w - - 0 1")
			got := run(t, s, g, Options{Visits: 300}, &fake{worth: material, logit: logit})
			checkTree(t, s)
			checkNumbers(t, got)
			if got.Visits < 300 && got.Proven == Unproven {
				t.Errorf("%s, logit %v: %d visits", mode, far, got.Visits)
			}
		}
	}
}

// checkNumbers tells what of a result is no proper number.
func checkNumbers(t rapid.TB, r *Result) {
	t.Helper()
	share := func(x float32) bool { return x >= 0 && x <= 1 }
	policy := 0.0
	for _, a := range r.Actions {
		if !share(a.Policy) || !(a.Q >= -1 && a.Q <= 1) {
			t.Errorf("move %v: policy %v, q %v", a.Move, a.Policy, a.Q)
		}
		policy += float64(a.Policy)
	}
	if !(math.Abs(policy-1) < 1e-4) {
		t.Errorf("the policy sums to %v", policy)
	}
	for _, wdl := range [][3]float32{r.RootBefore, r.RootAfter} {
		if !share(wdl[0]) || !share(wdl[1]) || !share(wdl[2]) || !(math.Abs(float64(wdl[0]+wdl[1]+wdl[2])-1) < 1e-4) {
			t.Errorf("win, draw and loss are %v", wdl)
		}
	}
	if len(r.PV) == 0 || r.PV[0] != r.Best {
		t.Errorf("best move %v, line %v", r.Best, r.PV)
	}
}

// Whatever finite logits and values an evaluator gives, a search in either mode ends with a legal move and proper
// numbers, and so does the one after the next move.
func TestExtremeEvaluations(t *testing.T) {
	starts := []struct{ rules, fen string }{
		{"moddable", ""}, {"pychess", ""},
		{"moddable", "3k4/8/3s4/8/8/8/3N4/3K4[] w - - 0 1"},
		{"moddable", "4k3/4r3/8/8/8/8/4P3/R3K3[s] w - - 0 1"},
		{"moddable-strict", lastPly}, {"moddable-strict", plyBefore},
		{"moddable", "8/8/8/3k4/8/8/8/K7[] w - - 90 90"},
		{"moddable-fsf", "r2k4/8/8/8/8/8/4P3/R4K2[] w - - 0 1"},
	}
	rapid.Check(t, func(rt *rapid.T) {
		start := rapid.SampledFrom(starts).Draw(rt, "start")
		r := builtin(t, start.rules)
		g := gameAt(t, r, start.fen)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		for range rapid.IntRange(0, 12).Draw(rt, "plies") {
			next := g.LegalMoves()[rng.IntN(len(g.LegalMoves()))]
			if err := g.Play(next); err != nil {
				rt.Fatal(err)
			}
			if g.Outcome().Over() {
				return
			}
		}
		// Logits of a position are small but for some, which are scaled up, as far as float32 goes.
		scale := rapid.SampledFrom([]float64{0, 1, 30, 104, 1000, 1e10, 2e38}).Draw(rt, "scale")
		share := rapid.SampledFrom([]uint64{1, 4, 64}).Draw(rt, "one move in so many is scaled")
		logit := func(p *env.Position, m env.Move) float32 {
			x := (p.Hash() ^ uint64(m)*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93
			l := float64(x>>40)/(1<<23) - 1
			if x%share == 0 {
				l *= scale
			}
			return float32(l)
		}
		certain := rapid.Bool().Draw(rt, "values are 1, 0 or -1")
		worth := func(p *env.Position) float64 {
			if certain {
				return float64(p.Hash()>>7%3) - 1
			}
			return hashed(p)
		}
		cfg := testConfig()
		cfg.Mode = rapid.SampledFrom([]string{ModeGumbel, ModePUCT}).Draw(rt, "mode")
		cfg.LeavesPerStep = rapid.SampledFrom([]int{1, 4}).Draw(rt, "leaves")
		cfg.CScale = rapid.SampledFrom([]float64{0, 1, 100}).Draw(rt, "c_scale")
		cfg.PolicyTemperature = rapid.SampledFrom([]float64{0.1, 1.36}).Draw(rt, "temperature")
		s := New(cfg, nil)
		o := Options{Visits: rapid.IntRange(1, 120).Draw(rt, "visits")}
		if cfg.Mode == ModeGumbel && rapid.Bool().Draw(rt, "noise") {
			o.Noise, o.Rand = true, rng
		}
		for range 2 {
			got := run(t, s, g, o, &fake{worth: worth, logit: logit})
			checkTree(rt, s)
			checkNumbers(rt, got)
			if !r.IsLegal(g.Position(), got.Best) {
				rt.Errorf("%v is not legal", got.Best)
			}
			if err := g.Play(got.Best); err != nil || g.Outcome().Over() {
				return
			}
		}
	})
}

// Draws whose prior is 0 have no share of a policy by visit counts.
func TestDrawsWithoutPrior(t *testing.T) {
	logit := func(_ *env.Position, m env.Move) float32 {
		if m.Kind() != env.Plain {
			return 1000
		}
		return 0
	}
	cfg := testConfig()
	cfg.Mode, cfg.MateNodes = ModePUCT, 0
	got := run(t, New(cfg, nil), gameAt(t, builtin(t, "moddable-strict"), lastPly), Options{Visits: 20}, &fake{worth: promoted(0.2), logit: logit})
	checkNumbers(t, got)
	for _, a := range got.Actions {
		if a.Proven == ProvenDraw && a.Policy != 0 {
			t.Errorf("a draw of prior 0 has %v of the policy", a.Policy)
		}
	}
}
