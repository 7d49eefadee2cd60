package mcts

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"math/rand/v2"
	"os"
	"testing"

	"synochess/env"
)

// replayed is a recorded game.
type replayed struct {
	Rules, Start, Result, Reason string
	Moves                        []string
}

// recordedGames returns env's recorded games, whose ends were judged by an independent program.
func recordedGames(t *testing.T) []replayed {
	t.Helper()
	file, err := os.Open("../env/testdata/games.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, 1<<20)
	var games []replayed
	for lines.Scan() {
		var g replayed
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		games = append(games, g)
	}
	return games
}

// descend follows moves from the root and makes the nodes on the way, as selectLeaf does. It returns the
// last node; a node that the search would not go beyond, or a proven move, ends the descent early.
func descend(t *testing.T, s *Search, moves []env.Move) (id int32, followed int) {
	t.Helper()
	for _, m := range moves {
		if n := &s.nodes[id]; n.proof != Unproven && n.count < 2 || n.repeats >= 0 {
			break
		}
		found := edgeOf(s, id, m)
		if found < 0 || s.edges[found].proof != Unproven {
			break // without it, the node was settled by another move that wins
		}
		if child := s.edges[found].child; child != noNode {
			s.pushHistory(child)
			id = child
		} else {
			var ok bool
			if id, ok = s.addChild(id, found); !ok {
				t.Fatal("the tree is full")
			}
		}
		followed++
	}
	s.rewind(int32(followed))
	return id, followed
}

// edgeOf returns the index of a node's edge for a move, -1 if it has none.
func edgeOf(s *Search, id int32, m env.Move) int32 {
	for i, e := range s.edgesOf(id) {
		if e.move == m {
			return s.nodes[id].first + int32(i)
		}
	}
	return -1
}

// The search judges the last move of every recorded game as it was judged at the table, whether the
// search begins one ply before the end or many: faceoffs, mates, stalemates, campmates, repetition and
// perpetual check, the ply count, and which of several counts first.
func TestEndsOfRecordedGames(t *testing.T) {
	judged := map[string]int{}
	s := New(testConfig(), nil)
	for n, rec := range recordedGames(t) {
		r := builtin(t, rec.Rules)
		for _, back := range []int{1, 2, 3, 5, 8} {
			if back > len(rec.Moves) {
				continue
			}
			at := len(rec.Moves) - back
			g := gameAt(t, r, rec.Start, rec.Moves[:at]...)
			if err := s.Start(g, Options{Visits: 1, FreshRoot: true}); err != nil {
				t.Fatal(err)
			}
			rest := gameAt(t, r, rec.Start, rec.Moves...)
			id, followed := descend(t, s, rest.Moves()[at:])
			last := &s.nodes[id]
			proof, mate, soon := last.proof, last.mate, uint16(0)
			if followed == back-1 { // the last move may have been judged where it was seen first
				if i := edgeOf(s, id, rest.Moves()[len(rec.Moves)-1]); i >= 0 && s.edges[i].proof != Unproven {
					proof, mate, soon, followed = s.edges[i].proof, s.edges[i].mate, 1, back
				}
			}
			if followed < back {
				continue // the search knows something before
			}
			want := proofFor(rest.Outcome(), last.pos.SideToMove())
			switch {
			case last.repeats >= 0:
				t.Errorf("game %d from %d plies before its end: taken for a second occurrence", n, back)
			case proof != want || rest.Outcome().Result.String() != rec.Result || want != ProvenDraw && mate != soon:
				t.Errorf("game %d from %d plies before its end (%s, %s): %v in %d for the mover, want %v", n, back, rec.Result, rec.Reason, proof, mate, want)
			}
			judged[rec.Result+rec.Reason]++
		}
	}
	for _, key := range []string{
		"1-0checkmate", "0-1checkmate", "1-0faceoff", "0-1faceoff", "1/2-1/2stalemate", "1/2-1/2repetition",
		"1-0perpetual", "0-1perpetual", "1/2-1/2hundred-plies", "1-0campmate", "0-1campmate",
	} {
		if judged[key] == 0 {
			t.Errorf("no game ended by %s", key)
		}
	}
}

// Each move of a new root is judged as a game that plays it judges it, in random games that shuffle
// pieces to and fro so that repetitions come.
func TestMovesAreJudgedAsInGames(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	s := New(testConfig(), nil)
	ends := map[env.Reason]int{}
	for _, c := range []struct{ rules, fen string }{
		{"moddable", "4k3/4r3/8/8/8/8/4P3/R3K3[s] w - - 0 1"},
		{"moddable-strict", "3k4/4r3/8/8/8/8/8/4K2R[] w - - 60 60"},
		{"pychess", "3k4/8/8/8/8/8/8/R3K3[] w - - 0 1"},
		{"pychess", "3k3r/8/8/8/8/8/4P3/R3K3[s] w - - 80 80"},
		{"moddable", "7k/8/6K1/8/8/8/R7/8[] w - - 0 1"},
		{"moddable-fsf", "r2k4/8/8/8/8/8/4P3/R4K2[] w - - 0 1"},
	} {
		r := builtin(t, c.rules)
		for range 12 {
			g := gameAt(t, r, c.fen)
			for g.Ply() < 120 && !g.Outcome().Over() {
				if err := s.Start(g, Options{Visits: 1, FreshRoot: true}); err != nil {
					t.Fatal(err)
				}
				played := append([]env.Move(nil), g.Moves()...)
				for _, e := range s.edgesOf(0) {
					next := gameAt(t, r, c.fen)
					for _, m := range append(played, e.move) {
						if err := next.Play(m); err != nil {
							t.Fatal(err)
						}
					}
					ends[next.Outcome().Reason]++
					want := proofFor(next.Outcome(), g.Position().SideToMove())
					if next.Outcome().Reason == env.Stalemate && e.proof == Unproven {
						want = Unproven // a rich army's stalemate is seen a ply later
					}
					if e.proof != want {
						t.Fatalf("%s after %v: %s is %v, the game says %v", c.fen, played, r.MoveString(e.move), e.proof, next.Outcome())
					}
				}
				legal := g.LegalMoves()
				m := legal[rng.IntN(len(legal))]
				if back := len(played) - 2; back >= 0 && rng.IntN(3) > 0 { // go back where it came from
					if home := env.NewMove(played[back].To(), played[back].From(), env.Plain); r.IsLegal(g.Position(), home) {
						m = home
					}
				}
				if err := g.Play(m); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, reason := range []env.Reason{env.Repetition, env.Perpetual, env.NoProgress, env.Checkmate, env.FaceoffLoss} {
		if ends[reason] == 0 {
			t.Errorf("no move ended a game by %v", reason)
		}
	}
}

// A second occurrence inside the search path has the value that a third would have, and is not proven;
// one whose first occurrence lies before the root is a position like any other.
func TestSecondOccurrence(t *testing.T) {
	const fen = "3k4/8/8/8/8/8/8/R4K2[] w - - 0 1"
	checks := []string{"a1a8", "d8d7", "a8a7", "d7d8", "a7a8", "d8d7"} // the West checks with each move
	quiet := []string{"f1f2", "d8c8", "f2f1", "c8d8"}
	for _, c := range []struct {
		name, rules string
		before      []string // played at the table
		path        []string // searched
		repeats     bool
		win, loss   float32 // for the mover of the last position
	}{
		{"quiet", "pychess", nil, quiet, true, 0, 0},
		{"quiet, first at the table", "pychess", quiet[:1], []string{"d8c8", "f2f1", "c8d8"}, false, 0, 0},
		{"the West checks throughout", "pychess", checks[:2], []string{"a8a7", "d7d8", "a7a8", "d8d7"}, true, 0, 1},
		{"the same, the East to move", "pychess", checks[:1], []string{"d8d7", "a8a7", "d7d8", "a7a8"}, true, 1, 0},
		{"checks are a draw here", "moddable", checks[:2], []string{"a8a7", "d7d8", "a7a8", "d8d7"}, true, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := gameAt(t, builtin(t, c.rules), fen, c.before...)
			s := New(testConfig(), nil)
			if err := s.Start(g, Options{Visits: 1}); err != nil {
				t.Fatal(err)
			}
			then := gameAt(t, builtin(t, c.rules), fen, append(append([]string(nil), c.before...), c.path...)...)
			id, followed := descend(t, s, then.Moves()[len(c.before):])
			n := &s.nodes[id]
			if followed != len(c.path) || n.proof != Unproven {
				t.Fatalf("followed %d of %d moves to a node that is %v", followed, len(c.path), n.proof)
			}
			if (n.repeats >= 0) != c.repeats || c.repeats && (n.win != c.win || n.loss != c.loss) {
				t.Errorf("repeats %d, win %v, loss %v", n.repeats, n.win, n.loss)
			}
			if !c.repeats {
				return
			}
			// Once more round, until some position stands for the third time: the game's own verdict.
			for _, m := range c.path {
				if !then.Outcome().Over() {
					play(t, then, m)
				}
			}
			o := then.Outcome()
			want := value{}
			switch proofFor(o, n.pos.SideToMove()) {
			case Unproven:
				t.Fatal("the game goes on after the third occurrence")
			case ProvenWin:
				want.win = 1
			case ProvenLoss:
				want.loss = 1
			}
			if got := (value{float64(n.win), float64(n.loss)}); got != want {
				t.Errorf("value %v, the game says %v", got, o)
			}
		})
	}
}
