package encode

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"synochess/env"
)

var update = flag.Bool("update", false, "write the tables of inputs in doc.go and docs/onnx.md anew, and add new versions to testdata/versions.txt")

// A newer version only appends, and what a later rule field adds says which field it is.
func TestInputsAreAppended(t *testing.T) {
	since := 1
	for _, in := range planeInputs {
		if in.Since < since {
			t.Errorf("plane %q of version %d stands behind one of version %d", in.Name, in.Since, since)
		}
		since = in.Since
	}
	since = 1
	for _, in := range scalarInputs {
		if in.Since < since {
			t.Errorf("scalar %q of version %d stands behind one of version %d", in.Name, in.Since, since)
		}
		since = in.Since
	}
	for _, version := range []int{0, Version + 1} {
		if _, _, ok := Inputs(version); ok {
			t.Errorf("there is an encoding version %d", version)
		}
	}
	if planes, scalars, ok := Inputs(Version); planes != NumPlanes || scalars != NumScalars || !ok {
		t.Errorf("version %d has %d planes and %d scalars, %v; a row has %d and %d", Version, planes, scalars, ok, NumPlanes, NumScalars)
	}
}

// What a batch keeps of a rule set is never another's: rows of many rule sets in turn are those of batches of one.
func TestBatchesMixRuleSets(t *testing.T) {
	b := NewBatch()
	for range 2 {
		for _, r := range ruleSets(t) {
			p, single := r.StartPosition(), NewBatch()
			AppendRow(b, r, &p, 1, r.Legal(&p, nil))
			AppendRow(single, r, &p, 1, r.Legal(&p, nil))
			row := b.Len() - 1
			got := fmt.Sprint(b.Planes[row*NumPlanes:], b.Scalars[row*NumScalars:], b.Scales[row*NumScalars:])
			if want := fmt.Sprint(single.Planes, single.Scalars, single.Scales); got != want {
				t.Errorf("%s, row %d: %s, alone %s", r.Name, row, got, want)
			}
		}
	}
}

// A later rule field is an input of the newer versions alone, and absent from the rows of rule sets without it.
func TestLaterFieldsAreSeen(t *testing.T) {
	row := func(base string, changes map[string]any) (*env.Rules, *Batch) {
		r, err := env.Builtin(base)
		if err == nil && changes != nil {
			r, err = r.With(changes)
		}
		if err != nil {
			t.Fatal(err)
		}
		b, p := NewBatch(), r.StartPosition()
		AppendRow(b, r, &p, 0, r.Legal(&p, nil))
		return r, b
	}
	pychess, far := row("pychess", nil)
	near, b := row("pychess", map[string]any{"campmate_rank": 6})
	_, without := row("moddable", map[string]any{"campmate_rank": 6})
	const campmateRank = 40
	if far.Scalars[campmateRank] != 0 || without.Scalars[campmateRank] != 0 || b.Scalars[campmateRank] != 2 || b.Scales[campmateRank] != 6 {
		t.Errorf("campmate_rank is %d by default, %d without campmate, %d/%d for 6", far.Scalars[campmateRank],
			without.Scalars[campmateRank], b.Scalars[campmateRank], b.Scales[campmateRank])
	}
	if fmt.Sprint(b.Planes, b.Scalars[:campmateRank], b.Scales) != fmt.Sprint(far.Planes, far.Scalars[:campmateRank], far.Scales) {
		t.Error("another input has changed")
	}
	for version, want := range map[int]string{1: "[campmate_rank]", 2: "[campmate_rank]", 3: "[]"} {
		if got := fmt.Sprint(Unseen(version, pychess, near, near)); got != want {
			t.Errorf("version %d does not see %s, want %s", version, got, want)
		}
	}
	if keys := Unseen(1, pychess); len(keys) > 0 {
		t.Errorf("pychess has %s", keys)
	}
}

// TestInputTables compares the tables of inputs in the documentation with those of the code. With -update it writes
// them.
func TestInputTables(t *testing.T) {
	var versions, planeDoc, scalarDoc, planePage, vectorPage []string
	for version := 1; version <= Version; version++ {
		planes, scalars, _ := Inputs(version)
		versions = append(versions, fmt.Sprintf("| %d | [N, %d, 8, 8] | [N, %d] |", version, planes+PlaneScalars, scalars-PlaneScalars))
	}
	newer := func(since int) string {
		if since == 1 {
			return ""
		}
		return fmt.Sprintf(" (version %d)", since)
	}
	for i, in := range planeInputs {
		planeDoc = append(planeDoc, fmt.Sprintf("//\tplane  %-3d %s%s", i, in.Name, newer(in.Since)))
		planePage = append(planePage, fmt.Sprintf("| %d | %s%s |", i, in.Name, newer(in.Since)))
	}
	for i, in := range scalarInputs {
		if i < PlaneScalars {
			scalarDoc = append(scalarDoc, fmt.Sprintf("//\tscalar %-3d %s", i, in.Name))
			planePage = append(planePage, fmt.Sprintf("| %d | %s |", NumPlanes+i, in.Name))
			continue
		}
		scale, divided := "", ""
		if in.Scale > 1 {
			scale, divided = fmt.Sprintf(" / %d", in.Scale), fmt.Sprintf(", divided by %d", in.Scale)
		}
		scalarDoc = append(scalarDoc, fmt.Sprintf("//\tscalar %-3d %s%s%s", i, in.Name, scale, newer(in.Since)))
		vectorPage = append(vectorPage, fmt.Sprintf("| %d | %s%s%s |", i-PlaneScalars, in.Name, divided, newer(in.Since)))
	}
	for _, c := range []struct {
		file, before, prefix string // the table is the first lines with the prefix behind a text
		lines                []string
	}{
		{"doc.go", "# Inputs", "//\tplane", planeDoc},
		{"doc.go", "# Inputs", "//\tscalar", scalarDoc},
		{"../../docs/onnx.md", "| version | `planes`", "| ", versions},
		{"../../docs/onnx.md", "| plane | holds |", "| ", planePage},
		{"../../docs/onnx.md", "| entry | holds |", "| ", vectorPage},
	} {
		if err := table(c.file, c.before, c.prefix, c.lines); err != nil {
			t.Error(err)
		}
	}
}

// table compares a file's table with the lines that it should have, or writes them.
func table(file, before, prefix string, want []string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	lines := strings.Split(string(text), "\n")
	begin := 0
	for begin < len(lines) && !strings.Contains(lines[begin], before) {
		begin++
	}
	for begin++; begin < len(lines) && !strings.HasPrefix(lines[begin], prefix) && !strings.HasPrefix(lines[begin], "|---"); begin++ {
	}
	if begin < len(lines) && strings.HasPrefix(lines[begin], "|---") {
		begin++
	}
	if begin >= len(lines) {
		return fmt.Errorf("%s has no table behind %q", file, before)
	}
	end := begin
	for end < len(lines) && strings.HasPrefix(lines[end], prefix) {
		end++
	}
	got, wanted := strings.Join(lines[begin:end], "\n"), strings.Join(want, "\n")
	switch {
	case got == wanted:
		return nil
	case *update:
		whole := append(append(append([]string{}, lines[:begin]...), want...), lines[end:]...)
		return os.WriteFile(file, []byte(strings.Join(whole, "\n")), 0o644)
	}
	return fmt.Errorf("the table in %s behind %q is not that of inputs.go (go test ./env/encode -update):\n%s\nwant\n%s", file, before, got, wanted)
}
