package selfplay

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"synochess/datasets"
	"synochess/env"
	"synochess/internal/stats"
)

// Count is wins, draws and losses of one agent.
type Count struct {
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`
}

// Tally is a match's result, from the first agent's side. Games without a result are counted in Excluded
// and nowhere else.
type Tally struct {
	Agents      [2]string       `json:"agents"`
	Limits      [2]string       `json:"limits"` // of each agent, as ParseLimit reads them; "" for one that does not search
	Games       int             `json:"games"`
	Distinct    int             `json:"distinct"` // games that differ in their moves or start
	Excluded    int             `json:"excluded"`
	Plies       int             `json:"plies"`              // of all games
	Evaluations int             `json:"evaluations"`        // positions evaluated, both agents
	ByArmy      [2]Count        `json:"by_army"`            // [army the first agent played]
	Endings     map[string]int  `json:"endings"`            // "1-0 checkmate" and so on
	Failures    map[string]int  `json:"failures,omitempty"` // forfeits by who failed and how
	Effort      [2]Effort       `json:"effort"`             // [agent]
	clusters    [2][][]float64  // [army][opening], the first agent's scores
	ended       []int           // [opening] games that have ended, with a result or not
	seen        map[uint64]bool // hashes of the games' starts and moves
}

// newTally returns the tally of a match of so many openings before its first game.
func newTally(agents [2]string, limits [2]Limit, openings int) *Tally {
	t := &Tally{
		Agents: agents, Limits: [2]string{limits[0].String(), limits[1].String()},
		Endings: map[string]int{}, Failures: map[string]int{}, seen: map[uint64]bool{},
	}
	for a := range t.clusters {
		t.clusters[a] = make([][]float64, openings)
	}
	t.ended = make([]int, openings)
	return t
}

// add counts a finished game; index is its place in the match.
func (t *Tally) add(g *datasets.Game, index, evaluations int) {
	t.Games++
	t.Plies += len(g.Plies)
	t.Evaluations += evaluations
	h := xxhash.New()
	fmt.Fprintln(h, g.RulesHash, g.StartFEN)
	for i := range g.Plies {
		fmt.Fprintln(h, g.Plies[i].Move)
	}
	t.seen[h.Sum64()] = true
	t.Distinct = len(t.seen)
	t.ended[index/2]++
	army := FirstAgentsArmy(index)
	t.Effort[0].add(g, army)
	t.Effort[1].add(g, army.Other())
	score, ok := g.ScoreFor(army)
	if !ok {
		t.Excluded++
		t.Endings[g.Ending.String()]++
		return
	}
	c := &t.ByArmy[army]
	switch score {
	case 1:
		c.Wins++
	case 0.5:
		c.Draws++
	default:
		c.Losses++
	}
	t.clusters[army][index/2] = append(t.clusters[army][index/2], score)
	if g.Ending == datasets.ByRules {
		t.Endings[g.Result.String()+" "+g.Reason.String()]++
	} else {
		t.Endings[g.Result.String()+" "+g.Ending.String()]++
	}
	if g.Ending == datasets.Forfeit {
		class, _, _ := strings.Cut(g.Note, ":")
		loser := army
		if score == 1 {
			loser = army.Other()
		}
		t.Failures[fmt.Sprintf("%s as %s: %s", g.Agents[loser].Kind, loser, class)]++
	}
}

// Pairs returns what the first agent scored in the two games of every opening; NaN stands for a game that
// has not ended or has no result.
func (t *Tally) Pairs() []stats.Pair {
	score := func(of []float64) float64 {
		if len(of) == 0 {
			return math.NaN()
		}
		return of[0]
	}
	pairs := make([]stats.Pair, len(t.clusters[0]))
	for i := range pairs {
		pairs[i] = stats.Pair{West: score(t.clusters[env.Western][i]), East: score(t.clusters[env.Eastern][i])}
	}
	return pairs
}

// Prefix returns the pairs up to the first opening whose games have not both ended. Unlike all pairs that
// have ended they do not prefer short games, so what a sequential test makes of them does not either.
func (t *Tally) Prefix() []stats.Pair {
	pairs := t.Pairs()
	for i := range pairs {
		if t.ended[i] < 2 {
			return pairs[:i]
		}
	}
	return pairs
}

// Score returns the first agent's mean score over both armies with its 95% interval, openings resampled.
func (t *Tally) Score() stats.Interval {
	both := make([][]float64, len(t.clusters[0]))
	for i := range both {
		both[i] = append(append(both[i], t.clusters[0][i]...), t.clusters[1][i]...)
	}
	return stats.ClusterMean(both)
}

// ScoreAs returns the first agent's mean score with one army, with its 95% interval.
func (t *Tally) ScoreAs(a env.Army) stats.Interval { return stats.ClusterMean(t.clusters[a]) }

// Repeats reports whether so many games are the same that the intervals promise too much.
func (t *Tally) Repeats() bool { return t.Games >= 10 && 20*(t.Games-t.Distinct) >= t.Games }

// Forfeits says in one line who failed and how, and how often; "" if nobody did.
func (t *Tally) Forfeits() string { return counts(t.Failures, ", ") }

// String is a report of some lines.
func (t *Tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s against %s: %s, %d games (%d distinct), %.0f plies a game\n",
		t.Agents[0], t.Agents[1], t.Score(), t.Games, t.Distinct, float64(t.Plies)/float64(max(1, t.Games)))
	fmt.Fprintf(&b, "  limits:      %s %s, %s %s\n", t.Agents[0], cmp.Or(t.Limits[0], "none"), t.Agents[1], cmp.Or(t.Limits[1], "none"))
	for a := env.Western; a <= env.Eastern; a++ {
		c := t.ByArmy[a]
		fmt.Fprintf(&b, "  as %-8s %s  won %d, drawn %d, lost %d\n", a.String()+":", t.ScoreAs(a), c.Wins, c.Draws, c.Losses)
	}
	pairs := t.Pairs()
	d := stats.FitDifference(pairs)
	fmt.Fprintf(&b, "  agents:      d, apart from the armies: %s\n", d)
	fmt.Fprintf(&b, "  armies:      the West over the East between equals: %s\n", d.ArmiesString())
	p := stats.Pentanomial(pairs)
	fmt.Fprintf(&b, "  pairs:       %d; of 0, 1/2, 1, 1 1/2, 2 points: %d %d %d %d %d\n", d.Pairs, p[0], p[1], p[2], p[3], p[4])
	b.WriteString(t.effort())
	if t.Excluded > 0 {
		fmt.Fprintf(&b, "  without a result, not counted: %d\n", t.Excluded)
	}
	fmt.Fprintf(&b, "  endings:     %s\n", counts(t.Endings, ", "))
	if len(t.Failures) > 0 {
		fmt.Fprintf(&b, "  forfeits:\n    %s\n", counts(t.Failures, "\n    "))
	}
	if t.Repeats() {
		fmt.Fprintf(&b, "  warning: %d of %d games repeat another move by move; the intervals take them for new ones: use more openings, or longer ones\n",
			t.Games-t.Distinct, t.Games)
	}
	return b.String()
}

// counts writes how often each name occurred.
func counts(of map[string]int, separator string) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		all = append(all, fmt.Sprintf("%s %d", name, of[name]))
	}
	return strings.Join(all, separator)
}
