package encode

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"synochess/env"
)

func builtin(t testing.TB, name string) *env.Rules {
	t.Helper()
	r, err := env.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ruleSets returns the built-in rule sets and the derived ones of env's test data.
func ruleSets(t testing.TB) []*env.Rules {
	t.Helper()
	var sets []*env.Rules
	for _, name := range env.BuiltinNames() {
		sets = append(sets, builtin(t, name))
	}
	file, err := os.Open("../testdata/derived-rules.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var d struct {
			Name, Base string
			Changes    map[string]any
		}
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		d.Changes["name"] = d.Name
		r, err := builtin(t, d.Base).With(d.Changes)
		if err != nil {
			t.Fatalf("%s: %v", d.Name, err)
		}
		sets = append(sets, r)
	}
	if len(sets) < 15 {
		t.Fatalf("only %d rule sets", len(sets))
	}
	return sets
}

// walk plays random games of a rule set and shows every position on the way.
func walk(r *env.Rules, seed uint64, games int, visit func(p *env.Position, repetitions int, moves []env.Move)) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for range games {
		g := env.NewGame(r, r.StartPosition())
		for g.Ply() < 200 && !g.Outcome().Over() {
			visit(g.Position(), g.Repetitions(), g.LegalMoves())
			// Half the moves go near the last ranks, where promotions are.
			m := g.LegalMoves()[rng.IntN(len(g.LegalMoves()))]
			for range 3 {
				if rank := m.To() >> 3; rank > 1 && rank < 6 {
					m = g.LegalMoves()[rng.IntN(len(g.LegalMoves()))]
				}
			}
			if err := g.Play(m); err != nil {
				panic(err)
			}
		}
	}
}

func TestRandomPlay(t *testing.T) {
	kinds := map[env.MoveKind]int{}
	for i, r := range ruleSets(t) {
		b := NewBatch()
		walk(r, uint64(i), 25, func(p *env.Position, repetitions int, moves []env.Move) {
			b.Reset()
			AppendRow(b, r, p, repetitions, moves)
			checkRow(t, r, b, p, repetitions, moves)
			for _, m := range moves {
				kinds[m.Kind()]++
			}
		})
		if t.Failed() {
			t.Fatalf("in %s", r.Name)
		}
	}
	for k := range env.NumMoveKinds {
		if kinds[k] == 0 {
			t.Errorf("random play met no move of kind %d: it proves nothing about them", k)
		}
	}
}

// checkRow compares the only row of a batch with what was encoded.
func checkRow(t *testing.T, r *env.Rules, b *Batch, p *env.Position, repetitions int, moves []env.Move) {
	t.Helper()
	for i, scale := range b.Scales {
		if scale < 1 || b.Scalars[i] > scale {
			t.Errorf("scalar %d is %d/%d, not in [0,1]", i, b.Scalars[i], scale)
		}
	}
	seen := map[uint16]env.Move{}
	for i, m := range moves {
		index := b.Moves(0)[i]
		if other, twice := seen[index]; twice || index >= PolicySize {
			t.Errorf("%s has index %d, as %s has", r.MoveString(m), index, r.MoveString(other))
		}
		seen[index] = m
		if back, ok := IndexMove(index); !ok || back != m {
			t.Errorf("%s has index %d, which is %s", r.MoveString(m), index, r.MoveString(back))
		}
	}
	var checks, captures uint64
	for _, m := range moves {
		var next env.Position
		if r.Apply(p, m, &next); r.InCheck(&next) {
			checks |= 1 << m.To()
		}
		captures |= 1 << m.To() & p.ArmyPieces(p.SideToMove().Other())
	}
	if b.Planes[planeChecks] != checks || b.Planes[planeCaptures] != captures || b.Scalars[scalarCheck] != oneIf(r.InCheck(p)) {
		t.Errorf("%s: checks %x, captures %x, in check %d; want %x, %x, %v",
			r.FEN(p), b.Planes[planeChecks], b.Planes[planeCaptures], b.Scalars[scalarCheck], checks, captures, r.InCheck(p))
	}
	got, again, err := Decode(b.Row(0))
	if err != nil {
		t.Error(err)
		return
	}
	if again != min(repetitions, 2) {
		t.Errorf("%d repetitions came back as %d", repetitions, again)
	}
	if want := withoutMoveNumber(r, p); r.FEN(&got) != want || got.Hash() != p.Hash() {
		t.Errorf("%s came back as %s", want, r.FEN(&got))
	}
}

// withoutMoveNumber returns a position's FEN with the ply count capped and move number 1.
func withoutMoveNumber(r *env.Rules, p *env.Position) string {
	fields := strings.Fields(r.FEN(p))
	fields[4] = fmt.Sprint(min(p.PlyCount(), r.NoProgressPlies))
	fields[5] = "1"
	return strings.Join(fields, " ")
}

// Two rule sets that differ in more than names and start look different to a network.
func TestRulesAreInputs(t *testing.T) {
	type look struct {
		planes  [3]uint64
		scalars [scalarMaterial - scalarRules]uint16
	}
	rules := map[look]*env.Rules{}
	for _, r := range ruleSets(t) {
		b := NewBatch()
		p := r.StartPosition()
		AppendRow(b, r, &p, 0, nil)
		l := look{[3]uint64(b.Planes[planeDrop:]), [scalarMaterial - scalarRules]uint16(b.Scalars[scalarRules:])}
		if other := rules[l]; other != nil && other.GroupHash() != r.GroupHash() {
			t.Errorf("%s and %s look the same", other.Name, r.Name)
		}
		rules[l] = r
	}
}

func TestDecodeErrors(t *testing.T) {
	r := builtin(t, "pychess")
	for _, c := range []struct {
		fault string
		spoil func(b *Batch)
		want  string
	}{
		{"another shape", func(b *Batch) { *b = *NewBatchOf(19, NumScalars); b.AddRow(0) }, "19 planes"},
		{"two pieces on a square", func(b *Batch) { b.Planes[1] |= b.Planes[0] }, "plane 1"},
		{"no King", func(b *Batch) { b.Planes[5] = 0 }, "royal"},
		{"half a castling right", func(b *Batch) { b.Planes[13] = 1 }, "plane 13"},
		{"a scalar above 1", func(b *Batch) { b.Scalars[0] = 101 }, "scalar 0 is 101/100"},
		{"a Pawn too few", func(b *Batch) { b.Scalars[28]-- }, "scalar 28 is 7/8, its plane says 8/8"},
		{"another scale", func(b *Batch) { b.Scales[2] = 8 }, "scales"},
	} {
		b := NewBatch()
		p := r.StartPosition()
		AppendRow(b, r, &p, 0, nil)
		c.spoil(b)
		_, _, err := Decode(b.Row(0))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.fault, err, c.want)
		}
	}
}

func TestAppendRowDoesNotAllocate(t *testing.T) {
	r := builtin(t, "moddable")
	p := r.StartPosition()
	moves := r.Legal(&p, nil)
	b := NewBatch()
	if n := testing.AllocsPerRun(100, func() { b.Reset(); AppendRow(b, r, &p, 0, moves) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkAppendRow encodes positions of random games, sixteen to a batch.
func BenchmarkAppendRow(bench *testing.B) {
	r := builtin(bench, "moddable")
	var positions []env.Position
	var moves [][]env.Move
	walk(r, 3, 8, func(p *env.Position, _ int, legal []env.Move) {
		positions, moves = append(positions, *p), append(moves, slices.Clone(legal))
	})
	b := NewBatch()
	for i := 0; bench.Loop(); i++ {
		if i %= len(positions); i%16 == 0 {
			b.Reset()
		}
		AppendRow(b, r, &positions[i], 0, moves[i])
	}
}
