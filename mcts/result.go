package mcts

import (
	"slices"

	"synochess/env"
	"synochess/internal/portable"
)

// Result is what a search found. Everything is said for the mover of the root.
type Result struct {
	Best       env.Move   // the move to play
	Actions    []Action   // every legal move, in ascending order of env.Move
	RootBefore [3]float32 // win, draw and loss as the evaluator sees the root
	RootAfter  [3]float32 // win, draw and loss after the search: those of the moves, weighted by the improved policy
	Proven     Proof
	MateIn     int        // plies to the end of the game if Proven is a win or a loss, as far as known
	Algorithm  string     // ModeGumbel or ModePUCT
	Visits     int        // simulations of this search
	Nodes      int        // positions in the tree
	Depth      int        // longest path of this search, in plies
	Full       bool       // the search ended because its memory was full
	PV         []env.Move // principal variation; it begins with Best
}

// Action is what a search found about a legal move of the root.
type Action struct {
	Move   env.Move
	Visits int32   // simulations through the move, those of a kept tree included
	Logit  float32 // as evaluated
	Policy float32 // the improved policy; sums to 1
	Q      float32 // mean value in [-1,1] for the mover; for a move never searched the mixed value that stands in for it
	Proven Proof   // for the mover
	MateIn int     // plies from the root to the end of the game, if proven won or lost
}

// Result returns what the search has found so far. It is valid until the next call and must not be asked
// for before the root is evaluated, that is before the first Absorb or a Collect that was done.
func (s *Search) Result() *Result {
	root := &s.nodes[0]
	r := &s.result
	drawn := s.drawnByCounts() // may change the order of the edges
	best := s.bestEdge()
	*r = Result{
		Best:       s.edgesOf(0)[best].move,
		RootBefore: wdl(value{float64(root.win), float64(root.loss)}),
		Proven:     root.proof, MateIn: int(root.mate),
		Algorithm: s.cfg.Algorithm(s.options.Visits), Visits: s.finished, Nodes: len(s.nodes), Depth: s.deepest, Full: s.full,
		Actions: r.Actions[:0], PV: s.appendPV(r.PV[:0], best),
	}
	w := s.surveyRoot()
	for i := range s.edgesOf(0) {
		e := &s.edgesOf(0)[i]
		visits, _ := s.edgeVisits(e)
		r.Actions = append(r.Actions, Action{
			Move: e.move, Visits: visits, Logit: e.logit, Q: float32(s.worthOf(e, w)), Proven: e.proof, MateIn: int(e.mate),
		})
	}
	s.improve(r.Actions, w, drawn)
	r.RootAfter = wdl(s.valueAfter(r.Actions))
	s.sortByMove(r)
	return r
}

// sortByMove brings the result's actions into the order of their moves. Numbers are sorted faster than actions.
func (s *Search) sortByMove(r *Result) {
	s.places = s.places[:0]
	for i := range r.Actions {
		s.places = append(s.places, uint32(r.Actions[i].Move)<<16|uint32(i))
	}
	slices.Sort(s.places)
	s.actions = s.actions[:0]
	for _, at := range s.places {
		s.actions = append(s.actions, r.Actions[at&0xffff])
	}
	r.Actions, s.actions = s.actions, r.Actions
}

// Variation is a line of play that begins with a move of the root, and what that move is worth.
type Variation struct {
	Moves []env.Move // empty if the move is not legal
	WDL   [3]float32 // win, draw and loss of the move for the mover of the root; the root's as evaluated if it was never searched
}

// Variation returns the principal variation that begins with a root move. It may be called when Result may.
func (s *Search) Variation(m env.Move) (v Variation) {
	i := slices.IndexFunc(s.edgesOf(0), func(e edge) bool { return e.move == m })
	if i < 0 {
		return v
	}
	worth, ok := s.edgeValue(&s.edgesOf(0)[i])
	if !ok {
		worth = value{float64(s.nodes[0].win), float64(s.nodes[0].loss)}
	}
	return Variation{s.appendPV(nil, int32(i)), wdl(worth)}
}

// drawnByCounts returns the share of the policy that the root's drawn moves take where visit counts, which
// they do not have, are the policy.
func (s *Search) drawnByCounts() float64 {
	if n := &s.nodes[0]; s.gumbel || n.proof != Unproven || n.drawn == 0 {
		return 0
	}
	return s.improved(0, s.survey(0))
}

// improve fills in the improved policy, of actions in the order of the root's edges. It lies on the
// nearest wins if there are any, else on the moves that are not lost, if there are any. There it is
// softmax(logit + sigma(q)) for a Gumbel root. For PUCT it is the visit counts, of which proven draws, which
// are not visited, take the share that they have in every simulation's value (Search.improved).
func (s *Search) improve(actions []Action, w rootWorth, drawn float64) {
	proof, mate := s.nodes[0].proof, int(s.nodes[0].mate)
	counts := !s.gumbel && proof == Unproven && s.nodes[0].visits > 1
	in := func(a *Action) bool {
		if proof == ProvenWin {
			return a.Proven == ProvenWin && a.MateIn == mate
		}
		return proof == ProvenLoss || a.Proven != ProvenLoss
	}
	score := func(a *Action) float64 { return float64(a.Logit) + float64(w.scale*float64(a.Q)) }
	top, some := 0.0, false
	for i := range actions {
		if a := &actions[i]; in(a) && (!some || score(a) > top) {
			top, some = score(a), true
		}
	}
	visits := 0.0 // of the open moves
	for i := range actions {
		if a := &actions[i]; a.Proven == Unproven {
			visits += float64(a.Visits)
		}
	}
	weight := func(i int) float64 {
		a := &actions[i]
		switch {
		case !in(a):
			return 0
		case counts && a.Proven == ProvenDraw && drawn == 0: // their priors may be 0
			return 0
		case counts && a.Proven == ProvenDraw:
			return float64(visits*drawn) * float64(s.edgesOf(0)[i].prior) / float64(s.nodes[0].drawn)
		case counts:
			return float64(float64(a.Visits) * (1 - drawn))
		}
		return portable.Exp(score(a) - top)
	}
	weigh := func() (sum float64) {
		s.weights = s.weights[:0]
		for i := range actions {
			w := weight(i)
			s.weights = append(s.weights, w)
			sum += w
		}
		return sum
	}
	sum := weigh()
	if sum == 0 { // PUCT spent its visits on moves that turned out lost
		counts = false
		sum = weigh()
	}
	for i := range actions {
		actions[i].Policy = float32(s.weights[i] / sum)
	}
}

// valueAfter returns the root's value after the search; actions are in the order of the root's edges.
// A move never searched counts as the evaluator sees the root.
func (s *Search) valueAfter(actions []Action) value {
	root := &s.nodes[0]
	if root.proof != Unproven {
		return s.valueOf(root.proof, root.mate)
	}
	var sum value
	for i := range actions {
		v, ok := s.edgeValue(&s.edgesOf(0)[i])
		if !ok {
			v = value{float64(root.win), float64(root.loss)}
		}
		p := float64(actions[i].Policy)
		sum.win += float64(p * v.win)
		sum.loss += float64(p * v.loss)
	}
	return sum
}

// wdl returns win, draw and loss of a value.
func wdl(v value) [3]float32 {
	return [3]float32{float32(v.win), float32(max(0, 1-v.win-v.loss)), float32(v.loss)}
}

// appendPV appends the line that begins with a root edge and goes on with the best moves found.
func (s *Search) appendPV(line []env.Move, best int32) []env.Move {
	at := int32(0)
	for {
		e := s.edgesOf(at)[best]
		line = append(line, e.move)
		if e.child == noNode || s.nodes[e.child].count == 0 {
			return line
		}
		at = e.child
		if best = s.bestInner(at); best < 0 {
			return line
		}
	}
}

// bestInner returns the best move of an inner node: by proof if the node is proven, else the most visited
// open one or, where that is worth less, a draw; -1 if there is neither.
func (s *Search) bestInner(id int32) int32 {
	n := &s.nodes[id]
	edges := s.edgesOf(id)
	best, bestRank, draw := int32(-1), 0, int32(-1)
	for i := range edges {
		e := &edges[i]
		rank := 0
		switch {
		case n.proof != Unproven:
			rank = proofRank(e)
		case e.proof == Unproven:
			visits, _ := s.edgeVisits(e)
			rank = int(visits)
		case e.proof == ProvenDraw && (draw < 0 || e.prior > edges[draw].prior):
			draw = int32(i)
		}
		if rank > bestRank {
			best, bestRank = int32(i), rank
		}
	}
	if draw < 0 {
		return best
	}
	if best >= 0 {
		if v, ok := s.edgeValue(&edges[best]); ok && v.worth() >= 0 {
			return best
		}
	}
	return draw
}

// proofRank orders the moves of a proven position: nearer wins before farther ones, then draws, then
// farther losses before nearer ones, last (0) what is open.
func proofRank(e *edge) int {
	switch e.proof {
	case ProvenWin:
		return 4*maxMate - int(e.mate)
	case ProvenDraw:
		return 2 * maxMate
	case ProvenLoss:
		return 1 + int(e.mate)
	}
	return 0
}
