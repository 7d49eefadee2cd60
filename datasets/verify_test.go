package datasets

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"synochess/env"
)

// playedGame plays random legal moves of a rule set to the end, or to a limit of plies, which is a cut.
func playedGame(t testing.TB, rules string, number uint64, limit int) *Game {
	t.Helper()
	r, err := env.Builtin(rules)
	if err != nil {
		t.Fatal(err)
	}
	start := r.StartPosition()
	rng := rand.New(rand.NewPCG(number, 99))
	g := &Game{
		RunID: "run-1", Number: number, Family: number, KernelPath: "portable", Program: "test",
		Rules: r.Canonical(), RulesHash: r.Hash(), GroupHash: r.GroupHash(), StartFEN: r.FEN(&start),
		Agents: [2]AgentInfo{{Kind: "network", EvalID: "x"}, {Kind: "random"}},
		Ending: Cut,
	}
	game := env.NewGame(r, start)
	for range limit {
		p := searchedPly(rng, game.LegalMoves())
		if err := p.Quantise(); err != nil {
			t.Fatal(err)
		}
		g.Plies = append(g.Plies, p)
		if err := game.Play(p.Move); err != nil {
			t.Fatal(err)
		}
		if o := game.Outcome(); o.Over() {
			g.Ending, g.Result, g.Reason = ByRules, o.Result, o.Reason
			break
		}
	}
	if err := g.Validate(); err != nil {
		t.Fatal(err)
	}
	return g
}

// searchedPly chooses a legal move at random and makes up what a search might have said.
func searchedPly(rng *rand.Rand, legal []env.Move) Ply {
	p := Ply{
		Move: legal[rng.IntN(len(legal))], Chosen: Sampled, Chance: 1 / float32(len(legal)),
		Search: CheapSearch + SearchKind(rng.IntN(2)), SampleWeight: 1, ValueWeight: 1,
		Before: randomWDL(rng), After: randomWDL(rng),
	}
	if p.Search == FullSearch {
		p.PolicyWeight = 1
	}
	for _, m := range legal {
		p.Actions = append(p.Actions, Action{Move: m, Visits: rng.Uint32N(3), Policy: 1 / float32(len(legal))})
		p.Visits += p.Actions[len(p.Actions)-1].Visits
	}
	return p
}

// playedGames returns games of two rule sets, many of them decided by the rules.
func playedGames(t testing.TB) []*Game {
	var games []*Game
	for n := range uint64(60) {
		rules := []string{"moddable", "pychess"}[n%2]
		games = append(games, playedGame(t, rules, n+1, 400-int(n%5)*80))
	}
	return games
}

func TestVerifyAcceptsPlayedGames(t *testing.T) {
	games := playedGames(t)
	path := filepath.Join(t.TempDir(), "a.parquet")
	if _, err := WriteFile(path, "v", each(games)); err != nil {
		t.Fatal(err)
	}
	checked, faults := Verify([]string{path})
	if checked != len(games) || len(faults) != 0 {
		t.Fatalf("%d games checked of %d, faults %v", checked, len(games), faults)
	}
	endings := map[Ending]int{}
	for _, g := range games {
		endings[g.Ending]++
	}
	if endings[ByRules] < 10 || endings[Cut] < 10 {
		t.Errorf("endings %v: the test needs some of each kind", endings)
	}
}

// TestVerifyFindsFaults changes one thing of a good game at a time.
func TestVerifyFindsFaults(t *testing.T) {
	ended := slices.IndexFunc(playedGames(t), func(g *Game) bool { return g.Ending == ByRules && g.Result != env.Draw && len(g.Plies) > 4 })
	fresh := func() *Game {
		return playedGame(t, []string{"moddable", "pychess"}[ended%2], uint64(ended+1), 400-ended%5*80)
	}
	if err := new(Verifier).Check(fresh()); err != nil {
		t.Fatal(err)
	}
	firstFull := func(g *Game) *Ply {
		return &g.Plies[slices.IndexFunc(g.Plies, func(p Ply) bool { return p.Search == FullSearch })]
	}
	for name, c := range map[string]struct {
		change func(g *Game)
		want   string
	}{
		"illegal move": {func(g *Game) {
			g.Plies[1].Search, g.Plies[1].Actions, g.Plies[1].Visits, g.Plies[1].PolicyWeight = NoSearch, nil, 0, 0
			g.Plies[1].Move = env.NewMove(0, 63, env.Plain)
		}, "ply 1"},
		"wrong side":      {func(g *Game) { g.Result = env.WinFor(env.Army(1 - (g.Result - env.WesternWins))) }, "the rules say"},
		"wrong reason":    {func(g *Game) { g.Reason = g.Reason%(env.NumReasons-1) + 1 }, "the rules say"},
		"win as draw":     {func(g *Game) { g.Result = env.Draw }, "the rules say"},
		"win as cut":      {func(g *Game) { g.Result, g.Reason, g.Ending = env.Undecided, env.NoReason, Cut }, "the rules say"},
		"move after end":  {func(g *Game) { g.Plies = append(g.Plies, Ply{Move: g.Plies[0].Move, Chosen: Forced, Chance: 1}) }, "over"},
		"end missing":     {func(g *Game) { g.Plies = g.Plies[:len(g.Plies)-1] }, "the rules say"},
		"rules hash":      {func(g *Game) { g.RulesHash++ }, "hashes"},
		"group hash":      {func(g *Game) { g.GroupHash++ }, "hashes"},
		"rules text":      {func(g *Game) { g.Rules = "no: rules" }, "stored rules"},
		"other rules":     {func(g *Game) { g.Rules = strings.Replace(g.Rules, "stalemate: draw", "stalemate: loss", 1) }, "stored rules"},
		"bad FEN":         {func(g *Game) { g.StartFEN = "8/8/8/8/8/8/8/8[] w - - 0 1" }, "start position"},
		"start is other":  {func(g *Game) { g.StartFEN = strings.Replace(g.StartFEN, " w ", " b ", 1) }, "start position"},
		"action missing":  {func(g *Game) { dropAction(firstFull(g)) }, "actions where"},
		"illegal action":  {func(g *Game) { p := firstFull(g); a := otherAction(p); a.Move = env.NewMove(0, 63, env.Plain) }, "illegal"},
		"policy sums off": {func(g *Game) { p := firstFull(g); otherAction(p).Policy = 1 }, "policy sums"},
		"q beyond 1":      {func(g *Game) { firstFull(g).Actions[0].Q = 1.5 }, "q 1.5"},
		"value sums off":  {func(g *Game) { g.Plies[0].After = [3]float32{1, 1, 0} }, "sum to"},
	} {
		t.Run(name, func(t *testing.T) {
			g := fresh()
			c.change(g)
			if err := new(Verifier).Check(g); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

// otherAction returns an action that was not played.
func otherAction(p *Ply) *Action {
	return &p.Actions[slices.IndexFunc(p.Actions, func(a Action) bool { return a.Move != p.Move })]
}

// dropAction removes an action that was not played and gives its policy to the next.
func dropAction(p *Ply) {
	at := slices.IndexFunc(p.Actions, func(a Action) bool { return a.Move != p.Move })
	gone := p.Actions[at].Policy
	p.Actions = slices.Delete(p.Actions, at, at+1)
	p.Actions[0].Policy = shareValue(shareCode(p.Actions[0].Policy) + shareCode(gone))
}

// TestNoCutBecomesADraw: no way leads from a cut or void game to a result, in memory, in files, in
// targets or in reports.
func TestNoCutBecomesADraw(t *testing.T) {
	for _, ending := range []Ending{Cut, Void} {
		g := playedGame(t, "moddable", 1, 10)
		g.Ending = ending
		for _, a := range []env.Army{env.Western, env.Eastern} {
			if wdl, ok := g.WDLFor(a); ok || wdl != [3]float32{} {
				t.Errorf("%s game: %v for the %s army, %v", ending, wdl, a, ok)
			}
		}
		for _, result := range []env.Result{env.Draw, env.WesternWins, env.EasternWins} {
			wrong := *g
			wrong.Result = result
			dir := t.TempDir()
			j, _ := openJournal(t, filepath.Join(dir, "j"))
			if _, err := j.Append(&wrong); err == nil {
				t.Errorf("the journal took a %s game with result %s", ending, result)
			}
			if _, err := WriteFile(filepath.Join(dir, "p"), "v", each([]*Game{&wrong})); err == nil {
				t.Errorf("Parquet took a %s game with result %s", ending, result)
			}
			if _, err := decodeGame(encodeGame(&wrong)); err == nil {
				t.Errorf("a %s game with result %s was read from a record", ending, result)
			}
			var a assembler
			for _, row := range appendRows(nil, &wrong) {
				if err := a.add(&row); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := a.finish(); err == nil {
				t.Errorf("a %s game with result %s was read from rows", ending, result)
			}
		}
		path := filepath.Join(t.TempDir(), "a.parquet")
		if _, err := WriteFile(path, "v", each([]*Game{g})); err != nil {
			t.Fatal(err)
		}
		type row struct {
			Result string `parquet:"result,dict"`
			Ending string `parquet:"ending,dict"`
		}
		rows, err := parquet.ReadFile[row](path)
		if err != nil || len(rows) == 0 {
			t.Fatalf("%d rows, error %v", len(rows), err)
		}
		for _, r := range rows {
			if r.Result != "*" || r.Ending != ending.String() {
				t.Errorf("row %+v", r)
			}
		}
		r := Inspect([]string{path}).Groups[0]
		if r.Results != [4]int{} || r.Endings[ending] != 1 || len(r.ByAgent) != 0 {
			t.Errorf("%s game in the report: results %v, endings %v", ending, r.Results, r.Endings)
		}
	}
}

// TestResultsBelongToTheRightArmy has a scripted win of each army in every stored value.
func TestResultsBelongToTheRightArmy(t *testing.T) {
	for winner, want := range map[env.Army]string{env.Western: "1-0", env.Eastern: "0-1"} {
		g := playedGame(t, "moddable", 1, 6)
		g.Ending, g.Result = Adjudicated, env.WinFor(winner)
		if wdl, ok := g.WDLFor(winner); !ok || wdl != [3]float32{1, 0, 0} {
			t.Errorf("%s won: %v for it", winner, wdl)
		}
		if wdl, ok := g.WDLFor(winner.Other()); !ok || wdl != [3]float32{0, 0, 1} {
			t.Errorf("%s won: %v for the other", winner, wdl)
		}
		rows := appendRows(nil, g)
		for i, row := range rows {
			if mover := []string{"western", "eastern"}[i%2]; row.Result != want || row.Mover != mover {
				t.Errorf("row %d: result %s, mover %s, want %s, %s", i, row.Result, row.Mover, want, mover)
			}
		}
		path := filepath.Join(t.TempDir(), "a.parquet")
		if _, err := WriteFile(path, "v", each([]*Game{g})); err != nil {
			t.Fatal(err)
		}
		r := Inspect([]string{path}).Groups[0]
		if r.Results[env.WinFor(winner)] != 1 || r.ByAgent[[2]string{"network", "random"}][env.WinFor(winner)] != 1 {
			t.Errorf("report: %v, %v", r.Results, r.ByAgent)
		}
		if score := r.WesternScore().Estimate; score != float64(1-winner) {
			t.Errorf("%s won: Western score %v", winner, score)
		}
	}
}
