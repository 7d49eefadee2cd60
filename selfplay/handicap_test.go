package selfplay

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"synochess/datasets"
	"synochess/env"
)

// simulated returns games from the start and from handicaps that were drawn evenly, won by the West with a
// probability that follows from what is missing.
func simulated(t *testing.T, r *env.Rules, n int, logit func(now [len(handicapPieces) + 1]int) float64) []*datasets.Game {
	rng := rand.New(rand.NewPCG(7, 8))
	start := r.StartPosition()
	l := &handicapList{rules: r, start: r.FEN(&start)}
	l.fill(countLetters(l.start), start.Hand(), make([]float64, len(handicapPieces)+3))
	all := &Handicaps{byGroup: map[uint64]*handicapList{r.GroupHash(): l}}
	var games []*datasets.Game
	for i := range n {
		g := &datasets.Game{GroupHash: r.GroupHash(), StartFEN: l.start, Start: datasets.FromStart, Ending: datasets.ByRules}
		if i%2 == 0 {
			derived, ok := all.Draw(r, rng)
			if !ok {
				t.Fatal("no handicap was drawn")
			}
			p := derived.StartPosition()
			g.StartFEN, g.Start = derived.FEN(&p), datasets.FromHandicap
		}
		g.Result = env.EasternWins
		if rng.Float64() < 1/(1+math.Exp(-logit(countLetters(g.StartFEN)))) {
			g.Result = env.WesternWins
		}
		games = append(games, g)
	}
	return games
}

// The handicaps that are drawn even out an advantage that is known, whichever army has it.
func TestHandicapsAreNearEven(t *testing.T) {
	for _, name := range []string{"moddable", "pychess"} {
		r := mustRules(t, name)
		start := r.StartPosition()
		there := countLetters(r.FEN(&start))
		for _, advantage := range []float64{2.5, 0.3, -2} {
			logit := func(now [len(handicapPieces) + 1]int) float64 {
				z := advantage
				for i, v := range handicapValues {
					z += 0.25 * v * float64(now[i]-there[i])
				}
				return z - 0.35*float64(now[len(handicapPieces)]-there[len(handicapPieces)])
			}
			h, err := NewHandicaps([]*env.Rules{r}, simulated(t, r, 1200, logit))
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(1, 2))
			sum, score, distinct := 0.0, 0.0, map[uint64]bool{}
			const n = 400
			for range n {
				derived, ok := h.Draw(r, rng)
				if !ok {
					t.Fatalf("%s: no handicap", name)
				}
				p := derived.StartPosition()
				z := logit(countLetters(derived.FEN(&p)))
				sum, score = sum+math.Abs(z), score+1/(1+math.Exp(-z))/n
				distinct[derived.Hash()] = true
			}
			if mean := sum / n; mean > 0.6 || math.Abs(score-0.5) > 0.1 {
				t.Errorf("%s, advantage %v: the starts drawn are %.2f logits from even on average, the West scores %.2f", name, advantage, mean, score)
			}
			if len(distinct) < 10 {
				t.Errorf("%s, advantage %v: %d different starts", name, advantage, len(distinct))
			}
		}
	}
}

// Of every handicap the rules accept the start, or Draw takes another; none is the rule set's own.
func TestHandicapStarts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, name := range []string{"moddable", "pychess", "moddable-fsf"} {
		r := mustRules(t, name)
		start := r.StartPosition()
		l := &handicapList{rules: r, start: r.FEN(&start)}
		there := countLetters(l.start)
		l.fill(there, start.Hand(), make([]float64, len(handicapPieces)+3))
		refused := 0
		for i := range l.menu {
			h := &l.menu[i]
			fen := h.apply(l.start, rng)
			derived, err := r.With(map[string]any{"start": fen})
			if err != nil {
				refused++
				continue
			}
			if derived.Hash() == r.Hash() || derived.GroupHash() != r.GroupHash() {
				t.Fatalf("%s: %s is no handicap", name, fen)
			}
			p := derived.StartPosition()
			now := countLetters(derived.FEN(&p))
			for k, n := range h.removed {
				if now[k] != there[k]-n {
					t.Fatalf("%s: %+v gives %s", name, *h, fen)
				}
			}
			if now[len(handicapPieces)] != there[len(handicapPieces)]+h.soldier || (p.SideToMove() == start.SideToMove()) == h.flipped {
				t.Fatalf("%s: %+v gives %s", name, *h, fen)
			}
		}
		if len(l.menu) < 300 || refused > len(l.menu)/3 {
			t.Errorf("%s: %d of %d starts were refused", name, refused, len(l.menu))
		}
	}
}

func TestHandicapKeepsTheCastlingRightsOfRooksThere(t *testing.T) {
	var h handicap
	h.removed[strings.IndexByte(handicapPieces, 'R')] = 2
	r := mustRules(t, "moddable")
	start := r.StartPosition()
	fen := h.apply(r.FEN(&start), rand.New(rand.NewPCG(1, 1)))
	if want := "rheakahr/2c2c2/8/8/8/8/PPPPPPPP/1NBQKBN1[ssssss] w - - 0 1"; fen != want {
		t.Errorf("%s, want %s", fen, want)
	}
}

// The same games give the same starts, and games cut short or of other rule sets do not count.
func TestHandicapsFollowFromGames(t *testing.T) {
	r := mustRules(t, "moddable")
	games := simulated(t, r, 200, func([len(handicapPieces) + 1]int) float64 { return 1 })
	draw := func(games []*datasets.Game) (starts []string) {
		h, err := NewHandicaps([]*env.Rules{r}, games)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(5, 6))
		for range 20 {
			derived, _ := h.Draw(r, rng)
			starts = append(starts, derived.Start)
		}
		return starts
	}
	once := strings.Join(draw(games), "\n")
	cut, other := *games[0], *games[1]
	cut.Ending, cut.Result, other.GroupHash = datasets.Cut, env.Undecided, 1
	if again := strings.Join(draw(append(games, &cut, &other)), "\n"); again != once {
		t.Errorf("starts differ:\n%s\n\n%s", once, again)
	}
	// In another order sums of the fit round differently, as they do on another processor.
	weights := func(games []*datasets.Game) []float64 {
		h, err := NewHandicaps([]*env.Rules{r}, games)
		if err != nil {
			t.Fatal(err)
		}
		return h.byGroup[r.GroupHash()].weights
	}
	backwards := slices.Clone(games)
	slices.Reverse(backwards)
	if !slices.Equal(weights(games), weights(backwards)) {
		t.Error("the last bits of the fit decide the weights")
	}
	if _, ok := (&Handicaps{}).Draw(r, rand.New(rand.NewPCG(1, 1))); ok {
		t.Error("a rule set without handicaps gave one")
	}
}

// A handicap adds no more Soldiers than a rule set may have.
func TestHandicapsKeepToTheLargestHand(t *testing.T) {
	for inHand, most := range map[int]int{6: maxSoldiers, env.MaxHand - 2: 2, env.MaxHand: 0} {
		base := mustRules(t, "moddable")
		r, err := base.With(map[string]any{"start": strings.Replace(base.Start, "ssssss", strings.Repeat("s", inHand), 1)})
		if err != nil {
			t.Fatal(err)
		}
		l, err := newHandicapList(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		added := 0
		for _, h := range l.menu {
			added = max(added, h.soldier)
		}
		if added != most {
			t.Errorf("%d Soldiers in hand: up to %d are added, want %d", inHand, added, most)
		}
	}
}

// Games that one army always won are as far as the data can be from what is believed; the fit still settles.
func TestHandicapsOfOneSidedGames(t *testing.T) {
	for _, logit := range []float64{100, -100} {
		r := mustRules(t, "moddable")
		games := simulated(t, r, 500, func([len(handicapPieces) + 1]int) float64 { return logit })
		if _, err := NewHandicaps([]*env.Rules{r}, games); err != nil {
			t.Errorf("logit %v: %v", logit, err)
		}
	}
}
