package encode

import "slices"

// Row is one position as a Batch holds it.
type Row struct {
	Planes    []uint64 // [plane], bit s = square s
	Scalars   []uint16 // [i], the input is Scalars/Scales and lies in [0,1]
	Scales    []uint16 // [i], at least 1
	RulesHash uint64   // hash of the rule set without its name and start
	Moves     []uint16 // policy indices of the legal moves
}

// Row returns a row that shares the batch's memory: it is valid until the batch is reset or grows.
func (b *Batch) Row(row int) Row {
	p, s := row*b.NumPlanes, row*b.NumScalars
	return Row{
		Planes: b.Planes[p : p+b.NumPlanes], Scalars: b.Scalars[s : s+b.NumScalars], Scales: b.Scales[s : s+b.NumScalars],
		RulesHash: b.RulesHash[row], Moves: b.Moves(row),
	}
}

// Append appends a copy of a row, of which the batch takes the planes and scalars that its own rows have.
func (b *Batch) Append(r Row) {
	planes, scalars, scales := b.AddRow(r.RulesHash)
	copy(planes, r.Planes)
	copy(scalars, r.Scalars)
	copy(scales, r.Scales)
	copy(b.AddMoves(len(r.Moves)), r.Moves)
}

// First returns the row as a network that reads fewer inputs sees it: its first planes and scalars. It shares the
// row's memory.
func (r Row) First(planes, scalars int) Row {
	r.Planes, r.Scalars, r.Scales = r.Planes[:planes], r.Scalars[:scalars], r.Scales[:scalars]
	return r
}

// Clone returns a row with memory of its own.
func (r Row) Clone() Row {
	r.Planes, r.Moves = slices.Clone(r.Planes), slices.Clone(r.Moves)
	r.Scalars, r.Scales = slices.Clone(r.Scalars), slices.Clone(r.Scales)
	return r
}
