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
		chosen := s.selectEdge(at)
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
		s.path = append(s.path, step{at, chosen})
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
		case n.visits == 0: // pending
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
// pending leaves are backed up.
func (s *Search) selectEdge(id int32) int32 {
	switch {
	case !s.gumbel:
		return s.selectPUCT(id)
	case id == 0:
		return s.selectRoot()
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

// survey collects in s.touched the edges of a node that may be selected: those with children that are
// not lost and, of the others, the one with the greatest prior. It returns the sums over them that both
// formulas need.
func (s *Search) survey(id int32) (known, lost, priorQ float64, total, most int32) {
	s.spread(id)
	s.order(id)
	n := &s.nodes[id]
	s.touched = s.touched[:0]
	for i := int32(0); i <= int32(n.reach) && i < int32(n.count); i++ {
		e := &s.edges[n.first+i]
		if e.proof == ProvenLoss {
			lost += float64(e.prior)
			continue
		}
		t := touched{edge: n.first + i, prior: float64(e.prior)}
		if e.child != noNode {
			visits, inFlight := s.edgeVisits(e)
			t.n = visits + inFlight
			total += t.n
			if visits > 0 {
				v, _ := s.edgeValue(e)
				t.known, t.q = true, v.worth()
				known += t.prior
				priorQ += float64(t.prior * t.q)
				most = max(most, visits)
			}
		}
		s.touched = append(s.touched, t)
	}
	return known, lost, priorQ, total, most
}

// order brings the edge with the greatest prior of those that were never selected to their front. Equal
// priors are told apart by a mix of move and position, so that the generator's order favours no move.
func (s *Search) order(id int32) {
	n := &s.nodes[id]
	if n.ordered || n.reach == n.count {
		return
	}
	n.ordered = true
	edges := s.edgesOf(id)[n.reach:]
	best := 0
	for i := 1; i < len(edges); i++ {
		if edges[i].prior > edges[best].prior ||
			edges[i].prior == edges[best].prior && tieKey(n, &edges[i]) > tieKey(n, &edges[best]) {
			best = i
		}
	}
	edges[0], edges[best] = edges[best], edges[0]
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

// selectImproved is the Gumbel paper's rule for inner nodes: it keeps visit counts in proportion to the
// improved policy, argmax pi'(a) - N(a) / (1 + sum N).
func (s *Search) selectImproved(id int32) int32 {
	known, lost, priorQ, total, most := s.survey(id)
	mixed := s.mixedWorth(id, known, priorQ)
	scale := s.sigmaScale(most)
	top := 0.0 // greatest exponent; moves never searched have 0
	for i := range s.touched {
		if t := &s.touched[i]; t.known {
			t.score = float64(scale * (t.q - mixed))
			top = max(top, t.score)
		}
	}
	sum := float64(max(0, 1-known-lost) * portable.Exp(-top))
	for i := range s.touched {
		t := &s.touched[i]
		t.score = float64(t.prior * portable.Exp(t.score-top))
		if t.known {
			sum += t.score
		}
	}
	sum = max(sum, math.SmallestNonzeroFloat64) // all priors may be 0
	for i := range s.touched {
		t := &s.touched[i]
		t.score = t.score/sum - float64(t.n)/float64(1+total)
	}
	return s.take(id)
}

// selectPUCT is AlphaZero's rule with Leela Chess Zero's growth of the exploration and its reduced value
// for moves never searched.
func (s *Search) selectPUCT(id int32) int32 {
	known, _, _, total, _ := s.survey(id)
	n := &s.nodes[id]
	c := &s.cfg
	mean := (n.sumWin - n.sumLoss) / float64(n.visits)
	unknown := mean - float64(c.FPUReduction*math.Sqrt(known))
	explore := c.CPuct + float64(c.CPuctFactor*portable.Log((float64(total)+c.CPuctBase)/c.CPuctBase))
	explore = float64(explore * math.Sqrt(float64(max(total, 1))))
	for i := range s.touched {
		t := &s.touched[i]
		q := unknown
		if t.known {
			q = t.q
		}
		t.score = q + float64(explore*t.prior)/float64(1+t.n)
	}
	return s.take(id)
}

// mixedWorth is the paper's v_mix, the worth in [-1,1] that stands in for moves never searched: the
// evaluator's worth of the node and the prior-weighted mean of the moves searched and not lost, known
// being the sum of their priors and priorQ that of prior*q.
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
