package train

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"synochess/datasets"
	"synochess/env"
	"synochess/env/encode"
)

// record plays random moves from a FEN ("" for the start) until the game ends, or for limit plies, and
// writes the game down with a full search at each even ply and a cheap one at each odd.
func record(tb testing.TB, r *env.Rules, fen string, seed uint64, limit int) *datasets.Game {
	tb.Helper()
	start := r.StartPosition()
	if fen != "" {
		var err error
		if start, err = r.ParseFEN(fen); err != nil {
			tb.Fatal(err)
		}
	}
	g := &datasets.Game{
		RunID: "test", Number: 100 + seed, Family: 100 + seed, Rules: r.Canonical(), RulesHash: r.Hash(), GroupHash: r.GroupHash(),
		StartFEN: r.FEN(&start), Ending: datasets.Cut,
	}
	rng := rand.New(rand.NewPCG(seed, 5))
	game := env.NewGame(r, start)
	for !game.Outcome().Over() && game.Ply() < limit {
		legal := game.LegalMoves()
		p := datasets.Ply{
			Move: legal[rng.IntN(len(legal))], Chance: 1, Search: datasets.FullSearch, Visits: 8, SampleWeight: 1, PolicyWeight: 1, ValueWeight: 0.5,
			After: [3]float32{0.25, 0.25, 0.5},
		}
		if game.Ply()%2 == 1 {
			p.Search, p.PolicyWeight = datasets.CheapSearch, 0
		} else {
			for i := range legal { // backwards, so that order matters
				p.Actions = append(p.Actions, datasets.Action{Move: legal[len(legal)-1-i], Policy: 2 * float32(i+1) / float32(len(legal)*(len(legal)+1))})
			}
		}
		g.Plies = append(g.Plies, p)
		if err := game.Play(p.Move); err != nil {
			tb.Fatal(err)
		}
	}
	if end := game.Outcome(); end.Over() {
		g.Ending, g.Result, g.Reason = datasets.ByRules, end.Result, end.Reason
	}
	return g
}

func builtin(tb testing.TB, name string) *env.Rules {
	tb.Helper()
	r, err := env.Builtin(name)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// finished returns a game with the wanted result.
func finished(tb testing.TB, r *env.Rules, fen string, want env.Result) *datasets.Game {
	tb.Helper()
	for seed := range uint64(3000) {
		if g := record(tb, r, fen, seed, 400); g.Result == want {
			return g
		}
	}
	tb.Fatalf("no random game ends in %s", want)
	return nil
}

func TestTargets(t *testing.T) {
	c := validConfig()
	c.Discount, c.QWeight = 0.9, 0
	for _, name := range []string{"moddable", "pychess"} {
		r := builtin(t, name)
		for _, result := range []env.Result{env.WesternWins, env.EasternWins, env.Draw} {
			for _, fen := range []string{"", "4k3/8/8/8/3r4/8/4P3/4K2R[] b K - 0 1"} { // Eastern to move
				if name == "pychess" && fen != "" {
					continue
				}
				if result == env.Draw && fen == "" {
					continue // rare at random
				}
				t.Run(fmt.Sprint(name, result, fen != ""), func(t *testing.T) {
					g := finished(t, r, fen, result)
					samples, err := Targets(g, r, &c, nil)
					if err != nil {
						t.Fatal(err)
					}
					if len(samples) != len(g.Plies) {
						t.Fatalf("%d samples of %d plies", len(samples), len(g.Plies))
					}
					start, _ := r.ParseFEN(g.StartFEN)
					game := env.NewGame(r, start)
					for i := range samples {
						s := &samples[i]
						mover := game.Position().SideToMove()
						keep := math.Pow(0.9, float64(len(samples)-i))
						want := [3]float64{0, 1 - keep, 0}
						switch result {
						case env.WinFor(mover):
							want[0] = keep
						case env.WinFor(mover.Other()):
							want[2] = keep
						default:
							want[1] = 1
						}
						for j := range want {
							if math.Abs(float64(s.WDL[j])-want[j]) > 1e-6 {
								t.Fatalf("ply %d, %s to move: WDL %v, want %v", i, mover, s.WDL, want)
							}
						}
						if s.ValueWeight != 0.5 || s.Game != g.Number || s.Ply != i {
							t.Fatalf("ply %d: %+v", i, s)
						}
						checkPolicy(t, s, i, game, &g.Plies[i])
						checkInputs(t, s, game)
						if err := game.Play(g.Plies[i].Move); err != nil {
							t.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// checkPolicy holds the target against the search's actions, move by move.
func checkPolicy(t *testing.T, s *Sample, ply int, game *env.Game, p *datasets.Ply) {
	t.Helper()
	if ply%2 == 1 {
		if s.PolicyWeight != 0 || s.Policy != nil {
			t.Fatalf("ply %d: a cheap search became a policy target", ply)
		}
		return
	}
	for i, m := range game.LegalMoves() {
		if s.Moves[i] != encode.MoveIndex(m) {
			t.Fatalf("ply %d: move %d has index %d", ply, i, s.Moves[i])
		}
		for _, a := range p.Actions {
			if a.Move == m && math.Abs(float64(s.Policy[i]-a.Policy)) > 1e-5 {
				t.Fatalf("ply %d: target %v for a move searched to %v", ply, s.Policy[i], a.Policy)
			}
		}
	}
}

// checkInputs decodes the row and compares it with the position.
func checkInputs(t *testing.T, s *Sample, game *env.Game) {
	t.Helper()
	p, repetitions, err := encode.Decode(s.Row)
	if err != nil {
		t.Fatal(err)
	}
	if p.Hash() != game.Position().Hash() || p.PlyCount() != game.Position().PlyCount() || repetitions != min(game.Repetitions(), 2) {
		t.Fatalf("ply %d: the row is not the position", s.Ply)
	}
}

// Wanted plies give the samples that they give where all are wanted, and the others nothing.
func TestTargetsOfWantedPlies(t *testing.T) {
	r := builtin(t, "moddable")
	g := finished(t, r, "", env.WesternWins)
	c := validConfig()
	all, err := Targets(g, r, &c, nil)
	if err != nil {
		t.Fatal(err)
	}
	wanted := make([]bool, len(g.Plies))
	for i := range wanted {
		wanted[i] = i%3 == 1
	}
	g.Plies[6].Actions = nil // a fault where nobody looks
	some, err := Targets(g, r, &c, wanted)
	if err != nil {
		t.Fatal(err)
	}
	for i := range some {
		want := all[i]
		if !wanted[i] {
			want = Sample{Game: g.Number, Ply: i}
		}
		if !reflect.DeepEqual(some[i], want) {
			t.Errorf("ply %d, wanted %t: %+v instead of %+v", i, wanted[i], some[i], want)
		}
	}
	wanted[6] = true
	if _, err := Targets(g, r, &c, wanted); err == nil || !strings.Contains(err.Error(), "ply 6") {
		t.Errorf("a wanted ply without actions: error %v", err)
	}
}

func TestTargetsMixSearchValue(t *testing.T) {
	r := builtin(t, "moddable")
	g := finished(t, r, "", env.WesternWins)
	c := validConfig()
	c.Discount, c.QWeight = 1, 0.5
	samples, err := Targets(g, r, &c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := [3]float32{(1 + 0.25) / 2, 0.25 / 2, 0.5 / 2}; samples[0].WDL != want {
		t.Errorf("WDL %v, want half the result and half the search, %v", samples[0].WDL, want)
	}
	g.Plies[0].After = [3]float32{} // not known: the result alone
	if samples, err = Targets(g, r, &c, nil); err != nil {
		t.Fatal(err)
	}
	if want := [3]float32{1, 0, 0}; samples[0].WDL != want {
		t.Errorf("WDL %v without a search value, want %v", samples[0].WDL, want)
	}
}

// TestCutsGiveNoValue: no cut or void game becomes a draw, or anything, in a value target.
func TestCutsGiveNoValue(t *testing.T) {
	r := builtin(t, "moddable")
	for _, ending := range []datasets.Ending{datasets.Cut, datasets.Void} {
		g := record(t, r, "", 1, 11)
		g.Ending = ending
		c := validConfig()
		c.QWeight = 0.5
		samples, err := Targets(g, r, &c, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range samples {
			s := &samples[i]
			if s.ValueWeight != 0 || s.WDL != [3]float32{} {
				t.Errorf("%s game, ply %d: value weight %v, target %v", ending, i, s.ValueWeight, s.WDL)
			}
			if (s.PolicyWeight > 0) != (i%2 == 0) || s.Trainable() != (i%2 == 0) {
				t.Errorf("%s game, ply %d: policy weight %v", ending, i, s.PolicyWeight)
			}
		}
	}
}

func TestTargetsRefuses(t *testing.T) {
	r := builtin(t, "moddable")
	c := validConfig()
	for _, k := range []struct {
		name  string
		spoil func(g *datasets.Game)
		want  string
	}{
		{"illegal move", func(g *datasets.Game) { g.Plies[7].Move = env.NewMove(0, 63, env.Plain) }, "ply 7: move a1h8 is illegal"},
		{"move after the end", func(g *datasets.Game) { g.Plies = append(g.Plies, g.Plies[0]) }, "the game is over"},
		{"other rules", func(g *datasets.Game) { g.RulesHash++ }, "is not the game's"},
		{"bad start", func(g *datasets.Game) { g.StartFEN = "?" }, "start position"},
		{"action missing", func(g *datasets.Game) { g.Plies[4].Actions = g.Plies[4].Actions[1:] }, "ply 4"},
		{"action of another position", func(g *datasets.Game) { g.Plies[4].Actions[0].Move = env.NewMove(0, 63, env.Plain) }, "ply 4"},
		{"policy sum", func(g *datasets.Game) { g.Plies[4].Actions[0].Policy += 0.5 }, "ply 4: the policy target sums to 1.5"},
		{"result for the other army", func(g *datasets.Game) { g.Result = env.EasternWins }, "recorded as 0-1"},
	} {
		t.Run(k.name, func(t *testing.T) {
			g := finished(t, r, "", env.WesternWins)
			k.spoil(g)
			_, err := Targets(g, r, &c, nil)
			if err == nil || !strings.Contains(err.Error(), k.want) || !strings.Contains(err.Error(), fmt.Sprint("game ", g.Number)) {
				t.Errorf("error %v, want one naming the game and %q", err, k.want)
			}
		})
	}
}
