package mcts

import (
	"math"

	"pgregory.net/rapid"
)

// checkTree compares the tree's arrays with what they must be between two moves: the slow truth.
func checkTree(t rapid.TB, s *Search) {
	t.Helper()
	if len(s.nodes) > s.cfg.MaxNodes || cap(s.nodes) > s.cfg.MaxNodes {
		t.Errorf("%d nodes (room for %d), the limit is %d", len(s.nodes), cap(s.nodes), s.cfg.MaxNodes)
	}
	proofs := s.anyProof()
	parents := make([]int, len(s.nodes))
	nextEdge := int32(0)
	for id := range s.nodes {
		n := &s.nodes[id]
		if n.inFlight != 0 {
			t.Errorf("node %d has %d simulations in flight", id, n.inFlight)
		}
		if n.first != nextEdge && !s.regrown {
			t.Errorf("node %d begins at edge %d, the one before ends at %d", id, n.first, nextEdge)
		}
		nextEdge += int32(n.count)
		if n.repeats != noEntry && n.repeats < s.rootEntry {
			t.Errorf("node %d repeats entry %d, before the root's %d", id, n.repeats, s.rootEntry)
		}
		visits, win, loss, prior, drawn := int32(1), float64(n.win), float64(n.loss), 0.0, 0.0
		for i, e := range s.edgesOf(int32(id)) {
			prior += float64(e.prior)
			if e.proof == ProvenDraw {
				drawn += float64(e.prior)
			}
			if e.child == noNode {
				continue
			}
			parents[e.child]++
			c := &s.nodes[e.child]
			if int(e.child) <= id || i >= int(n.reach) {
				t.Errorf("node %d: child %d of edge %d (reach %d)", id, e.child, i, n.reach)
			}
			if c.proof.flip() != e.proof {
				t.Errorf("node %d: edge %d is %v, its child %v", id, i, e.proof, c.proof)
			}
			visits += c.visits
			win += s.cfg.Discount * c.sumLoss
			loss += s.cfg.Discount * c.sumWin
		}
		if n.spread && !(math.Abs(prior-1) < 1e-5) {
			t.Errorf("node %d: priors sum to %v", id, prior)
		}
		if n.spread && !(math.Abs(drawn-float64(n.drawn)) < 1e-5) {
			t.Errorf("node %d: priors of its drawn moves sum to %v, it says %v", id, drawn, n.drawn)
		}
		if n.evaluated && n.visits > 1 && !n.spread && !n.cut {
			t.Errorf("node %d: %d visits and no priors", id, n.visits)
		}
		if !n.evaluated || n.proof != Unproven {
			continue
		}
		if n.cut {
			if n.visits < visits {
				t.Errorf("node %d, cut once: %d visits, its children make %d", id, n.visits, visits)
			}
			continue
		}
		if n.visits != visits {
			t.Errorf("node %d: %d visits, its children and its evaluation make %d", id, n.visits, visits)
		}
		// The ancestors of a node that became proven keep what they had been told before. Drawn moves took a share.
		if n.drawn > 0 && !proofs && (n.sumWin > win+1e-6 || n.sumLoss > loss+1e-6 || n.sumWin < float64(n.win) || n.sumLoss < float64(n.loss)) {
			t.Errorf("node %d with drawn moves: sums %v %v, its children's make %v %v", id, n.sumWin, n.sumLoss, win, loss)
		}
		if n.drawn == 0 && !proofs && (math.Abs(win-n.sumWin) > 1e-6 || math.Abs(loss-n.sumLoss) > 1e-6) {
			t.Errorf("node %d: sums %v %v, its children's make %v %v", id, n.sumWin, n.sumLoss, win, loss)
		}
	}
	owned := make([]bool, len(s.edges))
	for id := range s.nodes {
		n := &s.nodes[id]
		for i := n.first; i < n.first+int32(n.count); i++ {
			if owned[i] {
				t.Errorf("edge %d has two nodes", i)
			}
			owned[i] = true
		}
	}
	if int(nextEdge) != len(s.edges) && !s.regrown {
		t.Errorf("%d edges, the nodes own %d", len(s.edges), nextEdge)
	}
	for id, n := range parents {
		if want := min(id, 1); n != want {
			t.Errorf("node %d has %d parents", id, n)
		}
	}
}

func (s *Search) anyProof() bool {
	for i := range s.nodes {
		if s.nodes[i].proof != Unproven {
			return true
		}
	}
	return false
}
