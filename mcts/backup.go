package mcts

// backup ends a simulation: the value of the leaf's node goes up its path, a ply at a time, and so do
// proofs. Where a node on the path is proven, its exact value takes the place of the leaf's; where it has moves
// that are proven to draw, these take their share of the value.
func (s *Search) backup(l leaf) {
	v := s.leafValue(l.node)
	s.visit(l.node, v)
	for i := l.depth - 1; i >= 0; i-- {
		st := s.path[l.path+i]
		e := &s.edges[st.edge]
		child := &s.nodes[e.child]
		child.inFlight--
		v = s.before(v)
		parent := &s.nodes[st.node]
		if child.proof != Unproven && e.proof == Unproven {
			e.proof, e.mate = child.proof.flip(), farther(child.mate)
			if e.proof == ProvenDraw {
				parent.drawn += e.prior
			}
			s.prove(st.node)
		}
		if parent.proof != Unproven {
			v = s.valueOf(parent.proof, parent.mate)
		} else {
			v = v.mixedWithDraw(st.drawn)
		}
		s.visit(st.node, v)
	}
	if l.depth > 0 {
		s.finished++
		s.deepest = max(s.deepest, int(l.depth))
	}
}

// visit counts a finished simulation at a node.
func (s *Search) visit(id int32, v value) {
	n := &s.nodes[id]
	n.visits++
	n.sumWin += v.win
	n.sumLoss += v.loss
}

// leafValue returns the value of a node at the end of a path.
func (s *Search) leafValue(id int32) value {
	n := &s.nodes[id]
	if n.proof != Unproven {
		return s.valueOf(n.proof, n.mate)
	}
	return value{win: float64(n.win), loss: float64(n.loss)}
}

// prove draws the conclusion from the proofs of a node's moves: one win wins, and when no move is open
// the best of them counts. Of wins the nearest is taken, of losses the farthest.
func (s *Search) prove(id int32) {
	n := &s.nodes[id]
	result, mate := ProvenLoss, uint16(0)
	for _, e := range s.edgesOf(id) {
		switch {
		case e.proof == ProvenWin && (result != ProvenWin || e.mate < mate):
			result, mate = ProvenWin, e.mate
		case result == ProvenWin:
		case e.proof == Unproven:
			result = Unproven
		case result == Unproven:
		case e.proof == ProvenDraw:
			result, mate = ProvenDraw, 0
		case result == ProvenLoss:
			mate = max(mate, e.mate)
		}
	}
	if result == Unproven {
		mate = 0
	}
	n.proof, n.mate = result, mate
}

// farther returns the distance to the end of the game one ply earlier.
func farther(mate uint16) uint16 {
	if mate == maxMate {
		return maxMate
	}
	return mate + 1
}
