package encode

// Batch is a packed list of positions to evaluate, with room for the answers. It is owned by one
// goroutine and reused: Reset keeps its memory.
type Batch struct {
	NumPlanes  int // binary planes a row
	NumScalars int // scalar inputs a row

	Planes    []uint64 // [row*NumPlanes + plane], bit s = square s
	Scalars   []uint16 // [row*NumScalars + i], the input is Scalars/Scales and lies in [0,1]
	Scales    []uint16 // [row*NumScalars + i], at least 1
	RulesHash []uint64 // [row], hash of the rule set without its name and start
	Indices   []uint16 // policy indices of all rows' legal moves, one row after the other
	Offsets   []int32  // [row] to [row+1]: the row's part of Indices; len = rows + 1

	Logits []float32 // [len(Indices)], unnormalised log-probability of each listed move
	WDL    []float32 // [row*3 + {0 win, 1 draw, 2 loss}], probabilities for the mover, sum 1

	rules [ruleSlots]rulePart // [GroupHash % ruleSlots], what AppendRow has worked out of rule sets
}

// NewBatchOf returns an empty batch for rows of the given shape.
func NewBatchOf(numPlanes, numScalars int) *Batch {
	return &Batch{NumPlanes: numPlanes, NumScalars: numScalars, Offsets: []int32{0}}
}

// Reset empties the batch and keeps its memory.
func (b *Batch) Reset() {
	b.Planes, b.Scalars, b.Scales = b.Planes[:0], b.Scalars[:0], b.Scales[:0]
	b.RulesHash, b.Indices, b.Offsets = b.RulesHash[:0], b.Indices[:0], b.Offsets[:1]
	b.Logits, b.WDL = b.Logits[:0], b.WDL[:0]
}

// Len returns the number of rows.
func (b *Batch) Len() int { return len(b.Offsets) - 1 }

// Moves returns the policy indices of one row's legal moves.
func (b *Batch) Moves(row int) []uint16 { return b.Indices[b.Offsets[row]:b.Offsets[row+1]] }

// RowLogits returns one row's logits, in the order of Moves.
func (b *Batch) RowLogits(row int) []float32 { return b.Logits[b.Offsets[row]:b.Offsets[row+1]] }

// RowWDL returns one row's win, draw and loss probabilities for the mover.
func (b *Batch) RowWDL(row int) []float32 { return b.WDL[row*3 : row*3+3] }

// AddRow appends an empty row and returns its planes, scalars and scales to be filled in. The moves
// follow with AddMove or AddMoves.
func (b *Batch) AddRow(rulesHash uint64) (planes []uint64, scalars, scales []uint16) {
	p, s := len(b.Planes), len(b.Scalars)
	b.Planes = grow(b.Planes, b.NumPlanes)
	b.Scalars = grow(b.Scalars, b.NumScalars)
	b.Scales = grow(b.Scales, b.NumScalars)
	b.RulesHash = append(b.RulesHash, rulesHash)
	b.Offsets = append(b.Offsets, int32(len(b.Indices)))
	return b.Planes[p:], b.Scalars[s:], b.Scales[s:]
}

// AddMove appends a legal move's policy index to the last row.
func (b *Batch) AddMove(index uint16) {
	b.Indices = append(b.Indices, index)
	b.Offsets[len(b.Offsets)-1]++
}

// AddMoves appends n legal moves to the last row and returns their policy indices to be filled in.
func (b *Batch) AddMoves(n int) []uint16 {
	b.Indices = grow(b.Indices, n)
	b.Offsets[len(b.Offsets)-1] += int32(n)
	return b.Indices[len(b.Indices)-n:]
}

// PrepareOutputs gives Logits and WDL the length that belongs to the rows; evaluators call it before
// they write their answers.
func (b *Batch) PrepareOutputs() {
	b.Logits = grow(b.Logits[:0], len(b.Indices))
	b.WDL = grow(b.WDL[:0], 3*b.Len())
}

// grow appends n zero values.
func grow[T any](s []T, n int) []T {
	if need := len(s) + n; need > cap(s) {
		t := make([]T, len(s), need+need/2)
		copy(t, s)
		s = t
	}
	s = s[:len(s)+n]
	clear(s[len(s)-n:])
	return s
}
