package eval

// DropLast removes the last row, which must exist.
func (b *Batch) DropLast() {
	rows := b.Len() - 1
	b.Planes = b.Planes[:rows*b.NumPlanes]
	b.Scalars = b.Scalars[:rows*b.NumScalars]
	b.Scales = b.Scales[:rows*b.NumScalars]
	b.RulesHash = b.RulesHash[:rows]
	b.Indices = b.Indices[:b.Offsets[rows]]
	b.Offsets = b.Offsets[:rows+1]
}
