package selfplay

import (
	"fmt"
	"hash/fnv"
	"sort"
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
	Agents      [2]string      `json:"agents"`
	Visits      int            `json:"visits"`
	Games       int            `json:"games"`
	Distinct    int            `json:"distinct"` // games that differ in their moves or start
	Excluded    int            `json:"excluded"`
	Plies       int            `json:"plies"`       // of all games
	Evaluations int            `json:"evaluations"` // positions evaluated, both agents
	ByArmy      [2]Count       `json:"by_army"`     // [army the first agent played]
	Endings     map[string]int `json:"endings"`     // "1-0 checkmate" and so on
	Effort      [2]Effort      `json:"effort"`      // [agent]
	clusters    [2][][]float64 // [army][opening], the first agent's scores
	seen        map[uint64]bool
}

func newTally(agents [2]string, openings, visits int) *Tally {
	t := &Tally{Agents: agents, Visits: visits, Endings: map[string]int{}, seen: map[uint64]bool{}}
	for a := range t.clusters {
		t.clusters[a] = make([][]float64, openings)
	}
	return t
}

// add counts a finished game; index is its place in the match.
func (t *Tally) add(g *datasets.Game, index, evaluations int) error {
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
	army := env.Army(index & 1)
	t.Effort[0].add(g, army)
	t.Effort[1].add(g, army.Other())
	wdl, ok := g.WDLFor(army)
	if !ok {
		t.Excluded++
		t.Endings[g.Ending.String()]++
		return nil
	}
	c := &t.ByArmy[army]
	switch {
	case wdl[0] == 1:
		c.Wins++
	case wdl[1] == 1:
		c.Draws++
	default:
		c.Losses++
	}
	t.clusters[army][index/2] = append(t.clusters[army][index/2], float64(wdl[0])+float64(wdl[1])/2)
	t.Endings[g.Result.String()+" "+g.Reason.String()]++
	return nil
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

// Lost returns the share of games the first agent lost with one army.
func (t *Tally) Lost(a env.Army) float64 {
	c := t.ByArmy[a]
	if n := c.Wins + c.Draws + c.Losses; n > 0 {
		return float64(c.Losses) / float64(n)
	}
	return 0
}

// String is a report of a few lines.
func (t *Tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s against %s: %s, %d games (%d distinct), %d visits a move, %.0f plies a game\n",
		t.Agents[0], t.Agents[1], t.Score(), t.Games, t.Distinct, t.Visits, float64(t.Plies)/float64(max(1, t.Games)))
	for a := env.Western; a <= env.Eastern; a++ {
		c := t.ByArmy[a]
		fmt.Fprintf(&b, "  as %-8s %s  won %d, drawn %d, lost %d\n", a.String()+":", t.ScoreAs(a), c.Wins, c.Draws, c.Losses)
	}
	b.WriteString(t.effort())
	if t.Excluded > 0 {
		fmt.Fprintf(&b, "  without a result, not counted: %d\n", t.Excluded)
	}
	var names []string
	for name, n := range t.Endings {
		names = append(names, fmt.Sprintf("%s %d", name, n))
	}
	sort.Strings(names)
	fmt.Fprintf(&b, "  endings: %s\n", strings.Join(names, ", "))
	return b.String()
}

// nameHash turns a match's name into a part of its games' seeds.
func nameHash(name string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(name))
	return h.Sum32()
}
