package mcts

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"synochess/env"
	"synochess/env/encode"
)

// Unlimited as a number of visits: the search goes on until it is stopped, proven, or out of memory. It
// uses PUCT, since sequential halving must know its budget.
const Unlimited = math.MaxInt

// Options say how one move is searched.
type Options struct {
	Visits        int        // simulations, at least 1; the evaluation of the root comes on top
	FreshRoot     bool       // forget the tree, as a search must whose policy becomes a target
	Noise         bool       // Gumbel noise at the root (gumbel mode only); without it the search is deterministic
	Rand          *rand.Rand // the noise's source, nil without Noise
	AllCandidates bool       // every root move is a candidate of the Gumbel root, not the Candidates best
	Only          []env.Move // the root's moves that are searched; empty: all
	Recycle       bool       // a full tree gives up what was least visited, and the search goes on
}

// Search is the search of one game. It belongs to one goroutine, is reused from move to move and from
// game to game, and allocates nothing once its arrays have grown. See the package documentation for
// the order of calls.
type Search struct {
	cfg    Config
	cache  *Cache    // shared by the searches of a worker; nil for none
	powers []float64 // [plies], Discount to that power

	nodes []node // node 0 is the root; a child comes after its parent
	edges []edge // each node's together; in the order of their nodes unless regrown
	remap []int32

	rules     *env.Rules
	game      []env.Move  // moves from the game's start to the root
	history   env.History // from the game's start to the root; in a descent, to the node under way
	rootEntry int32       // history entry of the root

	options  Options
	gumbel   bool // mode of the search under way
	running  bool // between Start and the end
	full     bool // the tree has no room left
	regrown  bool // a node that was cut has grown again
	prepared bool // rootPick is set up
	finished int  // simulations backed up since Start
	deepest  int  // longest path since Start, in plies
	root     rootPick

	flight                  // of the step under way
	away    flight          // of the step before, while Crew evaluates it; empty otherwise
	legal   []env.Move      // of the last node expanded
	forcing []env.SharpMove // those of legal that may end the game or give check
	next    env.Position    // scratch of expand
	sharp   env.Sharp       // scratch of expand and hunt
	touched []touched       // scratch of selection
	mates   mateHunt
	result  Result
	places  []uint32      // scratch of Result, as are the next two
	actions []Action      // takes turns with result.Actions
	weights []float64     // [root edge]
	batch   *encode.Batch // of Run
}

// flight holds the leaves of one step.
type flight struct {
	path    []step // of the pending leaves, one after the other
	pending []leaf // in order of selection
	rows    int    // rows appended
}

// clear empties the flight and keeps its memory.
func (f *flight) clear() { f.path, f.pending, f.rows = f.path[:0], f.pending[:0], 0 }

// New returns an idle search. The cache may be nil, and may be shared with other searches of the same
// goroutine that use the same evaluator. cfg must be valid.
func New(cfg Config, cache *Cache) *Search {
	s := &Search{cfg: cfg, cache: cache, powers: make([]float64, 1024)}
	s.mates.positions = make([]env.Position, 2*cfg.MateMoves)
	s.mates.moves = make([][]env.Move, 2*cfg.MateMoves)
	s.mates.sharp = make([][]env.SharpMove, 2*cfg.MateMoves)
	s.mates.deeper = make([]answer, cfg.MateMoves)
	s.powers[0] = 1
	for i := 1; i < len(s.powers); i++ {
		s.powers[i] = s.powers[i-1] * cfg.Discount
	}
	return s
}

// Start begins the search of a game's position. Unless a fresh root is asked for, what an earlier
// search found below the position is kept. The game must not be over, and is not used after Start.
func (s *Search) Start(g *env.Game, o Options) error {
	switch {
	case g.Outcome().Over():
		return fmt.Errorf("mcts: the game is over: %v", g.Outcome().Reason)
	case o.Visits < 1:
		return fmt.Errorf("mcts: %d visits; a search needs at least 1", o.Visits)
	case o.Noise && o.Rand == nil:
		return errors.New("mcts: noise needs a source of random numbers")
	}
	gumbel := s.cfg.Algorithm(o.Visits) == ModeGumbel
	if o.Noise && !gumbel {
		return fmt.Errorf("mcts: noise belongs to the Gumbel root, and a search of %d visits uses PUCT", o.Visits)
	}
	kept := !o.FreshRoot && len(o.Only) == 0 && len(s.options.Only) == 0 && gumbel == s.gumbel && s.keepSubtree(g)
	s.options, s.gumbel = o, gumbel
	s.running, s.full, s.prepared, s.finished, s.deepest = true, false, false, 0, 0
	s.flight.clear()
	s.away.clear()
	s.rules = g.Rules()
	s.game = append(s.game[:0], g.Moves()...)
	s.history.CopyFrom(g.History())
	s.rootEntry = int32(s.history.Len() - 1)
	if !kept {
		s.plantRoot(g)
	}
	if len(o.Only) > 0 {
		s.leaveOut(o.Only)
	}
	return nil
}

// Collect selects leaves and appends a row for each that the evaluator must answer, at most
// Config.LeavesPerStep. It returns how many rows it appended. If that is not 0, the rows must be
// evaluated and given to Absorb before Collect is called again. Nothing appended and not done means
// only that many simulations ended without the evaluator, and that Finished has grown: call again. done means
// that the search is over.
func (s *Search) Collect(b *encode.Batch) (rows int, done bool) {
	const patience = 256 // steps without a row before the caller gets a turn
	for range patience {
		if s.over() {
			s.running = false
			return 0, true
		}
		s.step(b)
		if s.rows > 0 {
			return s.rows, false
		}
		s.settle()
		if len(s.away.pending) > 0 { // what is away may be in the way
			break
		}
	}
	return 0, false
}

// Finished returns how many simulations have ended since Start.
func (s *Search) Finished() int { return s.finished }

// Absorb takes the evaluator's answers to the rows that the last Collect appended, the first of which
// is row firstRow of the batch.
func (s *Search) Absorb(b *encode.Batch, firstRow int) {
	for i := range s.pending {
		if l := &s.pending[i]; l.row != noRow {
			row := firstRow + int(l.row)
			s.fill(l.node, b.RowLogits(row), b.RowWDL(row))
			s.cache.put(l.key, b.RowLogits(row), b.RowWDL(row))
		}
	}
	s.settle()
}

// over reports whether nothing is left to search.
func (s *Search) over() bool {
	r := &s.nodes[0]
	return !s.running || r.evaluated && (s.full && !s.options.Recycle || s.finished >= s.options.Visits || r.proof != Unproven)
}

// step selects the leaves of one step. Simulations that the rules decide are backed up at once; the
// others stay pending, whether the evaluator is needed or the cache knows, so that the search does not
// depend on what is in the cache.
func (s *Search) step(b *encode.Batch) {
	if !s.nodes[0].evaluated {
		if len(s.away.pending) == 0 {
			s.request(b, leaf{node: 0})
		}
		return
	}
	if !s.prepared {
		s.prepareRoot()
	}
	if s.full {
		if len(s.away.pending) == 0 {
			s.recycle()
		}
		return
	}
	for free := 0; len(s.pending) < s.cfg.LeavesPerStep && free < s.cfg.LeavesPerStep; {
		if s.finished+len(s.pending)+len(s.away.pending) >= s.options.Visits || s.nodes[0].proof != Unproven {
			return
		}
		l, fate := s.selectLeaf()
		switch fate {
		case decided:
			s.backup(l)
			s.path = s.path[:l.path]
			free++
		case needsEvaluation:
			s.request(b, l)
		case blocked:
			return
		}
	}
}

// request makes a leaf pending and appends its row, unless the cache has the answer.
func (s *Search) request(b *encode.Batch, l leaf) {
	n := &s.nodes[l.node]
	l.row = noRow
	if s.cache != nil {
		l.key = keyOf(s.rules, &n.pos, n.seen)
		if logits, wdl, ok := s.cache.get(l.key, int(n.count)); ok {
			s.fill(l.node, logits, wdl)
			s.pending = append(s.pending, l)
			return
		}
	}
	encode.AppendRow(b, s.rules, &n.pos, int(n.seen), s.legal)
	l.row = int32(s.rows)
	s.rows++
	s.pending = append(s.pending, l)
}

// settle backs up the leaves of the step in the order of their selection.
func (s *Search) settle() {
	for _, l := range s.pending {
		s.backup(l)
	}
	s.flight.clear()
}
