package mcts

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"

	"synochess/env"
)

// mate is a position in which the mover has a forced mate.
type mate struct {
	plies      int
	army       string
	rules, fen string
}

func readMates(t *testing.T) []mate {
	t.Helper()
	file, err := os.Open("testdata/mates.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []mate
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		f := strings.Split(lines.Text(), " | ")
		plies, err := strconv.Atoi(f[0])
		if err != nil || len(f) != 4 {
			t.Fatalf("mates.txt: %q", lines.Text())
		}
		all = append(all, mate{plies, f[1], f[2], f[3]})
	}
	return all
}

// forced reports, by trying everything, whether the mover can win within some plies.
func forced(r *env.Rules, p *env.Position, plies int) bool {
	winner := env.WinFor(p.SideToMove())
	var next, after env.Position
	for _, m := range r.Legal(p, nil) {
		r.Apply(p, m, &next)
		if o := r.Outcome(&next); o.Over() {
			if o.Result == winner {
				return true
			}
			continue
		}
		wins := plies >= 3
		for _, reply := range r.Legal(&next, nil) {
			if !wins {
				break
			}
			r.Apply(&next, reply, &after)
			if o := r.Outcome(&after); o.Over() {
				wins = o.Result == winner
			} else {
				wins = forced(r, &after, plies-2)
			}
		}
		if wins {
			return true
		}
	}
	return false
}

// A forced mate is found, for either army, without any help from the evaluator: a mate in one with the
// root's evaluation alone, a mate in two within 300 simulations, a mate in three within 4,000.
func TestMates(t *testing.T) {
	within := map[int]int{1: 1, 3: 300, 5: 4000}
	seen := map[string]int{}
	cfg := testConfig()
	cfg.Mode = ModePUCT
	for _, leaves := range []int{1, 4} {
		cfg.LeavesPerStep = leaves
		s := New(cfg, NewCache(1000))
		for _, m := range readMates(t) {
			r := builtin(t, m.rules)
			g := gameAt(t, r, m.fen)
			if g.Position().SideToMove().String() != m.army {
				t.Fatalf("%s: not %s to move", m.fen, m.army)
			}
			seen[m.army+strconv.Itoa(m.plies)]++
			if leaves == 1 && m.plies > 1 && forced(r, g.Position(), m.plies-2) {
				t.Errorf("%s: mate before %d plies", m.fen, m.plies)
			}
			got := run(t, s, g, Options{Visits: within[m.plies]}, &fake{})
			if got.Proven != ProvenWin || got.MateIn < m.plies || got.MateIn%2 == 0 {
				t.Errorf("%s: %v in %d after %d simulations, want a win in %d", m.fen, got.Proven, got.MateIn, got.Visits, m.plies)
				continue
			}
			if m.plies == 1 && (got.Visits > 0 || got.MateIn != 1) {
				t.Errorf("%s: mate in one after %d simulations", m.fen, got.Visits)
			}
			if got.MateIn != len(got.PV) {
				t.Errorf("%s: mate in %d, variation of %d plies", m.fen, got.MateIn, len(got.PV))
			}
			if got.MateIn <= 5 {
				checkProof(t, r, g, got)
			}
			checkTree(t, s)
		}
	}
	for _, key := range []string{"Western1", "Western3", "Western5", "Eastern1", "Eastern3", "Eastern5"} {
		if seen[key] < 4 {
			t.Errorf("only %d mates of kind %s", seen[key], key)
		}
	}
}

// checkProof plays the variation of a proven win and asks the slow truth at each turn of the winner.
func checkProof(t *testing.T, r *env.Rules, g *env.Game, got *Result) {
	t.Helper()
	winner := g.Position().SideToMove()
	for i, m := range got.PV {
		if left := got.MateIn - i; left%2 == 1 && !forced(r, g.Position(), left) {
			t.Errorf("%s: no win within %d plies", r.FEN(g.Position()), left)
		}
		if err := g.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	if g.Outcome().Result != env.WinFor(winner) {
		t.Errorf("the variation ends in %s, %v", r.FEN(g.Position()), g.Outcome())
	}
}

// The Gumbel root of self-play sees every mate in one, and with 128 visits and no prior half the mates in two.
func TestMatesInGumbelMode(t *testing.T) {
	cfg := testConfig()
	s := New(cfg, nil)
	found, asked := 0, 0
	for _, m := range readMates(t) {
		if m.plies > 3 {
			continue
		}
		got := run(t, s, gameAt(t, builtin(t, m.rules), m.fen), Options{Visits: 128, AllCandidates: true}, &fake{worth: material})
		checkTree(t, s)
		if m.plies == 1 && got.Proven != ProvenWin {
			t.Errorf("%s: mate in one not seen", m.fen)
		}
		if m.plies == 3 {
			asked++
			if got.Proven == ProvenWin {
				found++
			}
		}
	}
	if found*2 < asked {
		t.Errorf("%d of %d mates in two found", found, asked)
	}
}

// A side that is about to be mated, whatever it does, knows that it is lost, and by which army.
func TestLossesAreProven(t *testing.T) {
	s := New(testConfig(), nil)
	lost := map[env.Army]int{}
	for _, m := range readMates(t) {
		r := builtin(t, m.rules)
		g := gameAt(t, r, m.fen)
		if m.plies != 3 {
			continue
		}
		// After the first move of a mate in two the other side is mated in two plies.
		win := run(t, s, g, Options{Visits: Unlimited}, &fake{})
		if win.MateIn != 3 {
			continue
		}
		if err := g.Play(win.Best); err != nil {
			t.Fatal(err)
		}
		loss := run(t, s, g, Options{Visits: 2000, FreshRoot: true}, &fake{})
		if loss.Proven != ProvenLoss || loss.MateIn != 2 {
			t.Errorf("%s: %v in %d, want a loss in 2", r.FEN(g.Position()), loss.Proven, loss.MateIn)
		}
		if want := float32(0.995 * 0.995); loss.RootAfter[2] < want-1e-6 || loss.RootAfter[0] != 0 {
			t.Errorf("value of a loss in 2: %v", loss.RootAfter)
		}
		lost[g.Position().SideToMove()]++
	}
	if lost[env.Western] == 0 || lost[env.Eastern] == 0 {
		t.Errorf("lost positions: %v", lost)
	}
}
