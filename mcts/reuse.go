package mcts

import (
	"cmp"
	"slices"

	"synochess/env"
)

// keepSubtree makes the node of the game's position the root, if the tree holds it, and drops all that
// is not below it. It reports whether it did.
func (s *Search) keepSubtree(g *env.Game) bool {
	if len(s.nodes) == 0 || len(s.pending)+len(s.away.pending) > 0 || s.rules.Hash() != g.Rules().Hash() {
		return false
	}
	played := len(s.game)
	if len(g.Moves()) < played || !slices.Equal(g.Moves()[:played], s.game) || !g.History().Continues(&s.history) {
		return false
	}
	root := int32(0)
	for _, m := range g.Moves()[played:] {
		edges := s.edgesOf(root)
		i := slices.IndexFunc(edges, func(e edge) bool { return e.move == m })
		if i < 0 || edges[i].child == noNode {
			return false
		}
		root = edges[i].child
	}
	if n := &s.nodes[root]; !n.evaluated || n.pos != *g.Position() {
		return false
	}
	s.compact(root, int32(g.History().Len()-1), 0)
	return true
}

// compact moves root and the nodes below it to the front of the arrays, in their order; children stay
// behind their parents, so nothing is overwritten before it is read. A repetition of a position that
// now lies before the root, in the game and no longer in the search path, loses its verdict: it is
// dropped, and what it had added to the nodes above is taken out. Nodes below the root with fewer than least visits are
// cut: they keep their values, and lose their moves.
func (s *Search) compact(root, rootEntry, least int32) {
	s.remap = slices.Grow(s.remap[:0], len(s.nodes))[:len(s.nodes)]
	for i := range s.remap {
		s.remap[i] = noNode
	}
	s.remap[root] = root // kept; its new place follows below
	kept := int32(0)
	for id := root; id < int32(len(s.nodes)); id++ {
		if s.remap[id] == noNode {
			continue
		}
		s.remap[id] = kept
		n := s.nodes[id]
		if id != root && n.visits < least {
			n.cutMoves()
		}
		for _, e := range s.edges[n.first : n.first+int32(n.count)] {
			if e.child == noNode {
				continue
			}
			if c := &s.nodes[e.child]; c.repeats == noEntry || c.repeats >= rootEntry {
				s.remap[e.child] = e.child
			}
		}
		s.nodes[kept] = n
		kept++
	}
	s.nodes = s.nodes[:kept]
	s.compactEdges()
	for id := kept - 1; id >= 0; id-- {
		s.relink(id)
	}
}

// compactEdges moves the nodes' edges to the front, in the order in which they lie.
func (s *Search) compactEdges() {
	move := func(n *node, to int32) int32 {
		copy(s.edges[to:], s.edges[n.first:n.first+int32(n.count)])
		n.first = to
		return to + int32(n.count)
	}
	to := int32(0)
	if !s.regrown {
		for id := range s.nodes {
			to = move(&s.nodes[id], to)
		}
	} else {
		order := make([]int32, len(s.nodes))
		for id := range order {
			order[id] = int32(id)
		}
		slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(s.nodes[a].first, s.nodes[b].first) })
		for _, id := range order {
			to = move(&s.nodes[id], to)
		}
	}
	s.edges = s.edges[:to]
}

// relink gives a node's edges the new numbers of their children, and counts its visits again if a child
// was dropped or lost visits itself. Children come before parents.
func (s *Search) relink(id int32) {
	n := &s.nodes[id]
	visits := int32(1)
	edges := s.edgesOf(id)
	for i := range edges {
		e := &edges[i]
		if e.child == noNode {
			continue
		}
		if e.child = s.remap[e.child]; e.child != noNode {
			visits += s.nodes[e.child].visits
		}
	}
	if !n.evaluated || n.proof != Unproven || n.cut || n.visits == visits {
		return
	}
	n.visits = visits
	n.sumWin, n.sumLoss = float64(n.win), float64(n.loss)
	drawn := 0.0
	if n.drawn > 0 {
		drawn = s.improved(id, s.survey(id))
	}
	for i := range edges {
		if e := &edges[i]; e.child != noNode {
			c := &s.nodes[e.child]
			v := s.before(value{win: c.sumWin, loss: c.sumLoss}).mixedWithDraw(drawn)
			n.sumWin += v.win
			n.sumLoss += v.loss
		}
	}
}
