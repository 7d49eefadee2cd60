package mcts

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synochess/env"
)

var update = flag.Bool("update", false, "write the golden trees anew")

// dump writes a tree as text: a line a visited move, indented by depth, in the order of the edges.
func dump(s *Search, r *Result) string {
	var b strings.Builder
	rules := s.rules
	fmt.Fprintf(&b, "best %s  proven %v in %d  visits %d  before %s  after %s\n",
		rules.MoveString(r.Best), r.Proven, r.MateIn, r.Visits, triple(r.RootBefore), triple(r.RootAfter))
	fmt.Fprintf(&b, "pv")
	for _, m := range r.PV {
		fmt.Fprintf(&b, " %s", rules.MoveString(m))
	}
	fmt.Fprintf(&b, "\n\nmove    visits  logit   policy  q       proven\n")
	for _, a := range r.Actions {
		fmt.Fprintf(&b, "%-6s  %6d  %+.3f  %.4f  %+.4f %s\n", rules.MoveString(a.Move), a.Visits, a.Logit, a.Policy, a.Q, proofText(a.Proven, a.MateIn))
	}
	fmt.Fprintf(&b, "\ntree: move, visits, prior, q for who moves, proven for who moves\n")
	dumpNode(&b, s, 0, 0)
	return b.String()
}

func dumpNode(b *strings.Builder, s *Search, id int32, depth int) {
	for _, e := range s.edgesOf(id) {
		if e.child == noNode {
			continue
		}
		c := &s.nodes[e.child]
		v, _ := s.edgeValue(&e)
		fmt.Fprintf(b, "%s%s %d %.3f %+.4f%s", strings.Repeat("  ", depth), s.rules.MoveString(e.move), c.visits, e.prior, v.worth(), proofText(e.proof, int(e.mate)))
		if c.repeats >= 0 {
			fmt.Fprintf(b, " repeats entry %d", c.repeats)
		}
		b.WriteByte('\n')
		dumpNode(b, s, e.child, depth+1)
	}
}

func triple(v [3]float32) string { return fmt.Sprintf("%.4f/%.4f/%.4f", v[0], v[1], v[2]) }

func proofText(p Proof, mate int) string {
	switch p {
	case Unproven:
		return ""
	case ProvenDraw:
		return " draw"
	}
	return fmt.Sprintf(" %v in %d", p, mate)
}

// advance is a worth that likes Western pieces far up the board; nothing but the board decides it.
func advance(p *env.Position) float64 {
	v := 0.0
	for pc := env.Pawn; pc <= env.King; pc++ {
		for mask := p.Pieces(pc); mask != 0; mask &= mask - 1 {
			for s := mask &^ (mask - 1); s > 0xff; s >>= 8 {
				v += 0.02
			}
		}
	}
	if p.SideToMove() == env.Eastern {
		return -v
	}
	return v
}

// towardsH is a logit that prefers targets near the h file and the high ranks.
func towardsH(p *env.Position, m env.Move) float32 {
	return 0.25*float32(m.To()&7) + 0.125*float32(m.To()>>3) + 0.01*float32(m.Kind())
}

// The trees of small searches, written out. Read the difference before you run with -update.
func TestGoldenTrees(t *testing.T) {
	const promotion = "8/P3k3/8/8/8/8/1s6/6K1[] w - - 0 1"
	const royals = "8/8/8/3k4/8/8/8/K7[] w - - 97 90"
	for _, c := range []struct {
		name, rules, fen string
		mode             string
		leaves           int
		o                Options
		seed             uint64
	}{
		{name: "gumbel", rules: "moddable", fen: promotion, mode: ModeGumbel, leaves: 1, o: Options{Visits: 16}},
		{name: "gumbel-noise", rules: "moddable", fen: promotion, mode: ModeGumbel, leaves: 1, o: Options{Visits: 16, Noise: true}, seed: 7},
		{name: "gumbel-leaves-4", rules: "moddable", fen: promotion, mode: ModeGumbel, leaves: 4, o: Options{Visits: 24}},
		{name: "gumbel-all", rules: "moddable", fen: promotion, mode: ModeGumbel, leaves: 1, o: Options{Visits: 24, AllCandidates: true}},
		{name: "puct", rules: "moddable", fen: promotion, mode: ModePUCT, leaves: 1, o: Options{Visits: 24}},
		{name: "puct-leaves-4", rules: "moddable", fen: promotion, mode: ModePUCT, leaves: 4, o: Options{Visits: 24}},
		{name: "mate-in-two", rules: "moddable", fen: "7k/8/5K2/8/8/8/R7/8[] w - - 0 1", mode: ModePUCT, leaves: 1, o: Options{Visits: 60}},
		{name: "ply-count", rules: "moddable-strict", fen: royals, mode: ModePUCT, leaves: 1, o: Options{Visits: 40}},
		{name: "eastern-drop", rules: "moddable", fen: "4k3/8/8/8/8/3K4/8/8[s] b - - 0 1", mode: ModeGumbel, leaves: 1, o: Options{Visits: 12}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := testConfig()
			cfg.Mode, cfg.LeavesPerStep, cfg.Candidates = c.mode, c.leaves, 8
			s := New(cfg, nil)
			if c.o.Noise {
				c.o.Rand = rand.New(rand.NewPCG(c.seed, 1))
			}
			r := run(t, s, gameAt(t, builtin(t, c.rules), c.fen), c.o, &fake{worth: advance, logit: towardsH})
			checkTree(t, s)
			got := c.rules + "  " + c.fen + "\n" + dump(s, r)
			path := filepath.Join("testdata", "tree-"+c.name+".txt")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("the tree differs from %s; got\n%s", path, got)
			}
		})
	}
}
