package mcts

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"synochess/env"
)

// slowHunt is the truth beside expand and hunt: every move is made and judged, none is left out beforehand.
type slowHunt struct {
	rules *env.Rules
	hist  env.History
	left  int
}

// verdict is what is known of a root move.
type verdict struct {
	proof Proof
	mate  int
}

// judge is the rules' word on p after a move from the history's last position.
func (h *slowHunt) judge(p *env.Position) (env.Outcome, bool) {
	check := h.rules.InCheck(p)
	replies := 1
	if check || p.PlyCount() >= h.rules.NoProgressPlies || bits.OnesCount64(p.ArmyPieces(p.SideToMove())) <= fewPieces {
		replies = len(h.rules.Legal(p, nil))
	}
	o := h.rules.OutcomeGiven(p, replies, check)
	if !o.Over() {
		h.hist.Push(p, check, false)
		o = h.hist.RepetitionOutcome(h.rules)
		h.hist.Pop()
	}
	return o, check
}

// root returns the verdicts on the moves of p.
func (h *slowHunt) root(p *env.Position, mateMoves, nodes int) []verdict {
	moves := h.rules.Legal(p, nil)
	all := make([]verdict, len(moves))
	var checks []int
	open, won := false, false
	for i, m := range moves {
		var next env.Position
		h.rules.Apply(p, m, &next)
		o, check := h.judge(&next)
		if all[i].proof = proofFor(o, p.SideToMove()); all[i].proof != Unproven {
			all[i].mate = 1
			won = won || all[i].proof == ProvenWin
			continue
		}
		open = true
		if check {
			checks = append(checks, i)
		}
	}
	if won || !open {
		return all
	}
	h.left = nodes
	for replies := 1; replies < mateMoves && h.left > 0; replies++ {
		best := -1
		for _, i := range checks {
			var next env.Position
			h.rules.Apply(p, moves[i], &next)
			h.hist.Push(&next, true, false)
			if plies, ok := h.mated(&next, replies); ok && (best < 0 || plies < all[best].mate-1) {
				if best >= 0 {
					all[best] = verdict{}
				}
				best, all[i] = i, verdict{ProvenWin, plies + 1}
			}
			h.hist.Pop()
		}
		if best >= 0 {
			break
		}
	}
	return all
}

func (h *slowHunt) mated(p *env.Position, checks int) (plies int, ok bool) {
	for _, m := range h.rules.Legal(p, nil) {
		if h.left--; h.left < 0 {
			return 0, false
		}
		var next env.Position
		h.rules.Apply(p, m, &next)
		o, check := h.judge(&next)
		n := 1
		if o.Result != env.WinFor(p.SideToMove().Other()) {
			if o.Over() {
				return 0, false
			}
			h.hist.Push(&next, check, false)
			further, mates := h.matesBy(&next, checks)
			h.hist.Pop()
			if !mates {
				return 0, false
			}
			n += further
		}
		plies = max(plies, n)
	}
	return plies, true
}

func (h *slowHunt) matesBy(p *env.Position, checks int) (plies int, ok bool) {
	for _, m := range h.rules.Legal(p, nil) {
		if h.left--; h.left < 0 {
			return 0, false
		}
		var next env.Position
		h.rules.Apply(p, m, &next)
		o, check := h.judge(&next)
		if o.Result == env.WinFor(p.SideToMove()) {
			return 1, true
		}
		if o.Over() || !check || checks == 1 {
			continue
		}
		h.hist.Push(&next, true, false)
		n, mated := h.mated(&next, checks-1)
		h.hist.Pop()
		if mated {
			return n + 1, true
		}
	}
	return 0, false
}

// TestHuntEqualsTheSlowOne compares root moves' verdicts in random games, few-piece endings and repetitions
// among them, with few and many moves allowed to be tried.
func TestHuntEqualsTheSlowOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	mates, ends, cut := 0, 0, 0
	for n := range 300 {
		cfg := testConfig()
		cfg.MateMoves, cfg.MateNodes = 1+rng.IntN(4), []int{0, 7, 40, 200, 3000}[rng.IntN(5)]
		s := New(cfg, nil)
		r := builtin(t, env.BuiltinNames()[n%len(env.BuiltinNames())])
		g := env.NewGame(r, r.StartPosition())
		for ply := 0; ply < 300 && !g.Outcome().Over(); ply++ {
			if err := s.Start(g, Options{Visits: 1, FreshRoot: true}); err != nil {
				t.Fatal(err)
			}
			slow := slowHunt{rules: r}
			slow.hist.CopyFrom(g.History())
			want := slow.root(g.Position(), cfg.MateMoves, cfg.MateNodes)
			for i, e := range s.edgesOf(0) {
				if got := (verdict{e.proof, int(e.mate)}); got != want[i] {
					t.Fatalf("%s, %d moves, %d tries: %s is %v, want %v", r.FEN(g.Position()), cfg.MateMoves, cfg.MateNodes, r.MoveString(e.move), got, want[i])
				}
				if e.proof != Unproven && e.mate == 1 {
					ends++
				} else if e.proof == ProvenWin {
					mates++
				}
			}
			if slow.left < 0 {
				cut++
			}
			moves := g.LegalMoves()
			m := moves[rng.IntN(len(moves))]
			if played := g.Moves(); len(played) > 1 && n%4 == 0 && rng.IntN(3) == 0 { // go back, so that positions repeat
				back := played[len(played)-2]
				if back = env.NewMove(back.To(), back.From(), env.Plain); r.IsLegal(g.Position(), back) {
					m = back
				}
			}
			if err := g.Play(m); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d mates found, %d moves that end the game, %d hunts that ended early", mates, ends, cut)
	if mates < 100 || ends < 1000 || cut < 100 {
		t.Error("this compares too little")
	}
}
