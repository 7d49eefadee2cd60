package env

// MoveCount is a root move and the number of leaves below it.
type MoveCount struct {
	Move  Move
	Count uint64
}

// Perft counts the leaves of the tree of legal moves to the given depth; the last ply is counted in
// bulk. A move that makes a faceoff or a campmate counts 1 at its own ply and has no children;
// repetition and the ply count are ignored. Depth 0 counts 1.
func (r *Rules) Perft(p *Position, depth int) uint64 {
	switch {
	case depth <= 0:
		return 1
	case r.ended(p):
		return 0
	}
	t := perftTree{rules: r, plies: make([]perftPly, depth+1)}
	return t.count(p, depth)
}

// Divide returns Perft's count for each legal move of the position, in the order of Legal.
func (r *Rules) Divide(p *Position, depth int) []MoveCount {
	var counts []MoveCount
	for _, m := range r.Legal(p, nil) {
		var next Position
		r.Apply(p, m, &next)
		counts = append(counts, MoveCount{m, r.Perft(&next, depth-1)})
	}
	return counts
}

// perftTree is the scratch memory of one count.
type perftTree struct {
	rules  *Rules
	danger danger
	plies  []perftPly // [depth left]
}

// perftPly is what is needed at one depth: the moves, and the position after one of them.
type perftPly struct {
	moves []Move
	next  Position
}

func (t *perftTree) count(p *Position, depth int) (leaves uint64) {
	if depth == 1 {
		if p.side == Western {
			return uint64(t.rules.countWestern(p, &t.danger))
		}
		return uint64(t.rules.countEastern(p, &t.danger))
	}
	ply := &t.plies[depth]
	ply.moves = t.rules.generate(p, &t.danger, ply.moves[:0])
	for _, m := range ply.moves {
		t.rules.Apply(p, m, &ply.next)
		if !t.rules.ended(&ply.next) {
			leaves += t.count(&ply.next, depth-1)
		}
	}
	return leaves
}
