package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

var (
	inf  = math.Inf(1)
	none = math.NaN()
)

func repeat(n int, p ...Pair) []Pair {
	var all []Pair
	for range n {
		all = append(all, p...)
	}
	return all
}

// same compares numbers of which some may be infinite or NaN.
func same(a, b, tol float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= tol
}

func TestDifferenceByHand(t *testing.T) {
	elo := func(odds float64) float64 { return 400 * math.Log10(odds) }
	for _, c := range []struct {
		name  string
		pairs []Pair
		want  Difference
	}{
		{"no pairs", nil, Difference{none, -inf, inf, none, -inf, inf, 0, 0}},
		{"one army", []Pair{{1, none}, {0, none}}, Difference{none, -inf, inf, none, -inf, inf, 0, 2}},
		{"the West always wins", repeat(50, Pair{1, 0}), Difference{none, -inf, inf, inf, elo(100 / (z95 * z95)), inf, 50, 100}},
		// With 2n games won the statistic is 2n (1-p)/p: Wilson's bound of 2n games.
		{"all won", repeat(50, Pair{1, 1}), Difference{inf, elo(100 / (z95 * z95)), inf, none, -inf, inf, 50, 100}},
		{"all lost", repeat(50, Pair{0, 0}), Difference{-inf, -inf, -elo(100 / (z95 * z95)), none, -inf, inf, 50, 100}},
	} {
		got := FitDifference(c.pairs)
		a, b := reflect.ValueOf(got), reflect.ValueOf(c.want)
		for i := range 6 {
			if !same(a.Field(i).Float(), b.Field(i).Float(), 1e-6) {
				t.Errorf("%s: %s %v, want %v", c.name, a.Type().Field(i).Name, a.Field(i), b.Field(i))
			}
		}
		if got.Pairs != c.want.Pairs || got.Games != c.want.Games {
			t.Errorf("%s: %d pairs, %d games", c.name, got.Pairs, got.Games)
		}
	}

	// Three of four as Western and half as Eastern: d = A = (ln 3 + ln 1)/2.
	got := FitDifference(repeat(10, Pair{1, 1}, Pair{1, 0}, Pair{1, 1}, Pair{0, 0}))
	if want := elo(math.Sqrt(3)); !near(got.Elo, want, 1e-9) || !near(got.Armies, want, 1e-9) {
		t.Errorf("three of four and half: %+v, want %v twice", got, want)
	}
	// Games without a result count nowhere.
	more := FitDifference(append(repeat(10, Pair{1, 1}, Pair{1, 0}, Pair{1, 1}, Pair{0, 0}), Pair{none, none}, Pair{none, none}))
	if more != got {
		t.Errorf("pairs without results change %+v to %+v", got, more)
	}
	// Independent even games: the interval is Wilson's of 200 games but for the n-1.
	even := FitDifference(repeat(25, Pair{1, 1}, Pair{1, 0}, Pair{0, 1}, Pair{0, 0}))
	if want := elo(Wilson(100, 200).High / Wilson(100, 200).Low); !near(even.High, want, 0.01*want) || !near(even.Low, -even.High, 1e-6) {
		t.Errorf("even games: %+v, want +-%v", even, want)
	}
	// Pairs whose games always agree are half as many independent ones.
	alike := FitDifference(repeat(50, Pair{1, 1}, Pair{0, 0}))
	if want := math.Sqrt2; !near(alike.High/even.High, want, 0.02) {
		t.Errorf("pairs that agree widen the interval %v times, want %v", alike.High/even.High, want)
	}
	// Nothing but draws: narrow, not empty.
	if d := FitDifference(repeat(100, Pair{.5, .5})); d.Elo != 0 || d.High < 2 || d.High > 5.2 {
		t.Errorf("100 drawn pairs: %+v", d)
	}
}

func TestDifferenceFromTheOtherSide(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	pairs := world{armies: 1, d: .7, opening: .5, draws: .3, pairs: 60}.match(rng)
	other := make([]Pair, len(pairs))
	for i, p := range pairs {
		other[i] = Pair{West: 1 - p.East, East: 1 - p.West}
	}
	a, b := FitDifference(pairs), FitDifference(other)
	if !near(a.Elo, -b.Elo, 1e-6) || !near(a.Low, -b.High, 1e-6) || !near(a.Armies, b.Armies, 1e-6) || !near(a.ArmiesHigh, b.ArmiesHigh, 1e-6) {
		t.Errorf("%+v from one side, %+v from the other", a, b)
	}
}

// TestDifferenceCovers plays many matches with known truth and counts how often the interval holds it. An
// agent that loses some two games with each army often loses none with one of them, and the
// interval is rather too wide. So there it may hold more often, and truths vary.
func TestDifferenceCovers(t *testing.T) {
	for _, w := range []world{
		{pairs: 100},
		{draws: .8, pairs: 100},
		{armies: 1, d: .3, draws: .3, pairs: 20},
		{armies: 1, d: .3, opening: 1, draws: .3, pairs: 100},
		{armies: 1, d: -.3, grasp: 2, draws: .2, pairs: 100}, // games of a pair alike
		{armies: 2, opening: 1, draws: .2, pairs: 100},
		{armies: 2, d: .5, opening: .5, grasp: .5, draws: .2, pairs: 200},
		{armies: 3, d: .5, opening: .5, grasp: .5, draws: .2, pairs: 100}, // 96% and 9%
		{d: 3, opening: .5, grasp: .5, draws: .2, pairs: 200},
	} {
		d, armies := w.truth()
		checkCoverage(t, w, 0.965, func(*rand.Rand) (world, float64, float64) { return w, d, armies })
	}
	nearlyAll := world{d: 4, draws: .3, pairs: 100}
	checkCoverage(t, nearlyAll, 0.98, func(rng *rand.Rand) (world, float64, float64) {
		w := nearlyAll
		w.d += 2*rng.Float64() - 1
		return w, EloPerLogit * w.d, 0
	})
}

// checkCoverage fails unless the intervals hold the truth in 93.5% of the matches at least, and in most at most.
func checkCoverage(t *testing.T, w world, most float64, draw func(*rand.Rand) (world, float64, float64)) {
	t.Helper()
	const experiments = 2000
	rng := rand.New(rand.NewPCG(3, 4))
	var held, armiesHeld int
	for range experiments {
		w, d, armies := draw(rng)
		got := FitDifference(w.match(rng))
		if got.Low <= d && d <= got.High {
			held++
		}
		if got.ArmiesLow <= armies && armies <= got.ArmiesHigh {
			armiesHeld++
		}
	}
	for _, x := range []struct {
		of   string
		held int
	}{{"agents", held}, {"armies", armiesHeld}} {
		if share := float64(x.held) / experiments; share < 0.935 || share > most {
			t.Errorf("%+v: the 95%% interval of the %s held the truth in %.1f%%", w, x.of, 100*share)
		}
	}
}

func TestDifferenceText(t *testing.T) {
	for _, c := range []struct {
		d    Difference
		want string
	}{
		{Difference{Elo: 35.2, Low: -12.4, High: 82}, "+35 Elo (-12 to +82)"},
		{Difference{Elo: inf, Low: 230, High: inf}, "more than +230 Elo"},
		{Difference{Elo: -inf, Low: -inf, High: -17}, "less than -17 Elo"},
		{Difference{Elo: none, Low: -inf, High: inf}, "not determined by these games"},
	} {
		if got := c.d.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestDifferenceJSON(t *testing.T) {
	for _, pairs := range [][]Pair{nil, repeat(5, Pair{1, 1}), repeat(5, Pair{0, 0}), repeat(5, Pair{1, 0}), repeat(5, Pair{1, .5}), repeat(5, Pair{1, .5}, Pair{0, .5})} {
		d := FitDifference(pairs)
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		var back Difference
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		a, b := reflect.ValueOf(d), reflect.ValueOf(back)
		for i := range 6 {
			if !same(a.Field(i).Float(), b.Field(i).Float(), 0) {
				t.Errorf("%s: %s %v came back as %v", text, a.Type().Field(i).Name, a.Field(i), b.Field(i))
			}
		}
	}
}
