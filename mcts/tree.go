package mcts

import (
	"math"

	"synochess/env"
)

const (
	noNode  = int32(-1) // edge.child: the move was never searched
	noEntry = int32(-1) // node.repeats: the position repeats none of the search path
	noRow   = int32(-1) // leaf.row: the evaluation came from the cache

	// edgesPerNode times Config.MaxNodes is the hard limit of moves in a tree. Positions have some 35
	// legal moves; whichever limit is met first ends the search.
	edgesPerNode = 48
	// maxMate is the greatest distance to the end of the game that is counted.
	maxMate = math.MaxUint16
)

// node is a position of the tree. Values and proofs are for its mover.
//
// A node is one of
//   - settled by the rules: proof is known and it has no edges (or, where a move wins at once, only
//     that edge);
//   - a repetition of a position of the search path: repeats >= 0, a value but no proof, no edges;
//   - expanded: it has one edge a legal move. It is evaluated once the evaluator has answered; until
//     then the leaf that leads to it is pending;
//   - cut: it has visits and no edges, not settled and no repetition. It is expanded again at its next visit.
type node struct {
	pos             env.Position
	sumWin, sumLoss float64 // over all finished visits
	win, loss       float32 // the evaluator's answer, or the verdict on a repetition
	drawn           float32 // prior of the moves proven to draw, once spread
	first           int32   // its edges are edges[first : first+count]
	visits          int32   // finished simulations that reached it, its own evaluation included
	inFlight        int32   // simulations that passed it and wait for an evaluation
	repeats         int32   // history entry of the same position in the search path, or noEntry
	count           uint16  // number of edges
	reach           uint16  // edges [0, reach) may have a child, the others have none
	mate            uint16  // plies to the end of the game, if proven won or lost
	proof           Proof
	seen            uint8 // earlier occurrences in game and search path, at most 2
	evaluated       bool  // win, loss and the edges' logits are the evaluator's
	spread          bool  // the edges have priors
	check           bool  // the mover is in check
	ordered         bool  // edge number reach has the greatest prior of the open ones from reach on
	cut             bool  // its moves were given up once (recycle.go): it has visits that no child has
}

// edge is a legal move of a node. Its proof is for who makes the move.
type edge struct {
	child int32   // the node it leads to, or noNode
	logit float32 // as evaluated
	prior float32 // once spread: softmax of the logits over the moves that do not lose at once, 0 for those that do
	move  env.Move
	mate  uint16 // plies from the node to the end of the game, if proven won or lost
	proof Proof
}

// step is one move of a search path.
type step struct {
	node  int32
	edge  int32   // index into edges
	drawn float64 // share of the node's value that its drawn moves take (Search.improved)
}

// leaf is a simulation that waits for the end of its step: for an evaluation or, if that came from the
// cache, for its turn.
type leaf struct {
	node  int32
	path  int32 // its path is path[path : path+depth]
	depth int32
	row   int32 // row among those the last Collect appended, or noRow
	key   cacheKey
}

// edgesOf returns the edges of a node; they move when the tree grows.
func (s *Search) edgesOf(id int32) []edge {
	n := &s.nodes[id]
	return s.edges[n.first : n.first+int32(n.count)]
}

// newNode appends a node without edges. ok is false when the tree is full.
func (s *Search) newNode() (id int32, ok bool) {
	var extended bool
	if s.nodes, extended = extend(s.nodes, 1, s.cfg.MaxNodes); !extended {
		return noNode, false
	}
	id = int32(len(s.nodes) - 1)
	s.nodes[id] = node{first: int32(len(s.edges)), repeats: noEntry}
	return id, true
}

// extend lengthens a slice by n elements. Its memory grows in few steps, never beyond limit elements: what is not
// written to costs next to nothing, and copying a large tree costs much.
func extend[T any](list []T, n, limit int) ([]T, bool) {
	need := len(list) + n
	if need > limit {
		return list, false
	}
	if need > cap(list) {
		longer := make([]T, len(list), min(limit, max(need, 4*cap(list), limit/8)))
		copy(longer, list)
		list = longer
	}
	return list[:need], true
}

// edgeValue returns the value of a move for who makes it, from proofs and finished visits; ok is false
// if there are neither.
func (s *Search) edgeValue(e *edge) (v value, ok bool) {
	if e.proof != Unproven {
		return s.valueOf(e.proof, e.mate), true
	}
	if e.child == noNode {
		return value{}, false
	}
	c := &s.nodes[e.child]
	if c.visits == 0 {
		return value{}, false
	}
	n := float64(c.visits)
	return s.before(value{win: c.sumWin / n, loss: c.sumLoss / n}), true
}

// edgeVisits returns the finished simulations through a move, and those under way.
func (s *Search) edgeVisits(e *edge) (visits, inFlight int32) {
	if e.child == noNode {
		return 0, 0
	}
	c := &s.nodes[e.child]
	return c.visits, c.inFlight
}
