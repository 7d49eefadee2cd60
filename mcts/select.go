package mcts

import (
	"math"

	"synochess/internal/portable"
)

// fate is how the selection of a leaf ended.
type fate uint8

const (
	decided         fate = iota // the rules give the leaf's value
	needsEvaluation             // the leaf is new
	blocked                     // nothing selected: a pending leaf is in the way, or the tree is full
)

// selectLeaf descends from the root to a node that is new or settled. The path is appended to s.path, and
// the nodes on it count one more simulation in flight. If blocked, all is as before.
func (s *Search) selectLeaf() (leaf, fate) {
	l := leaf{path: int32(len(s.path)), row: noRow}
	at := int32(0)
	for {
		chosen, drawn := s.selectEdge(at)
		if chosen < 0 {
			return s.undo(l)
		}
		child := s.edges[chosen].child
		fresh := child == noNode
		if fresh {
			var ok bool
			if child, ok = s.addChild(at, chosen); !ok {
				s.full = true
				return s.undo(l)
			}
		} else {
			s.pushHistory(child)
		}
		s.path = append(s.path, step{at, chosen, drawn})
		l.depth++
		n := &s.nodes[child]
		n.inFlight++
		l.node = child
		switch {
		case n.proof != Unproven || n.repeats >= 0:
			s.rewind(l.depth)
			return l, decided
		case fresh:
			s.rewind(l.depth)
			return l, needsEvaluation
		case n.count == 0 && n.visits > 0: // cut
			if !s.regrow(child) {
				s.full = true
				return s.undo(l)
			}
			s.rewind(l.depth)
			if n.proof != Unproven {
				return l, decided
			}
			return l, needsEvaluation
		case n.visits == 0, !n.evaluated: // pending
			return s.undo(l)
		}
		at = child
	}
}

// rewind takes the positions of a path off the history.
func (s *Search) rewind(depth int32) {
	for range depth {
		s.history.Pop()
	}
}

// undo takes back a descent.
func (s *Search) undo(l leaf) (leaf, fate) {
	for _, st := range s.path[l.path:] {
		s.nodes[s.edges[st.edge].child].inFlight--
	}
	s.path = s.path[:l.path]
	s.rewind(l.depth)
	if s.gumbel {
		s.root.takeBack()
	}
	return l, blocked
}

// selectEdge returns the edge to follow from a node, or -1 if the root has none to offer before the
// pending leaves are backed up, and the share of the simulation's value that the node's drawn moves take. A
// Gumbel root weighs them itself.
func (s *Search) selectEdge(id int32) (chosen int32, drawn float64) {
	switch {
	case !s.gumbel:
		return s.selectPUCT(id)
	case id == 0:
		return s.selectRoot(), 0
	}
	return s.selectImproved(id)
}

// touched is what selection knows of one selectable edge of a node.
type touched struct {
	edge  int32 // index into edges
	n     int32 // simulations, in flight included
	known bool  // q is known
	prior float64
	q     float64 // in [-1,1] for the node's mover, if known
	score float64
}

// sums is what both formulas need of a node's moves.
type sums struct {
	known  float64 // prior of the moves whose value is known and that are not lost
	lost   float64 // prior of the moves proven to lose
	priorQ float64 // sum of prior * q over the known ones
	total  int32   // simulations through open moves, in flight included
	most   int32   // finished simulations through the most visited open move
}

// survey collects in s.touched the edges of a node that may be selected, and sums over the node's moves. Only
// open, that is unproven, moves are selected: those with children and, of the others, the one with the greatest
// prior. An unproven node has at least one.
func (s *Search) survey(id int32) sums {
	s.spread(id)
	s.order(id)
	n := &s.nodes[id]
	k := sums{known: float64(n.drawn)} // a draw is worth 0
	s.touched = s.touched[:0]
	for i := int32(0); i <= int32(n.reach) && i < int32(n.count); i++ {
		e := &s.edges[n.first+i]
		if e.proof != Unproven {
			if e.proof == ProvenLoss {
				k.lost += float64(e.prior)
			}
			continue
		}
		t := touched{edge: n.first + i, prior: float64(e.prior)}
		if e.child != noNode {
			visits, inFlight := s.edgeVisits(e)
			t.n = visits + inFlight
			k.total += t.n
			if visits > 0 {
				v, _ := s.edgeValue(e)
				t.known, t.q = true, v.worth()
				k.known += t.prior
				k.priorQ += float64(t.prior * t.q)
				k.most = max(k.most, visits)
			}
		}
		s.touched = append(s.touched, t)
	}
	return k
}

// order brings the open edge with the greatest prior of those that were never selected to their front. Equal
// priors are told apart by a mix of move and position, so that the generator's order favours no move.
func (s *Search) order(id int32) {
	n := &s.nodes[id]
	if n.ordered || n.reach == n.count {
		return
	}
	n.ordered = true
	edges := s.edgesOf(id)[n.reach:]
	best := &edges[0]
	for i := range edges {
		e := &edges[i]
		if e.prior < best.prior && best.proof == Unproven { // most edges; comesBefore says the same, slower
			continue
		}
		if comesBefore(n, e, best) {
			best = e
		}
	}
	edges[0], *best = *best, edges[0]
}

// comesBefore reports whether edge a of a node is to be selected before edge b, when neither was yet.
func comesBefore(n *node, a, b *edge) bool {
	switch {
	case (a.proof == Unproven) != (b.proof == Unproven):
		return a.proof == Unproven
	case a.prior != b.prior:
		return a.prior > b.prior
	}
	return tieKey(n, a) > tieKey(n, b)
}

// tieKey orders moves of equal prior.
func tieKey(n *node, e *edge) uint64 {
	return (n.pos.Hash() ^ uint64(e.move)*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93
}

// take returns the best-scored of s.touched and notes if it is a new one.
func (s *Search) take(id int32) int32 {
	best := 0
	for i := range s.touched {
		if s.touched[i].score > s.touched[best].score {
			best = i
		}
	}
	n := &s.nodes[id]
	chosen := s.touched[best].edge
	if chosen == n.first+int32(n.reach) {
		n.reach++
		n.ordered = false
	}
	return chosen
}

// improved sets the scores of s.touched to the Gumbel paper's improved policy over a node's open moves, and
// returns the share that the drawn moves have of the whole policy. Their value is known exactly, so they need no
// visits: each simulation that passes the node takes their share of the value with it (backup).
func (s *Search) improved(id int32, k sums) (drawn float64) {
	mixed := s.mixedWorth(id, k.known, k.priorQ)
	scale := s.sigmaScale(k.most)
	top := 0.0 // greatest exponent; moves never searched have 0
	for i := range s.touched {
		if t := &s.touched[i]; t.known {
			t.score = float64(scale * (t.q - mixed))
			top = max(top, t.score)
		}
	}
	sum := float64(max(0, 1-k.known-k.lost) * portable.Exp(-top))
	for i := range s.touched {
		t := &s.touched[i]
		t.score = float64(t.prior * portable.Exp(t.score-top))
		if t.known {
			sum += t.score
		}
	}
	sum = max(sum, math.SmallestNonzeroFloat64) // all priors may be 0
	for i := range s.touched {
		s.touched[i].score /= sum
	}
	if d := float64(s.nodes[id].drawn); d > 0 { // of exponent -scale*mixed
		drawn = d / (d + float64(sum*portable.Exp(top+float64(scale*mixed))))
	}
	return drawn
}

// selectImproved is the Gumbel paper's rule for inner nodes: it keeps visit counts in proportion to the
// improved policy, argmax pi'(a) - N(a) / (1 + sum N).
func (s *Search) selectImproved(id int32) (chosen int32, drawn float64) {
	k := s.survey(id)
	drawn = s.improved(id, k)
	for i := range s.touched {
		t := &s.touched[i]
		t.score -= float64(t.n) / float64(1+k.total)
	}
	return s.take(id), drawn
}

// selectPUCT is AlphaZero's rule with Leela Chess Zero's growth of the exploration and its reduced value
// for moves never searched.
func (s *Search) selectPUCT(id int32) (chosen int32, drawn float64) {
	k := s.survey(id)
	n := &s.nodes[id]
	if n.drawn > 0 {
		drawn = s.improved(id, k)
	}
	c := &s.cfg
	mean := (n.sumWin - n.sumLoss) / float64(n.visits)
	unknown := mean - float64(c.FPUReduction*math.Sqrt(k.known))
	explore := c.CPuct + float64(c.CPuctFactor*portable.Log((float64(k.total)+c.CPuctBase)/c.CPuctBase))
	explore = float64(explore * math.Sqrt(float64(max(k.total, 1))))
	for i := range s.touched {
		t := &s.touched[i]
		q := unknown
		if t.known {
			q = t.q
		}
		t.score = q + float64(explore*t.prior)/float64(1+t.n)
	}
	return s.take(id), drawn
}

// mixedWorth is the paper's v_mix, the worth in [-1,1] that stands in for moves never searched: the
// evaluator's worth of the node and the prior-weighted mean of the moves whose value is known and that are not
// lost, known being the sum of their priors and priorQ that of prior*q.
func (s *Search) mixedWorth(id int32, known, priorQ float64) float64 {
	n := &s.nodes[id]
	v := float64(n.win) - float64(n.loss)
	if known == 0 {
		return v
	}
	visits := float64(n.visits - 1) // without its own evaluation
	return (v + float64(visits*(priorQ/known))) / (1 + visits)
}

// sigmaScale is what a worth in [-1,1] is multiplied by to be added to a logit: (c_visit + most) *
// c_scale for q in [0,1], so half of that here. The shift that goes with it cancels in every softmax.
func (s *Search) sigmaScale(most int32) float64 {
	return 0.5 * float64((s.cfg.CVisit+float64(most))*s.cfg.CScale)
}
