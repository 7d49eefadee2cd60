package mcts

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"synochess/env"
)

// fourArms is a position whose decision is which piece the Pawn becomes.
const fourArms = "8/P7/8/2k5/8/8/8/6K1[] w - - 0 1"

// bandit is a worth for the West that the piece on the board decides, with noise that depends on the
// rest of the position.
func bandit(p *env.Position) float64 {
	v := -0.4 // the Pawn is still there
	for _, arm := range []struct {
		piece env.Piece
		worth float64
	}{{env.Queen, 0.1}, {env.Rook, 0}, {env.Bishop, -0.2}, {env.Knight, 0.45}} {
		if p.Pieces(arm.piece) != 0 {
			v = arm.worth
		}
	}
	v += hashed(p) / 8
	if p.SideToMove() == env.Eastern {
		return -v
	}
	return v
}

// The best of several arms is found in both modes, a Gumbel root's for every budget and noise, and the improved policy
// says so too.
func TestBandit(t *testing.T) {
	r := builtin(t, "moddable-strict")
	for _, visits := range []int{16, 32, 64, 200} {
		for _, mode := range []string{ModeGumbel, ModePUCT} {
			if mode == ModePUCT && visits < 200 {
				continue // made for long searches
			}
			for seed := range uint64(10) {
				cfg := testConfig()
				cfg.Mode = mode
				o := Options{Visits: visits, AllCandidates: true} // the prior is uniform
				if mode == ModeGumbel {
					o.Noise, o.Rand = true, rand.New(rand.NewPCG(seed, 5))
				}
				got := run(t, New(cfg, nil), gameAt(t, r, fourArms), o, &fake{worth: bandit})
				if best := r.MoveString(got.Best); best != "a7a8n" {
					t.Errorf("%s, %d visits, seed %d: best is %s", mode, visits, seed, best)
				}
				top := slices.MaxFunc(got.Actions, func(a, b Action) int { return int(math.Copysign(1, float64(a.Policy-b.Policy))) })
				if top.Move != got.Best || top.Policy < 0.3 {
					t.Errorf("%s, %d visits, seed %d: the policy prefers %s with %v", mode, visits, seed, r.MoveString(top.Move), top.Policy)
				}
				if after := got.RootAfter[0] - got.RootAfter[2]; after < 0.2 {
					t.Errorf("%s, %d visits, seed %d: root is worth %v after the search", mode, visits, seed, after)
				}
			}
		}
	}
}

// With values that tell nothing, a Gumbel root plays each move as often as its prior says.
func TestNoiseSamplesThePrior(t *testing.T) {
	r := builtin(t, "moddable-strict")
	g := gameAt(t, r, "8/8/8/2k5/8/8/7K/8[] w - - 0 1")
	logit := func(_ *env.Position, m env.Move) float32 { return 0.7 * float32(m.To()>>3) }
	s := New(testConfig(), NewCache(100))
	rng := rand.New(rand.NewPCG(11, 12))
	const n = 4000
	count := map[env.Move]int{}
	var actions []Action
	for range n {
		got := run(t, s, g, Options{Visits: 2, FreshRoot: true, Noise: true, Rand: rng}, &fake{logit: logit})
		count[got.Best]++
		actions = slices.Clone(got.Actions)
	}
	sum := 0.0
	for _, a := range actions {
		sum += math.Exp(float64(a.Logit))
	}
	for _, a := range actions {
		p := math.Exp(float64(a.Logit)) / sum
		share, sd := float64(count[a.Move])/n, math.Sqrt(p*(1-p)/n)
		if math.Abs(share-p) > 4.5*sd {
			t.Errorf("%s was played with frequency %.4f, its prior is %.4f +- %.4f", r.MoveString(a.Move), share, p, sd)
		}
	}
}

// Sequential halving spends the visits as mctx does: for 64 visits 16, 8, 4 and 2 candidates get 1, 2, 4 and
// 8 each. There are half as many candidates as visits, but two.
func TestHalvingSchedule(t *testing.T) {
	r := builtin(t, "pychess") // no early mates that would free visits
	for _, c := range []struct {
		visits int
		want   []int32
	}{
		{64, []int32{1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 7, 7, 15, 15}},
		{32, []int32{1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4}},
		{16, []int32{1, 1, 1, 1, 2, 2, 4, 4}},
		{5, []int32{2, 3}},
		{2, []int32{1, 1}},
		{1, []int32{1}},
	} {
		for _, leaves := range []int{1, 4} {
			cfg := testConfig()
			cfg.LeavesPerStep = leaves
			got := run(t, New(cfg, nil), gameAt(t, r, ""), Options{Visits: c.visits}, &fake{worth: hashed, logit: hashedLogit})
			var visits []int32
			for _, a := range got.Actions {
				if a.Visits > 0 {
					visits = append(visits, a.Visits)
				}
			}
			slices.Sort(visits)
			if !slices.Equal(visits, c.want) || got.Visits != c.visits {
				t.Errorf("%d visits, %d leaves a step: %v (%d), want %v", c.visits, leaves, visits, got.Visits, c.want)
			}
		}
	}
}

// The improved policy and the mixed value, computed here from the published formulas.
func TestImprovedPolicyByFormula(t *testing.T) {
	cfg := testConfig()
	cfg.Candidates, cfg.CVisit, cfg.CScale = 4, 30, 0.25
	got := run(t, New(cfg, nil), gameAt(t, builtin(t, "moddable"), ""), Options{Visits: 20}, &fake{worth: hashed, logit: hashedLogit})
	var most int32
	var prior, priorQ, all, visits float64
	for _, a := range got.Actions {
		p := math.Exp(float64(a.Logit))
		all += p
		visits += float64(a.Visits)
		if a.Visits > 0 && a.Proven != ProvenLoss { // a lost move says nothing of those that will be played
			most = max(most, a.Visits)
			prior += p
			priorQ += p * float64(a.Q)
		}
	}
	v := float64(got.RootBefore[0] - got.RootBefore[2])
	mixed := (v + visits*priorQ/prior) / (1 + visits)
	sum := 0.0
	weights := make([]float64, len(got.Actions))
	for i, a := range got.Actions {
		q := float64(a.Q)
		if a.Visits == 0 {
			if math.Abs(q-mixed) > 1e-6 {
				t.Errorf("a move never searched has q %v, the mixed value is %v", q, mixed)
			}
			q = mixed
		}
		if a.Proven == ProvenLoss {
			continue
		}
		weights[i] = math.Exp(float64(a.Logit) + (30+float64(most))*0.25*(q+1)/2)
		sum += weights[i]
	}
	for i, a := range got.Actions {
		if want := weights[i] / sum; math.Abs(float64(a.Policy)-want) > 1e-6 {
			t.Errorf("policy %v, want %v", a.Policy, want)
		}
	}
	if visits != 20 {
		t.Errorf("%v visits", visits)
	}
}

// With a uniform prior and no noise, the generator's order must not decide which moves are searched.
func TestNoMoveIsFavouredByItsOrder(t *testing.T) {
	r := builtin(t, "moddable")
	rng := rand.New(rand.NewPCG(3, 4))
	firstHalf, searched := 0, 0
	s := New(testConfig(), nil)
	for range 60 {
		g := env.RandomGame(r, 6, rng)
		if g.Outcome().Over() || len(g.LegalMoves()) < 24 {
			continue
		}
		o := Options{Visits: 24, FreshRoot: true}
		got := run(t, s, g, o, &fake{})
		for _, a := range got.Actions {
			if a.Visits > 0 {
				searched++
				if slices.Index(g.LegalMoves(), a.Move) < len(g.LegalMoves())/2 {
					firstHalf++
				}
			}
		}
		o.AllCandidates, o.Visits = true, len(g.LegalMoves())
		for _, a := range run(t, s, g, o, &fake{}).Actions {
			if a.Visits == 0 && a.Proven == Unproven {
				t.Errorf("%s: all moves are candidates, but %s was not searched", r.FEN(g.Position()), r.MoveString(a.Move))
			}
		}
	}
	if share := float64(firstHalf) / float64(searched); searched < 300 || share < 0.4 || share > 0.6 {
		t.Errorf("of %d moves searched %.2f were of the first half generated", searched, share)
	}
}

func TestStartErrors(t *testing.T) {
	r := builtin(t, "moddable")
	over := gameAt(t, r, "1N5k/5KQ1/8/1s1s4/8/8/2s5/8[ss] b - - 10 82")
	for _, c := range []struct {
		name string
		g    *env.Game
		o    Options
		want string
	}{
		{"game over", over, Options{Visits: 1}, "the game is over"},
		{"no visits", gameAt(t, r, ""), Options{}, "0 visits"},
		{"no source", gameAt(t, r, ""), Options{Visits: 1, Noise: true}, "source of random numbers"},
		{"noise for PUCT", gameAt(t, r, ""), Options{Visits: 100000, Noise: true, Rand: rand.New(rand.NewPCG(1, 1))}, "PUCT"},
	} {
		if err := New(testConfig(), nil).Start(c.g, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}

func TestConfigValidate(t *testing.T) {
	if err := ReferenceConfig().Validate(); err != nil {
		t.Error(err)
	}
	c := ReferenceConfig()
	c.Mode, c.Discount, c.CScale, c.LeavesPerStep = "gumball", 1.01, math.NaN(), 0
	err := c.Validate()
	for _, want := range []string{`mode is "gumball"`, "discount is 1.01", "c_scale is NaN", "leaves_per_step is 0"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
