package datasets

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// TestArrowReadsEqualRows reads a file with arrow-go, which shares no code with the writer, and compares
// every field of every row, found by the tags of Row.
func TestArrowReadsEqualRows(t *testing.T) {
	games := append(playedGames(t)[:20], syntheticGames(t, 1, 100, 100, 300)...)
	path := filepath.Join(t.TempDir(), "a.parquet")
	if _, err := WriteFile(path, "v", each(games)); err != nil {
		t.Fatal(err)
	}
	var want []Row
	for _, g := range games {
		want = append(want, appendRows(nil, g)...)
	}
	pf, err := file.OpenParquetFile(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer pf.Close()
	if pf.NumRowGroups() < 2 {
		t.Errorf("%d row group: the test wants several", pf.NumRowGroups())
	}
	reader, err := pqarrow.NewFileReader(pf, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	table, err := reader.ReadTable(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer table.Release()
	got := make([]Row, table.NumRows())
	for i := range int(table.NumCols()) {
		column, at := table.Column(i), 0
		for _, chunk := range column.Data().Chunks() {
			for k := range chunk.Len() {
				row := reflect.ValueOf(&got[at]).Elem()
				if err := setArrow(columnField(row, column.Name()), chunk, k); err != nil {
					t.Fatalf("column %s: %v", column.Name(), err)
				}
				at++
			}
		}
		if at != len(got) {
			t.Fatalf("column %s has %d values, want %d", column.Name(), at, len(got))
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for i := range got {
		if len(want[i].Actions) == 0 {
			want[i].Actions = nil
		}
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("row %d is\n%+v, want\n%+v", i, got[i], want[i])
		}
	}
}

// fieldIndexes remembers, by struct type and column name, where the field lies.
var fieldIndexes = map[reflect.Type]map[string][]int{}

// columnField returns the field of a struct, embedded ones included, whose parquet tag names a column.
func columnField(v reflect.Value, name string) reflect.Value {
	indexes := fieldIndexes[v.Type()]
	if indexes == nil {
		indexes = map[string][]int{}
		for _, f := range reflect.VisibleFields(v.Type()) {
			column, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
			indexes[column] = f.Index
		}
		fieldIndexes[v.Type()] = indexes
	}
	if index, ok := indexes[name]; ok {
		return v.FieldByIndex(index)
	}
	return reflect.Value{}
}

// setArrow copies value k of an arrow array into a field of the same type.
func setArrow(field reflect.Value, a arrow.Array, k int) error {
	if !field.IsValid() {
		return fmt.Errorf("no such field")
	}
	switch a := a.(type) {
	case *array.Uint64:
		field.SetUint(a.Value(k))
	case *array.Uint32:
		field.SetUint(uint64(a.Value(k)))
	case *array.Uint16:
		field.SetUint(uint64(a.Value(k)))
	case *array.Int16:
		field.SetInt(int64(a.Value(k)))
	case *array.Float32:
		field.SetFloat(float64(a.Value(k)))
	case *array.String:
		field.SetString(a.Value(k))
	case *array.List:
		from, to := a.ValueOffsets(k)
		for i := from; i < to; i++ {
			field.Set(reflect.Append(field, reflect.Zero(field.Type().Elem())))
			if err := setArrow(field.Index(field.Len()-1), a.ListValues(), int(i)); err != nil {
				return err
			}
		}
	case *array.Struct:
		for i, f := range a.DataType().(*arrow.StructType).Fields() {
			if err := setArrow(columnField(field, f.Name), a.Field(i), k); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		}
	default:
		return fmt.Errorf("arrow type %s", a.DataType())
	}
	return nil
}
