package datasets

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"synochess/env"
	"synochess/internal/files"
)

var update = flag.Bool("update", false, "write the column dictionary and the move kinds to docs/formats.md")

const formatsFile = "../docs/formats.md"

// TestFormatsDocument compares the generated parts of docs/formats.md with the schema and the move
// kinds. With -update it writes them.
func TestFormatsDocument(t *testing.T) {
	text, err := os.ReadFile(formatsFile)
	if err != nil {
		t.Fatal(err)
	}
	want := string(text)
	for name, part := range map[string]string{"columns": dictionary(), "move kinds": moveKinds()} {
		begin, end := fmt.Sprintf("<!-- generated: %s -->\n", name), fmt.Sprintf("<!-- end: %s -->", name)
		before, rest, ok1 := strings.Cut(want, begin)
		_, after, ok2 := strings.Cut(rest, end)
		if !ok1 || !ok2 {
			t.Fatalf("%s lacks the lines %q and %q", formatsFile, begin, end)
		}
		want = before + begin + part + end + after
	}
	if want == string(text) {
		return
	}
	if !*update {
		t.Fatalf("%s is not what the code says: run go test ./datasets -run FormatsDocument -update", formatsFile)
	}
	if err := files.WriteBytes(formatsFile, []byte(want)); err != nil {
		t.Fatal(err)
	}
}

// dictionary is the table of the columns of Row.
func dictionary() string {
	var b strings.Builder
	b.WriteString("| column | type | unit | since | meaning |\n|---|---|---|---|---|\n")
	writeColumns(&b, "", reflect.TypeFor[Row]())
	return b.String()
}

func writeColumns(b *strings.Builder, prefix string, t reflect.Type) {
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
		kind := f.Type.String()
		if f.Type.Kind() == reflect.Slice {
			kind = "list of struct"
		}
		fmt.Fprintf(b, "| `%s%s` | %s | %s | %s | %s |\n", prefix, name, kind, f.Tag.Get("unit"), f.Tag.Get("since"), f.Tag.Get("doc"))
		if f.Type.Kind() == reflect.Slice {
			writeColumns(b, prefix+name+"[].", f.Type.Elem())
		}
	}
}

// moveKinds is the table of the kinds of a move code.
func moveKinds() string {
	names := [env.NumMoveKinds]string{
		env.Plain: "plain move or capture", env.Castling: "castling", env.Drop: "drop of a Soldier",
	}
	pieces := map[env.Piece]string{
		env.Queen: "Queen", env.Rook: "Rook", env.Bishop: "Bishop", env.Knight: "Knight",
		env.Chariot: "Chariot", env.Horse: "Horse", env.Cannon: "Cannon", env.Elephant: "Elephant", env.Advisor: "Advisor",
	}
	var b strings.Builder
	b.WriteString("| kind | move |\n|---|---|\n")
	for kind := range env.NumMoveKinds {
		name := names[kind]
		if p := env.NewMove(0, 0, kind).Promotion(); p != env.NoPiece {
			name = "promotion to " + pieces[p]
		}
		fmt.Fprintf(&b, "| %d | %s |\n", kind, name)
	}
	return b.String()
}

// TestMoveCodesNeverChange has codes worked out by hand.
func TestMoveCodesNeverChange(t *testing.T) {
	const e1, g1, e2, e4, a7, a8, d5, a2, a1 = 4, 6, 12, 28, 48, 56, 35, 8, 0
	for code, m := range map[uint16]env.Move{
		12 + 28*64:          env.NewMove(e2, e4, env.Plain),
		4 + 6*64 + 1*4096:   env.NewMove(e1, g1, env.Castling),
		35 + 35*64 + 2*4096: env.NewMove(d5, d5, env.Drop),
		48 + 56*64 + 3*4096: env.NewMove(a7, a8, env.ToQueen),
		48 + 56*64 + 6*4096: env.NewMove(a7, a8, env.ToKnight),
		8 + 0*64 + 7*4096:   env.NewMove(a2, a1, env.ToChariot),
		8 + 0*64 + 11*4096:  env.NewMove(a2, a1, env.ToAdvisor),
	} {
		if uint16(m) != code {
			t.Errorf("%s%s kind %d has code %d, docs/formats.md says %d", m.From(), m.To(), m.Kind(), m, code)
		}
	}
}

// TestSchemaIsComplete: every column says what it means and since when, and none is optional.
func TestSchemaIsComplete(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[Row](), reflect.TypeFor[ActionColumns]()} {
		for _, f := range reflect.VisibleFields(typ) {
			if !f.Anonymous && (f.Tag.Get("doc") == "" || f.Tag.Get("since") == "" || f.Tag.Get("parquet") == "") {
				t.Errorf("field %s lacks a tag", f.Name)
			}
		}
	}
	for _, column := range parquet.SchemaOf(Row{}).Columns() {
		leaf, ok := parquet.SchemaOf(Row{}).Lookup(column...)
		if !ok || leaf.Node.Optional() {
			t.Errorf("column %v is missing or optional", column)
		}
	}
}
