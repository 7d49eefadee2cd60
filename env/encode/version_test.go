package encode

import (
	"fmt"
	"hash/fnv"
	"testing"

	"synochess/env"
)

// The encoding of each version, in one number. If this fails, stored weights no longer fit: raise Version, and
// leave what the older ones read as it is.
func TestVersions(t *testing.T) {
	for version, want := range map[int]uint64{1: 0xa7ca7e0dee1c093, 2: 0x9e3fb67842c2e835} {
		if got := hashOf(t, version); got != want {
			t.Errorf("the encoding of version %d hashes to %#x, want %#x", version, got, want)
		}
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
