package mcts

import (
	"math"
	"math/bits"
	"slices"

	"synochess/env"
	"synochess/internal/portable"
)

// rootPick is the state of a Gumbel root: sequential halving over a few candidate moves.
type rootPick struct {
	gumbel     []float64 // [root edge], noise, 0 without
	spent      []int32   // [root edge], simulations of this search, in flight included
	scores     []float64 // [root edge], scratch of rankCandidates
	candidates []int32   // root edges still in the race, best first
	phase      int       // nominal number of candidates of the phase
	logStart   int       // ceil(log2) of the number of candidates at the start
	rounds     int       // rounds left in the phase, the present one included
	next       int       // candidate whose turn it is in the round
	last       int32     // root edge of the last selection
}

// leaveOut takes all but some moves of a new root out of the search: they count as lost at once, so that none
// is visited, has a prior, or is played.
func (s *Search) leaveOut(only []env.Move) {
	edges := s.edgesOf(0)
	for i := range edges {
		if e := &edges[i]; !slices.Contains(only, e.move) {
			e.proof, e.mate = ProvenLoss, 0
		}
	}
	s.nodes[0].proof, s.nodes[0].mate = Unproven, 0
	s.prove(0)
}

// prepareRoot draws the noise and picks the candidates of a new search.
func (s *Search) prepareRoot() {
	s.prepared = true
	s.spread(0) // before a move turns out to be lost
	if !s.gumbel {
		return
	}
	n := &s.nodes[0]
	n.reach, n.ordered = n.count, false // any edge may get a child
	r := &s.root
	r.gumbel, r.spent = r.gumbel[:0], r.spent[:0]
	for range n.count {
		g := 0.0
		if s.options.Noise {
			u := (float64(s.options.Rand.Uint64()>>11) + 0.5) / (1 << 53) // in (0,1)
			g = -portable.Log(-portable.Log(u))
		}
		r.gumbel = append(r.gumbel, g)
		r.spent = append(r.spent, 0)
	}
	s.pickCandidates()
}

// pickCandidates starts the race with the open moves that have the greatest noise + logit; the values of proven
// ones are known, and they need no visits. There are at most half as many as visits, but two: with one visit each
// no reply would ever be searched.
func (s *Search) pickCandidates() {
	r := &s.root
	r.candidates = r.candidates[:0]
	for i, e := range s.edgesOf(0) {
		if e.proof == Unproven {
			r.candidates = append(r.candidates, int32(i))
		}
	}
	s.rankCandidates(false)
	most := min(s.cfg.Candidates, max(2, s.options.Visits/2))
	if s.options.AllCandidates {
		most = len(r.candidates)
	}
	r.candidates = r.candidates[:min(most, s.options.Visits, len(r.candidates))]
	r.logStart = bits.Len(uint(max(len(r.candidates)-1, 1)))
	s.startPhase(len(r.candidates))
}

// startPhase divides the budget: each phase gets an equal part, and each of its candidates as many
// rounds as fit, at least one.
func (s *Search) startPhase(candidates int) {
	r := &s.root
	r.phase = max(candidates, 1)
	r.rounds = max(1, s.options.Visits/(r.logStart*r.phase))
	r.next = 0
}

// selectRoot returns the root edge whose turn it is, or -1 at the end of a phase while leaves are
// pending: the halving needs their values. The root must be unproven.
func (s *Search) selectRoot() int32 {
	r := &s.root
	edges := s.edgesOf(0)
	for {
		for r.next < len(r.candidates) {
			i := r.candidates[r.next]
			r.next++
			if edges[i].proof == Unproven {
				r.spent[i]++
				r.last = i
				return s.nodes[0].first + i
			}
		}
		if r.rounds > 1 {
			r.rounds--
			r.next = 0
			if s.anyCandidate() {
				continue
			}
		}
		if len(s.pending)+len(s.away.pending) > 0 {
			r.last = noNode
			return -1
		}
		s.halve()
	}
}

// takeBack undoes the last selection.
func (r *rootPick) takeBack() {
	if r.last != noNode {
		r.spent[r.last]--
		r.next--
	}
}

// anyCandidate reports whether a candidate is open.
func (s *Search) anyCandidate() bool {
	edges := s.edgesOf(0)
	return slices.ContainsFunc(s.root.candidates, func(i int32) bool { return edges[i].proof == Unproven })
}

// halve ends a phase: the better half of the candidates goes on, two at least. If all are proven, the race
// starts again among the other moves.
func (s *Search) halve() {
	if !s.anyCandidate() {
		s.pickCandidates()
		return
	}
	r := &s.root
	edges := s.edgesOf(0)
	r.candidates = slices.DeleteFunc(r.candidates, func(i int32) bool { return edges[i].proof != Unproven })
	s.rankCandidates(true)
	half := max(2, r.phase/2)
	r.candidates = r.candidates[:min(half, len(r.candidates))]
	s.startPhase(half)
}

// rankCandidates sorts the candidates by noise + logit, and with values by noise + logit + sigma(q), the
// best first; equal ones by tieKey.
func (s *Search) rankCandidates(withValues bool) {
	var w rootWorth
	if withValues {
		w = s.surveyRoot()
	}
	r := &s.root
	r.scores = slices.Grow(r.scores[:0], len(r.gumbel))[:len(r.gumbel)]
	for _, i := range r.candidates {
		r.scores[i] = s.rootScore(i, withValues, w)
	}
	slices.SortFunc(r.candidates, func(a, b int32) int {
		x, y := r.scores[a], r.scores[b]
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		n, edges := &s.nodes[0], s.edgesOf(0)
		if tieKey(n, &edges[a]) > tieKey(n, &edges[b]) {
			return -1
		}
		return 1
	})
}

// rootWorth holds what turns the root's values into additions to logits.
type rootWorth struct {
	mixed float64 // worth of a move never searched
	scale float64 // sigmaScale
}

// surveyRoot sums over the root's moves.
func (s *Search) surveyRoot() rootWorth {
	var known, priorQ float64
	var most int32
	s.spread(0)
	edges := s.edgesOf(0)
	for i := range edges {
		e := &edges[i]
		visits, _ := s.edgeVisits(e)
		switch {
		case e.proof == ProvenDraw: // worth 0
			known += float64(e.prior)
			continue
		case visits == 0 || e.proof == ProvenLoss:
			continue
		}
		v, _ := s.edgeValue(e)
		known += float64(e.prior)
		priorQ += float64(float64(e.prior) * v.worth())
		most = max(most, visits)
	}
	return rootWorth{s.mixedWorth(0, known, priorQ), s.sigmaScale(most)}
}

// worthOf returns a root move's worth, the mixed one if nothing is known of it.
func (s *Search) worthOf(e *edge, w rootWorth) float64 {
	if v, ok := s.edgeValue(e); ok {
		return v.worth()
	}
	return w.mixed
}

// rootScore is noise + logit, and with values + sigma(q).
func (s *Search) rootScore(i int32, withValues bool, w rootWorth) float64 {
	e := &s.edgesOf(0)[i]
	score := s.root.gumbel[i] + float64(e.logit)
	if withValues {
		score += float64(w.scale * s.worthOf(e, w))
	}
	return score
}

// bestEdge returns the root move to play, as a root edge. A proven root decides by proof: the nearest win,
// a draw, the farthest loss. A Gumbel root plays the best noise + logit + sigma(q) of the moves that this
// search visited most; PUCT plays the most visited move, of equals the one of greater value. A draw, whose value
// is known, stands beside the most visited. Lost moves are played only when all are lost.
func (s *Search) bestEdge() int32 {
	w := s.surveyRoot()
	edges := s.edgesOf(0)
	root := &s.nodes[0]
	raced := s.gumbel && s.prepared
	visited := func(i int) int { // by this search, or for PUCT by all
		if raced {
			return int(s.root.spent[i])
		}
		visits, _ := s.edgeVisits(&edges[i])
		return int(visits)
	}
	most := 0
	for i := range edges {
		if edges[i].proof == Unproven {
			most = max(most, visited(i))
		}
	}
	best, bestRank, bestScore := int32(0), math.MinInt, 0.0
	for i := range edges {
		e := &edges[i]
		rank := 0
		switch {
		case root.proof != Unproven:
			rank = proofRank(e)
		case e.proof == ProvenLoss:
			rank = -1
		case e.proof == ProvenDraw:
			rank = most
		default:
			rank = visited(i)
		}
		score := float64(e.logit) + float64(w.scale*s.worthOf(e, w))
		if raced {
			score += s.root.gumbel[i]
		}
		if rank > bestRank || rank == bestRank && score > bestScore {
			best, bestRank, bestScore = int32(i), rank, score
		}
	}
	return best
}
