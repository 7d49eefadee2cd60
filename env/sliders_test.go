package env

import (
	"testing"
)

// TestSliders compares the tables with walking, for every occupancy that matters and with other squares
// occupied as well.
func TestSliders(t *testing.T) {
	for s := Square(0); s < 64; s++ {
		rooks[s].eachOccupancy(func(_ uint32, occupied uint64) {
			occupied |= ^rooks[s].relevant
			direct, hop := slide(s, orthogonalDirections, occupied)
			gotDirect, gotHop := cannonReach(s, occupied)
			if gotDirect != direct || gotHop != hop || rookAttacks(s, occupied) != direct {
				t.Fatalf("lines from %s with %#x: %#x and %#x, want %#x and %#x", s, occupied, gotDirect, gotHop, direct, hop)
			}
		})
		bishops[s].eachOccupancy(func(_ uint32, occupied uint64) {
			if want, _ := slide(s, diagonalDirections, occupied); bishopAttacks(s, occupied) != want {
				t.Fatalf("diagonals from %s with %#x: %#x, want %#x", s, occupied, bishopAttacks(s, occupied), want)
			}
		})
	}
}

// BenchmarkTables measures what every start of a program pays.
func BenchmarkTables(b *testing.B) {
	for b.Loop() {
		rooks, bishops = [64]slider{}, [64]slider{}
		fillSliders()
	}
}

// BenchmarkRules measures reading and deriving a rule set.
func BenchmarkRules(b *testing.B) {
	for b.Loop() {
		if _, err := Builtin("moddable"); err != nil {
			b.Fatal(err)
		}
	}
}
