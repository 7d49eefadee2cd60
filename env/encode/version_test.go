package encode

import (
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"testing"

	"synochess/env"
)

// The encoding of each version, in one number. If this fails, stored weights no longer fit: leave what the older
// versions read as it is, and add a new one. With -update a version that testdata/versions.txt does not have is added.
func TestVersions(t *testing.T) {
	const file = "testdata/versions.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for version := 1; version <= Version; version++ {
		got := fmt.Sprintf("%d %#x", version, hashOf(t, version))
		switch {
		case version > len(lines) && *update:
			lines = append(lines, got)
		case version > len(lines):
			t.Errorf("%s has no line %q: go test ./env/encode -update", file, got)
		case lines[version-1] != got:
			t.Errorf("the encoding hashes to %q, %s says %q", got, file, lines[version-1])
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// hashOf hashes all policy indices and what a network of the version reads of some rows.
func hashOf(t *testing.T, version int) uint64 {
	planes, scalars, ok := Inputs(version)
	if !ok {
		t.Fatalf("no version %d", version)
	}
	h := fnv.New64a()
	for m := range 1 << 16 {
		if env.Move(m).Kind() < env.NumMoveKinds {
			if back, ok := IndexMove(MoveIndex(env.Move(m))); ok && back == env.Move(m) {
				fmt.Fprintln(h, m, MoveIndex(env.Move(m)))
			}
		}
	}
	for i, r := range ruleSets(t)[:4] {
		b := NewBatch()
		p := r.StartPosition()
		AppendRow(b, r, &p, i, r.Legal(&p, nil))
		fmt.Fprintln(h, b.Planes[:planes], b.Scalars[:scalars], b.Scales[:scalars], b.Indices)
	}
	return h.Sum64()
}
