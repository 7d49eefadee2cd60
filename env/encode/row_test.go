package encode

import (
	"reflect"
	"testing"

	"synochess/env"
)

// rowsOf encodes the start position of every built-in rule set.
func rowsOf(t *testing.T) *Batch {
	t.Helper()
	b := NewBatch()
	for _, name := range env.BuiltinNames() {
		r := builtin(t, name)
		p := r.StartPosition()
		AppendRow(b, r, &p, 0, r.Legal(&p, nil))
	}
	return b
}

// Rows taken out of a batch and appended to another make the same batch.
func TestRowsAppended(t *testing.T) {
	want, got := rowsOf(t), NewBatch()
	for row := range want.Len() {
		got.Append(want.Row(row).Clone())
	}
	if !reflect.DeepEqual(rowsAll(got), rowsAll(want)) || !reflect.DeepEqual(got.Offsets, want.Offsets) || !reflect.DeepEqual(got.Indices, want.Indices) {
		t.Error("rows appended one by one are another batch")
	}
	small := NewBatchOf(3, 2)
	small.Append(want.Row(1))
	if !reflect.DeepEqual(small.Row(0), want.Row(1).First(3, 2)) {
		t.Errorf("a batch of 3 planes and 2 scalars holds %v", small.Row(0))
	}
}

func rowsAll(b *Batch) []Row {
	var rows []Row
	for row := range b.Len() {
		rows = append(rows, b.Row(row))
	}
	return rows
}

// A row is a view of its batch; a clone is not.
func TestRowIsAView(t *testing.T) {
	b := rowsOf(t)
	view, clone := b.Row(0), b.Row(0).Clone()
	b.Planes[3], b.Scalars[4], b.Scales[5], b.Indices[6] = 77, 78, 79, 80
	if view.Planes[3] != 77 || view.Scalars[4] != 78 || view.Scales[5] != 79 || view.Moves[6] != 80 {
		t.Error("a row does not see what the batch holds")
	}
	if clone.Planes[3] == 77 || clone.Scalars[4] == 78 || clone.Scales[5] == 79 || clone.Moves[6] == 80 {
		t.Error("a clone changes with its batch")
	}
}
