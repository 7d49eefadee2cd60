package mcts

import (
	"math"
	"math/bits"

	"synochess/env"
	"synochess/internal/portable"
)

// plantRoot replaces the tree by the game's position, which is not over.
func (s *Search) plantRoot(g *env.Game) {
	s.nodes, s.edges, s.regrown = s.nodes[:0], s.edges[:0], false
	id, _ := s.newNode()
	n := &s.nodes[id]
	n.pos, n.check = *g.Position(), g.InCheck()
	s.expand(id) // a single node always fits: MaxNodes is at least 16
}

// addChild makes the node that an open move of node `from` leads to. The history ends with `from` and ends
// with the child afterwards. ok is false, and nothing has changed, when the tree is full.
func (s *Search) addChild(from, edgeIndex int32) (id int32, ok bool) {
	id, ok = s.newNode()
	if !ok {
		return noNode, false
	}
	e, n := &s.edges[edgeIndex], &s.nodes[id]
	s.rules.Apply(&s.nodes[from].pos, e.move, &n.pos)
	n.check = s.rules.InCheck(&n.pos)
	s.pushHistory(id)
	switch {
	case s.judgeRepetition(id):
	case !s.expand(id):
		s.history.Pop()
		s.nodes = s.nodes[:id]
		return noNode, false
	}
	s.edges[edgeIndex].child = id // expand may have moved the edges
	return id, true
}

// pushHistory makes a node's position the history's last.
func (s *Search) pushHistory(id int32) {
	n := &s.nodes[id]
	s.history.Push(&n.pos, n.check, n.pos.PlyCount() == 0)
}

// judgeRepetition reports whether the history's last position, that of a new node, also stood earlier in
// the search path, the root included. Such a second occurrence is given the value that a third would
// have, since both sides can go round once more; it proves nothing.
func (s *Search) judgeRepetition(id int32) bool {
	n := &s.nodes[id]
	earlier := int32(s.history.EarlierAt(1))
	if earlier < s.rootEntry {
		return false
	}
	n.repeats = earlier
	if s.rules.PerpetualCheck == env.VerdictLoss {
		mover := n.pos.SideToMove()
		mine := s.history.CheckedThroughout(int(earlier), mover)
		theirs := s.history.CheckedThroughout(int(earlier), mover.Other())
		switch {
		case mine && !theirs:
			n.loss = 1
		case theirs && !mine:
			n.win = 1
		}
	}
	return true
}

// expand gives a node its edges and looks at each legal move once: a move that ends the game is proven
// here and needs no evaluation, and one that wins settles the node, as does a mate by checks that hunt
// finds. Of a node other than the root only the winning move is kept. The history ends with the node. The
// moves are left in s.legal, in the order of the edges. ok is false when the tree has no room for the edges.
func (s *Search) expand(id int32) (ok bool) {
	n := &s.nodes[id]
	n.seen = uint8(min(s.history.Occurrences(), 2))
	s.sharpen(&n.pos, &s.sharp)
	s.legal, s.forcing = s.rules.LegalSharp(&n.pos, &s.sharp, s.legal[:0], s.forcing[:0])
	if len(s.legal) == 0 { // stalemate; mates were seen from the node before
		n.proof = proofFor(s.rules.OutcomeGiven(&n.pos, 0, n.check), n.pos.SideToMove())
		return true
	}
	if s.edges, ok = extend(s.edges, len(s.legal), s.cfg.MaxNodes*edgesPerNode); !ok {
		return false
	}
	n.count = uint16(len(s.legal))
	s.mates.checks = s.mates.checks[:0]
	for i, m := range s.legal {
		s.edges[int(n.first)+i] = edge{child: noNode, move: m}
	}
	for _, m := range s.forcing {
		e := &s.edges[int(n.first)+int(m.Index)]
		s.rules.Apply(&n.pos, m.Move, &s.next)
		outcome, check := s.judge(&s.next)
		if e.proof = proofFor(outcome, n.pos.SideToMove()); e.proof == Unproven {
			if check {
				s.mates.checks = append(s.mates.checks, n.first+int32(m.Index))
			}
			continue
		}
		e.mate = 1
		if e.proof == ProvenWin && id != 0 {
			s.keepOnly(id, e)
			return true
		}
	}
	if id == 0 || len(s.forcing) == len(s.legal) { // else a move is open, and none wins
		s.prove(id)
	}
	if n.proof == Unproven {
		if e := s.hunt(id); e != nil {
			if id != 0 {
				s.keepOnly(id, e)
			} else {
				s.prove(id)
			}
		}
	}
	return true
}

// keepOnly settles a new node by a move that wins; the others are not needed.
func (s *Search) keepOnly(id int32, e *edge) {
	n := &s.nodes[id]
	s.edges[n.first] = *e
	s.edges = s.edges[:n.first+1]
	n.count, n.proof, n.mate = 1, ProvenWin, e.mate
}

// fewPieces is the number of pieces up to which an army's stalemate is looked for when a move is first
// seen. Richer armies are practically never stalemated; if one is, its own node tells.
const fewPieces = 4

// sharpen finds the moves of p, the history's last position, that may end the game or give check. To what
// a move can do by itself it adds the ply count, a third occurrence, and the stalemate of an army of few
// pieces.
func (s *Search) sharpen(p *env.Position, sharp *env.Sharp) {
	plies, pieces := p.PlyCount()+1, bits.OnesCount64(p.ArmyPieces(p.SideToMove().Other()))
	if plies >= s.rules.NoProgressPlies || pieces <= fewPieces || plies >= thirdPlies && s.history.Repeated() {
		sharp.SharpenAll()
		return
	}
	s.rules.Sharpen(p, sharp)
	if pieces == fewPieces+1 {
		sharp.SharpenCaptures(p)
	}
}

// thirdPlies is the least number of plies without progress at a third occurrence: two rounds of four.
const thirdPlies = 8

// judge returns what the rules say of p, which a move after the history's last position has led to, and
// whether its mover is in check.
func (s *Search) judge(p *env.Position) (o env.Outcome, check bool) {
	check = s.rules.InCheck(p)
	replies := 1 // at least
	if (check || p.PlyCount() >= s.rules.NoProgressPlies || bits.OnesCount64(p.ArmyPieces(p.SideToMove())) <= fewPieces) && !s.rules.HasLegal(p) {
		replies = 0
	}
	o = s.rules.OutcomeGiven(p, replies, check)
	if !o.Over() && p.PlyCount() >= thirdPlies && s.history.Repeated() {
		s.history.Push(p, check, false)
		o = s.history.RepetitionOutcome(s.rules)
		s.history.Pop()
	}
	return o, check
}

// fill stores the evaluator's answer in a node.
func (s *Search) fill(id int32, logits, wdl []float32) {
	n := &s.nodes[id]
	n.win, n.loss, n.evaluated = wdl[0], wdl[2], true
	for i, logit := range logits[:n.count] {
		s.edges[int(n.first)+i].logit = logit
	}
}

// spread gives a node's moves their priors before the first of them is selected; most nodes are leaves for
// good and need none. The prior leaves out the moves that lose at once, unless all do; whatever finite logits
// those have, the others' priors sum to 1.
func (s *Search) spread(id int32) {
	n := &s.nodes[id]
	if n.spread {
		return
	}
	n.spread = true
	temperature := 1.0
	if !s.gumbel {
		temperature = s.cfg.PolicyTemperature
	}
	edges := s.edgesOf(id)
	out := func(e *edge) bool { return e.proof == ProvenLoss && n.proof != ProvenLoss }
	highest := float32(math.Inf(-1))
	for i := range edges {
		if e := &edges[i]; !out(e) {
			highest = max(highest, e.logit)
		}
	}
	sum := 0.0
	for i := range edges {
		e := &edges[i]
		if out(e) {
			continue
		}
		p := portable.Exp(float64(e.logit-highest) / temperature) // 0 where float32 cannot hold the difference
		e.prior = float32(p)
		sum += p
	}
	for i := range edges {
		e := &edges[i]
		e.prior = float32(float64(e.prior) / sum)
		if e.proof == ProvenDraw {
			n.drawn += e.prior
		}
	}
}
