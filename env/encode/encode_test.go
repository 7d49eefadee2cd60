package encode

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"synochess/env"
)

// ruleSets returns the built-in rule sets and the derived ones of env's test data.
func ruleSets(t testing.TB) []*env.Rules {
	t.Helper()
	var sets []*env.Rules
	for _, name := range env.BuiltinNames() {
		r, err := env.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, r)
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
		base, err := env.Builtin(d.Base)
		if err != nil {
			t.Fatal(err)
		}
		d.Changes["name"] = d.Name
		r, err := base.With(d.Changes)
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
	got, again, err := Decode(b, 0)
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

// Every policy index that stands for a move is that move's index, whether or not play meets it.
func TestIndicesAreInverse(t *testing.T) {
	used := 0
	for i := range uint16(PolicySize) {
		if m, ok := IndexMove(i); ok {
			used++
			if back := MoveIndex(m); back != i {
				t.Errorf("index %d is move %#x, whose index is %d", i, m, back)
			}
		}
	}
	// 1,792 moves of queens and knights (1,456 + 336), 64 drops, 2 castlings, 4*22 of Pawns, 5*(8+14) of
	// Soldiers.
	if want := 1792 + 64 + 2 + 88 + 110; used != want {
		t.Errorf("%d indices stand for moves, want %d", used, want)
	}
	for _, i := range []uint16{PolicySize, 0xffff} {
		if _, ok := IndexMove(i); ok {
			t.Errorf("index %d stands for a move", i)
		}
	}
	if got := MoveIndex(env.NewMove(0, 0, env.Plain)); got != NoIndex {
		t.Errorf("a1a1 has index %d", got)
	}
}

// The squares of an index are those of its move, and some by hand.
func TestIndexSquares(t *testing.T) {
	for i := range uint16(PolicySize) {
		wantFrom, wantTo := env.Square(i%64), env.Square(i%64)
		if m, ok := IndexMove(i); ok {
			wantFrom, wantTo = m.From(), m.To()
		}
		if from, to := IndexSquares(i); from != wantFrom || to != wantTo {
			t.Fatalf("index %d leads from %d to %d, want %d and %d", i, from, to, wantFrom, wantTo)
		}
	}
	const a1, e1, g1, a2, d5, e4, e7, f6, d8, h8 = 0, 4, 6, 8, 35, 28, 52, 45, 59, 63
	for _, c := range []struct {
		index    uint16
		from, to env.Square
	}{
		{1*64 + e4, e4, e4 + 16},                 // north, two squares
		{(1*7+6)*64 + a1, a1, h8},                // north-east, seven squares
		{knightPlane*64 + e4, e4, f6},            // north-north-east
		{dropPlane*64 + d5, d5, d5},              // a drop
		{castlingPlane*64 + g1, e1, g1},          // the King castles
		{promotionPlane*64 + e7, e7, d8},         // a Pawn takes towards file a and becomes a Queen
		{(promotionPlane+5*1+2)*64 + a2, a2, a1}, // a Soldier goes from a2 to a1 and becomes a Cannon
		{(0*7+6)*64 + e4, e4, e4},                // nothing goes seven squares north from e4
	} {
		if from, to := IndexSquares(c.index); from != c.from || to != c.to {
			t.Errorf("index %d leads from %d to %d, want %d and %d", c.index, from, to, c.from, c.to)
		}
	}
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

// One row written out by hand.
func TestRowByHand(t *testing.T) {
	r, err := env.Builtin("moddable")
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.ParseFEN("rheakahr/2c2c2/8/8/3s4/8/PPPPPPPP/R3KBNR[sssss] b K - 25 9")
	if err != nil {
		t.Fatal(err)
	}
	b := NewBatch()
	AppendRow(b, r, &p, 5, []env.Move{env.NewMove(27, 19, env.Plain), env.NewMove(32, 32, env.Drop)})
	all := ^uint64(0)
	planes := []uint64{0xff00, 0x40, 0x20, 0x81, 0, 0x10, 0x81 << 56, 0x42 << 56, 0x24 << 48, 0x04 << 56, 0x28 << 56, 1 << 27, 0x10 << 56,
		all, 0, all, 0xff << 32, 0xffffffff << 32, 0x3838 << 48,
		0, 0, 0, 1 << 52, 1<<5 | 1<<8 | 1<<15} // the Cannon to e7; the other takes f1, the Chariots a2 and h2
	scalars := []uint16{25, 2, 5, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 100,
		8, 1, 1, 2, 0, 2, 2, 2, 1, 2, 1, 0}
	if fmt.Sprint(b.Planes) != fmt.Sprint(planes) {
		t.Errorf("planes\n%x, want\n%x", b.Planes, planes)
	}
	scalars = append(scalars, make([]uint16, NumScalars-len(scalars))...) // of rule fields that are absent in moddable
	if fmt.Sprint(b.Scalars) != fmt.Sprint(scalars) {
		t.Errorf("scalars\n%d, want\n%d", b.Scalars, scalars)
	}
	if got := fmt.Sprint(b.Scales[0], b.Scales[1], b.Scales[2], b.Scales[27]); got != "100 2 16 1000" {
		t.Errorf("scales %s", got)
	}
	// South is direction 4: plane 28, distance 1; drops are plane 64.
	if got, want := fmt.Sprint(b.Moves(0)), fmt.Sprint([]int{28*64 + 27, 64*64 + 32}); got != want {
		t.Errorf("indices %s, want %s", got, want)
	}
}

// The planes of threats, by hand: the Knight on b5 and the Horse on d4 attack each other and nobody stands by
// them, the Rook on e2 is pinned and takes the Chariot on e8 with check.
func TestThreatsByHand(t *testing.T) {
	r, err := env.Builtin("moddable")
	if err != nil {
		t.Fatal(err)
	}
	const b5, d4, e2, e8 = 1 << 33, 1 << 27, 1 << 12, 1 << 60
	for fen, want := range map[string][6]uint64{
		"3kr3/8/8/1N6/3h4/8/4R3/4K2B[] w - - 0 1": {b5, d4, e2, e8, e8 | d4, 0},
		// The Horse takes the Knight or, as the Chariot does, the Rook; from f3 it gives check.
		"3kr3/8/8/1N6/3h4/8/4R3/4K2B[] b - - 0 1": {d4, b5, 0, e2 | 1<<21 | 1<<10, b5 | e2, 0},
		// The Chancellor does not cover the Chariot, and yet the King may not take it: they would face each other.
		"3k4/8/8/8/8/8/8/3rK3[] w - - 0 1": {0, 1 << 3, 0, 0, 0, 1},
	} {
		p, err := r.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		b := NewBatch()
		AppendRow(b, r, &p, 0, r.Legal(&p, nil))
		got := [6]uint64(append(b.Planes[planeOwnHanging:planeCaptures+1:planeCaptures+1], uint64(b.Scalars[scalarCheck])))
		if got != want {
			t.Errorf("%s: %x, want %x", fen, got, want)
		}
	}
}

// Counts beyond their caps, as a FEN may have them, are capped.
func TestCaps(t *testing.T) {
	r, err := env.Builtin("moddable")
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.ParseFEN("rheakahr/2c2c2/8/8/8/8/PPPPPPPP/RNBQKBNR[ssssss] w KQ - 730 900")
	if err != nil {
		t.Fatal(err)
	}
	b := NewBatch()
	AppendRow(b, r, &p, 17, r.Legal(&p, nil))
	checkRow(t, r, b, &p, 17, r.Legal(&p, nil))
	p, err = r.ParseFEN("rheakahr/2c2c2/8/8/8/QQQQ4/4P3/RNBQKBNR[ssssss] w KQ - 730 900")
	if err != nil {
		t.Fatal(err)
	}
	b.Reset()
	AppendRow(b, r, &p, 0, r.Legal(&p, nil))
	if got := fmt.Sprint(b.Scalars[scalarMaterial:scalarCheck]); got != "[1 2 2 2 4 2 2 2 1 2 0]" {
		t.Errorf("material %s", got)
	}
}

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

func TestDecodeErrors(t *testing.T) {
	r, err := env.Builtin("pychess")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		fault string
		spoil func(b *Batch) (row int)
		want  string
	}{
		{"no such row", func(b *Batch) int { return 1 }, "row 1 of a batch with 1 rows"},
		{"another shape", func(b *Batch) int { b.NumPlanes = 19; return 0 }, "19 planes"},
		{"two pieces on a square", func(b *Batch) int { b.Planes[1] |= b.Planes[0]; return 0 }, "plane 1"},
		{"no King", func(b *Batch) int { b.Planes[5] = 0; return 0 }, "royal"},
		{"half a castling right", func(b *Batch) int { b.Planes[13] = 1; return 0 }, "plane 13"},
		{"a scalar above 1", func(b *Batch) int { b.Scalars[0] = 101; return 0 }, "scalar 0 is 101/100"},
		{"a Pawn too few", func(b *Batch) int { b.Scalars[28]--; return 0 }, "scalar 28 is 7/8, its plane says 8/8"},
		{"another scale", func(b *Batch) int { b.Scales[2] = 8; return 0 }, "scales"},
	} {
		b := NewBatch()
		p := r.StartPosition()
		AppendRow(b, r, &p, 0, nil)
		_, _, err := Decode(b, c.spoil(b))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.fault, err, c.want)
		}
	}
}

func TestAppendRowDoesNotAllocate(t *testing.T) {
	r, err := env.Builtin("moddable")
	if err != nil {
		t.Fatal(err)
	}
	p := r.StartPosition()
	moves := r.Legal(&p, nil)
	b := NewBatch()
	if n := testing.AllocsPerRun(100, func() { b.Reset(); AppendRow(b, r, &p, 0, moves) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkAppendRow encodes positions of random games, sixteen to a batch.
func BenchmarkAppendRow(bench *testing.B) {
	r, err := env.Builtin("moddable")
	if err != nil {
		bench.Fatal(err)
	}
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
