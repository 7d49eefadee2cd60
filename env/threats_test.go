package env

import (
	"math/rand/v2"
	"testing"
)

// TestThreats holds Threats against what moves made and pieces taken off the board show, on the positions of the
// oracle's files, good FENs among them, and on games of random rule sets.
func TestThreats(t *testing.T) {
	var seen threatCount
	look := func(r *Rules, p *Position) {
		t.Helper()
		got, want := r.Threats(p), slowThreats(r, p)
		if got != want {
			t.Errorf("%s\n got %+v\nwant %+v\nin %s", r.FEN(p), got, want, r.Canonical())
		}
		seen.add(&want)
	}
	for _, file := range []string{"moves.jsonl.gz", "derived-moves.jsonl.gz", "good_fen.jsonl"} {
		for i, line := range readLines[oracleLine](t, file) {
			if i%(1+5*perftCut) != 0 { // every move of each is made, and may be checked slowly
				continue
			}
			r := rulesOf(t, line.Rules, file)
			p := parse(t, r, line.FEN)
			if look(r, &p); t.Failed() {
				return
			}
		}
	}
	rng := rand.New(rand.NewPCG(8, 3))
	for range 60 >> perftCut {
		r := randomRules(rng)
		g := NewGame(r, r.StartPosition())
		for g.Ply() < 200 && !g.Outcome().Over() {
			if look(r, g.Position()); t.Failed() {
				return
			}
			g.PlayRandom(rng)
		}
	}
	t.Logf("%+v", seen)
	if n := seen.positions / 50; seen.hanging < n || seen.pinned < n || seen.checks < n || seen.captures < n || seen.check < n {
		t.Errorf("some kinds of threats are rare, %+v: this tests little", seen)
	}
}

// threatCount counts positions in which there is a threat of a kind.
type threatCount struct{ positions, hanging, pinned, checks, captures, check int }

func (n *threatCount) add(t *Threats) {
	n.positions++
	for _, c := range []struct {
		count *int
		there bool
	}{
		{&n.hanging, t.Hanging[0]|t.Hanging[1] != 0}, {&n.pinned, t.Pinned != 0}, {&n.checks, t.Checks != 0},
		{&n.captures, t.Captures != 0}, {&n.check, t.Check},
	} {
		if c.there {
			*c.count++
		}
	}
}

// slowThreats follows the text of Threats: it makes every move, takes every piece away, and walks from square to
// square.
func slowThreats(r *Rules, p *Position) (t Threats) {
	var next Position
	for _, m := range r.Legal(p, nil) {
		r.Apply(p, m, &next)
		if r.InCheck(&next) {
			t.Checks |= 1 << m.To()
		}
		if p.ArmyPieces(p.side.Other())>>m.To()&1 != 0 {
			t.Captures |= 1 << m.To()
		}
	}
	t.Check = r.InCheck(p)
	var board [64]Piece
	for s := range board {
		board[s] = p.PieceAt(Square(s))
	}
	royals := [2]Square{p.king, p.chancellor}
	for s, piece := range board {
		if piece == NoPiece || piece == King || piece == Chancellor {
			continue
		}
		square, army := Square(s), piece.Army()
		if slowCovers(r, &board, square, army.Other()) != 0 && slowCovers(r, &board, square, army) == 0 {
			t.Hanging[army] |= 1 << s
		}
		if army != p.side {
			continue
		}
		without := board
		without[s] = NoPiece
		attackers := slowCovers(r, &without, royals[army], army.Other()) &^ slowCovers(r, &board, royals[army], army.Other())
		if attackers != 0 || !slowFaces(r, &board, p) && slowFaces(r, &without, p) {
			t.Pinned |= 1 << s
		}
	}
	return t
}

// slowCovers returns from where an army covers a square.
func slowCovers(r *Rules, board *[64]Piece, to Square, army Army) (from uint64) {
	for s, piece := range board {
		if piece != NoPiece && piece.Army() == army && Square(s) != to && slowReaches(r, board, Square(s), to) {
			from |= 1 << s
		}
	}
	return from
}

// slowReaches reports whether the piece on from could capture on to.
func slowReaches(r *Rules, board *[64]Piece, from, to Square) bool {
	file, rank := int(to&7)-int(from&7), int(to>>3)-int(from>>3)
	wide, high := max(file, -file), max(rank, -rank)
	at := func(file, rank int) Piece { return board[int(from)+file+8*rank] }
	straight, slanting := wide == 0 || high == 0, wide == high
	step := direction{sign(file), sign(rank)}
	blockers, last := 0, NoPiece // the pieces that stand between on a line, and the last of them
	for n := 1; n < max(wide, high) && (straight || slanting); n++ {
		if piece := at(n*step.file, n*step.rank); piece != NoPiece {
			blockers, last = blockers+1, piece
		}
	}
	switch piece := board[from]; piece {
	case Pawn:
		return wide == 1 && rank == 1
	case Soldier:
		return high == 0 && wide == 1 || wide == 0 && rank == -1
	case King, Chancellor:
		return max(wide, high) == 1
	case Knight:
		return wide*high == 2
	case Bishop:
		return slanting && blockers == 0
	case Rook, Chariot:
		return straight && blockers == 0
	case Queen:
		return (straight || slanting) && blockers == 0
	case Cannon:
		return straight && blockers == 1 && (r.Cannon == Xiangqi || last != Cannon)
	case Horse:
		leg := direction{file / 2, rank / 2}
		return wide*high == 2 && (r.Horse == Leaper || at(leg.file, leg.rank) == NoPiece)
	case Elephant:
		if !slanting || r.ElephantRegion>>to&1 == 0 {
			return false
		}
		return wide == 2 && (r.Elephant == Leaper || blockers == 0) || wide == 1 && r.Elephant == Leaper
	case Advisor:
		return r.AdvisorRegion>>to&1 != 0 && max(wide, high) == 1 && (slanting || r.Advisor == KingAdvisor)
	}
	return false
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// slowFaces reports whether the royals see each other on a line of the rule set.
func slowFaces(r *Rules, board *[64]Piece, p *Position) bool {
	if r.FaceoffMoves == NoFaceoff || r.FaceoffLines == FileOnly && p.king&7 != p.chancellor&7 {
		return false
	}
	asRook := *board
	asRook[p.king] = Rook
	return slowReaches(r, &asRook, p.king, p.chancellor)
}

// BenchmarkThreats looks at positions of random games.
func BenchmarkThreats(b *testing.B) {
	r := builtin(b, "moddable")
	positions := randomPositions(r, 400)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r.Threats(&positions[i%len(positions)])
	}
}

// randomPositions returns positions of random games, not ended.
func randomPositions(r *Rules, n int) (positions []Position) {
	rng := rand.New(rand.NewPCG(2, 2))
	for {
		g := NewGame(r, r.StartPosition())
		for g.Ply() < 120 && !g.Outcome().Over() {
			if positions = append(positions, *g.Position()); len(positions) == n {
				return positions
			}
			g.PlayRandom(rng)
		}
	}
}
