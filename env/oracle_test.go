package env

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// oracleLine has the fields of all fixture files; testdata/README.md describes them.
type oracleLine struct {
	Rules, FEN, Normal, Start, Why, Kind, Note string
	Depth                                      int
	Nodes                                      []uint64
	Moves                                      json.RawMessage
	Check                                      bool
	FaceoffMoves                               []string `json:"faceoff_moves"`
	Result                                     string
	Reason                                     string
	Plies                                      int
	FENFinal                                   string `json:"fen_final"`
	Tags                                       []string
}

// moveList decodes Moves where it is a list.
func (l *oracleLine) moveList(t testing.TB) (moves []string) {
	if err := json.Unmarshal(l.Moves, &moves); err != nil {
		t.Fatal(err)
	}
	return moves
}

// readLines decodes a file of testdata, gzipped or not.
func readLines[T any](t testing.TB, name string) (lines []T) {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var in io.Reader = file
	if strings.HasSuffix(name, ".gz") {
		if in, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var line T
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		lines = append(lines, line)
	}
	if err := scanner.Err(); err != nil || len(lines) == 0 {
		t.Fatalf("%s: %d lines, %v", name, len(lines), err)
	}
	return lines
}

// derivedRules reads the derived rule sets as YAML files would be read.
var derivedRules = sync.OnceValues(func() (map[string]*Rules, error) {
	text, err := os.ReadFile(filepath.Join("testdata", "derived-rules.jsonl"))
	if err != nil {
		return nil, err
	}
	sets := map[string]*Rules{}
	for line := range strings.Lines(string(text)) {
		var d struct {
			Name, Base string
			Changes    map[string]any
		}
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			return nil, err
		}
		yaml := fmt.Sprintf("name: %s\nbase: %s\n", d.Name, d.Base)
		for key, value := range d.Changes {
			yaml += fmt.Sprintf("%s: %v\n", key, value)
		}
		if sets[d.Name], err = ParseRules([]byte(yaml), d.Name); err != nil {
			return nil, err
		}
	}
	return sets, nil
})

// rulesOf returns the rule set that a file of testdata means by a name; in the files of derived sets moddable-fsf is
// the derived one.
func rulesOf(t testing.TB, name, file string) *Rules {
	t.Helper()
	if !strings.HasPrefix(file, "derived") {
		return builtin(t, name)
	}
	sets, err := derivedRules()
	if err != nil {
		t.Fatal(err)
	}
	if r := sets[name]; r != nil {
		return r
	}
	return builtin(t, name)
}

func builtin(t testing.TB, name string) *Rules {
	t.Helper()
	r, err := Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// builtinRules returns all of them.
func builtinRules(t testing.TB) (sets []*Rules) {
	for _, name := range BuiltinNames() {
		sets = append(sets, builtin(t, name))
	}
	return sets
}

func parse(t testing.TB, r *Rules, fen string) Position {
	t.Helper()
	p, err := r.ParseFEN(fen)
	if err != nil {
		t.Fatalf("%s: %v", r.Name, err)
	}
	return p
}

func moveStrings(r *Rules, moves []Move) []string {
	texts := []string{}
	for _, m := range moves {
		texts = append(texts, r.MoveString(m))
	}
	slices.Sort(texts)
	return texts
}

func TestOracleMoves(t *testing.T) {
	for _, file := range []string{"moves.jsonl.gz", "derived-moves.jsonl.gz"} {
		for _, line := range readLines[oracleLine](t, file) {
			r := rulesOf(t, line.Rules, file)
			checkMoves(t, r, &line)
		}
	}
}

// checkMoves compares everything a line of a moves file says.
func checkMoves(t *testing.T, r *Rules, line *oracleLine) {
	p := parse(t, r, line.FEN)
	if got := r.FEN(&p); got != line.FEN {
		t.Errorf("%s: %s is written %s", r.Name, line.FEN, got)
	}
	legal := r.Legal(&p, nil)
	want := line.moveList(t)
	if got := moveStrings(r, legal); !slices.Equal(got, want) {
		t.Errorf("%s %s\n got %v\nwant %v", r.Name, line.FEN, got, want)
	}
	if n := r.CountLegal(&p); n != len(want) {
		t.Errorf("%s %s: CountLegal is %d, want %d", r.Name, line.FEN, n, len(want))
	}
	if got := r.InCheck(&p); got != line.Check {
		t.Errorf("%s %s: check %v", r.Name, line.FEN, got)
	}
	if got := r.Outcome(&p).Reason.String(); got != line.Result {
		t.Errorf("%s %s: result %q, want %q", r.Name, line.FEN, got, line.Result)
	}
	faceoffs := []string{}
	for _, m := range legal {
		var next Position
		r.Apply(&p, m, &next)
		if o := r.Outcome(&next); o.Reason == FaceoffLoss {
			faceoffs = append(faceoffs, r.MoveString(m))
			if o.Result != WinFor(p.SideToMove().Other()) {
				t.Errorf("%s %s %s: the faceoff wins", r.Name, line.FEN, r.MoveString(m))
			}
		}
	}
	slices.Sort(faceoffs)
	if !slices.Equal(faceoffs, line.FaceoffMoves) {
		t.Errorf("%s %s: faceoff moves %v, want %v", r.Name, line.FEN, faceoffs, line.FaceoffMoves)
	}
}

// perftCut is how many plies less are counted: one under the race detector, two where every move is
// checked slowly.
var perftCut = func() int {
	switch {
	case slowcheckEnabled:
		return 2
	case raceEnabled:
		return 1
	}
	return 0
}()

func TestOraclePerft(t *testing.T) {
	for _, file := range []string{"perft.jsonl", "derived-perft.jsonl"} {
		for _, line := range readLines[oracleLine](t, file) {
			r := rulesOf(t, line.Rules, file)
			p := parse(t, r, line.FEN)
			nodes := line.Nodes[:len(line.Nodes)-perftCut]
			for i, want := range nodes {
				if got := r.Perft(&p, i+1); got != want {
					t.Errorf("%s %s: perft %d is %d, want %d", line.Rules, line.FEN, i+1, got, want)
					break
				}
			}
		}
	}
}

func TestOracleGames(t *testing.T) {
	for _, file := range []string{"games.jsonl.gz", "derived-games.jsonl.gz"} {
		for _, line := range readLines[oracleLine](t, file) {
			r := rulesOf(t, line.Rules, file)
			g := NewGame(r, parse(t, r, line.Start))
			for _, text := range line.moveList(t) {
				if err := g.PlayUCI(text); err != nil {
					t.Fatalf("%s %s, ply %d: %v", line.Rules, line.Start, g.Ply(), err)
				}
			}
			outcome := g.Outcome()
			if outcome.Result.String() != line.Result || outcome.Reason.String() != line.Reason || g.Ply() != line.Plies {
				t.Errorf("%s %s %v: %v %v after %d plies, want %s %s after %d", line.Rules, line.Start, line.Tags,
					outcome.Result, outcome.Reason, g.Ply(), line.Result, line.Reason, line.Plies)
			}
			if got := r.FEN(g.Position()); got != line.FENFinal {
				t.Errorf("%s %s ends with %s, want %s", line.Rules, line.Start, got, line.FENFinal)
			}
		}
	}
}

func TestOracleGoodFEN(t *testing.T) {
	for _, line := range readLines[oracleLine](t, "good_fen.jsonl") {
		r := builtin(t, line.Rules)
		p := parse(t, r, line.FEN)
		var moves int
		if err := json.Unmarshal(line.Moves, &moves); err != nil {
			t.Fatal(err)
		}
		if got := r.FEN(&p); got != line.Normal {
			t.Errorf("%s: %s is written %s, want %s", line.Note, line.FEN, got, line.Normal)
		}
		if n := r.CountLegal(&p); n != moves || r.InCheck(&p) != line.Check || r.Outcome(&p).Reason.String() != line.Result {
			t.Errorf("%s: %s: %d moves, check %v, %v; want %d, %v, %q", line.Note, line.FEN,
				n, r.InCheck(&p), r.Outcome(&p), moves, line.Check, line.Result)
		}
	}
}

// TestOracleBadFEN wants each bad FEN refused for the right reason: the error must hold a word of its kind.
func TestOracleBadFEN(t *testing.T) {
	words := map[string][]string{
		"syntax":   {"fields", "ranks", "squares", "not a piece", "side to move", "castling rights", "en passant"},
		"numbers":  {"half-move count", "move number"},
		"hand":     {"hand", "not a piece"},
		"size":     {"characters"},
		"royals":   {"there must be exactly one"},
		"check":    {"is in check"},
		"faceoff":  {"a faceoff"},
		"pawns":    {"Pawn"},
		"castling": {"castling right"},
		"soldiers": {"Soldier"},
	}
	for _, line := range readLines[oracleLine](t, "bad_fen.jsonl") {
		_, err := builtin(t, line.Rules).ParseFEN(line.FEN)
		if err == nil {
			t.Errorf("%s: %s was accepted", line.Why, line.FEN)
			continue
		}
		named := func(word string) bool { return strings.Contains(err.Error(), word) }
		if !slices.ContainsFunc(words[line.Kind], named) || len(err.Error()) > 400 {
			t.Errorf("%s (%s): the error is %v", line.Why, line.Kind, err)
		}
	}
}
