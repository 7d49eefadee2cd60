package mcts

// recycle makes room in a full tree: nodes of few visits are cut, so that what lies below them goes and their values
// stay. At least half of the tree is free then. Where that cannot be had, because the tree is all but flat, the search
// ends. Nothing may be pending.
func (s *Search) recycle() {
	for least := int32(2); least <= s.nodes[0].visits; least *= 2 {
		if nodes, edges := s.kept(least); nodes <= s.cfg.MaxNodes/2 && edges <= s.cfg.MaxNodes*edgesPerNode/2 {
			s.compact(0, s.rootEntry, least)
			s.full = false
			return
		}
	}
	s.options.Recycle = false
}

// kept counts what is left of the tree when nodes of fewer visits are cut.
func (s *Search) kept(least int32) (nodes, edges int) {
	stays := make([]bool, len(s.nodes))
	stays[0] = true
	for id := range s.nodes { // parents come before their children
		n := &s.nodes[id]
		if !stays[id] {
			continue
		}
		nodes++
		if id != 0 && n.visits < least {
			continue
		}
		edges += int(n.count)
		for _, e := range s.edgesOf(int32(id)) {
			if e.child != noNode {
				stays[e.child] = true
			}
		}
	}
	return nodes, edges
}

// cutMoves takes a node's moves away.
func (n *node) cutMoves() {
	n.count, n.reach, n.drawn = 0, 0, 0
	n.evaluated, n.spread, n.ordered, n.cut = false, false, false, true
}

// regrow expands a node that was cut, the history's last position. ok is false when the tree has no room.
func (s *Search) regrow(id int32) (ok bool) {
	s.nodes[id].first = int32(len(s.edges))
	if ok = s.expand(id); ok {
		s.regrown = true
	}
	return ok
}
