package mcts

import "synochess/env"

// mateHunt looks for wins by checks alone below a new node, where the rules know the answer and no
// evaluator is needed: the attacker gives check with every move, the defender tries every answer. It
// costs a microsecond or two a leaf and proves mates that few simulations would ever reach (as dlshogi and
// other shogi programs do at their leaves).
type mateHunt struct {
	checks    []int32           // edges of the node under expansion whose moves give check
	positions []env.Position    // [level]
	moves     [][]env.Move      // [level], scratch
	sharp     [][]env.SharpMove // [level], scratch
	answers   []answer          // [check], of refuted
	deeper    []answer          // [level], of refuted
	left      int               // moves that may still be tried for this leaf, negative if more were wanted
}

// hunt tries to prove the node with the checks that expand has found, the nearest mate first, and returns
// the edge that mates or nil. The history ends with the node.
func (s *Search) hunt(id int32) *edge {
	h := &s.mates
	if s.refuted(id) {
		return nil
	}
	h.left = s.cfg.MateNodes
	for replies := 1; replies < s.cfg.MateMoves && h.left > 0; replies++ {
		var best *edge
		for _, i := range h.checks {
			if h.left <= 0 {
				break
			}
			e := &s.edges[i]
			p := h.position(0)
			s.rules.Apply(&s.nodes[id].pos, e.move, p)
			s.history.Push(p, true, p.PlyCount() == 0)
			plies, mated := s.mated(p, replies, 1)
			s.history.Pop()
			if mated && (best == nil || plies < int(best.mate)-1) {
				if best != nil {
					best.proof, best.mate = Unproven, 0
				}
				best = e
				e.proof, e.mate = ProvenWin, uint16(plies+1)
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

// mated reports whether the mover of p, who is in check and not mated yet, loses against every defence
// within the given number of the attacker's checks, and in how many plies. The history ends with p.
func (s *Search) mated(p *env.Position, checks, level int) (plies int, ok bool) {
	h := &s.mates
	attacker := p.SideToMove().Other()
	for _, m := range h.legal(s.rules, p, level) {
		if h.left--; h.left < 0 {
			return 0, false
		}
		next := h.position(level)
		s.rules.Apply(p, m, next)
		outcome, check := s.judge(next)
		n := 1
		switch {
		case outcome.Result == env.WinFor(attacker): // a faceoff
		case outcome.Over():
			return 0, false
		default:
			s.history.Push(next, check, next.PlyCount() == 0)
			further, mates := s.matesBy(next, checks, level+1)
			s.history.Pop()
			if !mates {
				return 0, false
			}
			n += further
		}
		plies = max(plies, n)
	}
	return plies, true
}

// matesBy reports whether the mover of p wins with the given number of moves, each of them a check, and in
// how many plies. The history ends with p. Moves that are not sharp neither win nor give check: they only
// count as tried, in their turn.
func (s *Search) matesBy(p *env.Position, checks, level int) (plies int, ok bool) {
	h := &s.mates
	attacker := p.SideToMove()
	moves, legal := s.sharpMoves(p, level)
	tried := 0
	for _, m := range moves {
		h.left -= int(m.Index) + 1 - tried
		tried = int(m.Index) + 1
		if h.left < 0 {
			return 0, false
		}
		next := h.position(level)
		s.rules.Apply(p, m.Move, next)
		outcome, check := s.judge(next)
		if outcome.Result == env.WinFor(attacker) {
			return 1, true
		}
		if outcome.Over() || !check || checks == 1 {
			continue
		}
		s.history.Push(next, true, next.PlyCount() == 0)
		n, mated := s.mated(next, checks-1, level+1)
		s.history.Pop()
		if mated {
			return n + 1, true
		}
	}
	h.left -= legal - tried
	return 0, false
}

// sharpMoves lists the moves of p that may end the game or give check in the level's scratch memory. The
// history ends with p. legal is the number of all moves.
func (s *Search) sharpMoves(p *env.Position, level int) (moves []env.SharpMove, legal int) {
	s.sharpen(p, &s.sharp)
	h := &s.mates
	h.moves[level], h.sharp[level] = s.rules.LegalSharp(p, &s.sharp, h.moves[level][:0], h.sharp[level][:0])
	return h.sharp[level], len(h.moves[level])
}

// position returns a level's scratch position.
func (h *mateHunt) position(level int) *env.Position { return &h.positions[level] }

// legal lists the legal moves of p in the level's scratch memory.
func (h *mateHunt) legal(r *env.Rules, p *env.Position, level int) []env.Move {
	h.moves[level] = r.Legal(p, h.moves[level][:0])
	return h.moves[level]
}
