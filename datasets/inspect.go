package datasets

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"synochess/env"
	"synochess/internal/stats"
)

// entropyPlies are the lengths of the openings whose diversity is reported.
var entropyPlies = [...]int{1, 2, 4, 8}

// Report is what Inspect found, by purpose and rules group.
type Report struct {
	Files    int
	Games    int
	Plies    int
	Groups   []*GroupReport // most games first
	Problems []error        // of files that could not be read, or not to their end
}

// GroupReport is about the games of one purpose and one rules group (rule sets that differ in name and
// start position at most).
type GroupReport struct {
	Purpose   Purpose
	GroupHash uint64
	Rules     []*RulesReport // the rule sets of the group, most games first
	Games     int
	Plies     int
	FullPlies int // searched in full
	Positions int // of a sample weight above 0
	Visits    int // spent on all moves

	Starts  [4]int                 // [StartKind]
	Endings [5]int                 // [Ending]; Cut and Void have no result
	Results [4]int                 // [env.Result] of the games that have one
	Reasons [env.NumReasons][4]int // [env.Reason][env.Result], endings by the rules
	ByAgent map[[2]string]*[4]int  // results by the kinds of Western and Eastern agent
	Lengths []int                  // plies a game, ascending

	Distinct int // games that differ in start position or moves
	// Openings holds, for each of entropyPlies, how often each line of that many plies was played from
	// the rule set's own start position.
	openings [len(entropyPlies)]map[uint64]int
	seen     map[uint64]int // games by start position and moves
}

// RulesReport is about the games of one rule set of a group.
type RulesReport struct {
	Name    string // "a, b" where two names stand for the same rules
	Hash    uint64 // env.Rules.Hash
	Start   string // FEN
	Games   int
	Results [4]int // [env.Result] of the games that have one
}

// groupKey is what games are grouped by.
type groupKey struct {
	purpose Purpose
	group   uint64
}

// Inspect reads files and counts. A bad file is named in Problems and the rest is counted.
func Inspect(paths []string) *Report {
	rep := &Report{}
	groups := map[groupKey]*GroupReport{}
	for _, path := range paths {
		rep.Files++
		for g, err := range ReadFile(path) {
			if err != nil {
				rep.Problems = append(rep.Problems, err)
				break
			}
			key := groupKey{g.Purpose, g.GroupHash}
			if groups[key] == nil {
				groups[key] = newGroupReport(g)
			}
			groups[key].add(g)
			rep.Games++
			rep.Plies += len(g.Plies)
		}
	}
	rep.Groups = slices.SortedFunc(maps.Values(groups), func(a, b *GroupReport) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.GroupHash, b.GroupHash), cmp.Compare(a.Purpose, b.Purpose))
	})
	for _, r := range rep.Groups {
		slices.SortFunc(r.Rules, func(a, b *RulesReport) int { return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Name, b.Name)) })
		slices.Sort(r.Lengths)
		r.Distinct = len(r.seen)
	}
	return rep
}

func newGroupReport(g *Game) *GroupReport {
	r := &GroupReport{
		Purpose: g.Purpose, GroupHash: g.GroupHash,
		ByAgent: map[[2]string]*[4]int{}, seen: map[uint64]int{},
	}
	for i := range r.openings {
		r.openings[i] = map[uint64]int{}
	}
	return r
}

// rulesField returns a text field of a game's rule set.
func rulesField(g *Game, key string) string {
	for line := range strings.Lines(g.Rules) {
		if value, ok := strings.CutPrefix(line, key+":"); ok {
			value = strings.TrimSpace(value)
			if plain, err := strconv.Unquote(value); err == nil {
				return plain
			}
			return value
		}
	}
	return "?"
}

// rulesOf returns the report of a game's rule set.
func (r *GroupReport) rulesOf(g *Game) *RulesReport {
	name := rulesField(g, "name")
	i := slices.IndexFunc(r.Rules, func(x *RulesReport) bool { return x.Hash == g.RulesHash })
	if i < 0 {
		i = len(r.Rules)
		r.Rules = append(r.Rules, &RulesReport{Name: name, Hash: g.RulesHash, Start: rulesField(g, "start")})
	}
	if x := r.Rules[i]; !slices.Contains(strings.Split(x.Name, ", "), name) {
		x.Name += ", " + name
	}
	return r.Rules[i]
}

func (r *GroupReport) add(g *Game) {
	rules := r.rulesOf(g)
	rules.Games++
	r.Games++
	r.Plies += len(g.Plies)
	r.Starts[g.Start]++
	r.Endings[g.Ending]++
	r.Lengths = append(r.Lengths, len(g.Plies))
	if g.HasResult() {
		r.Results[g.Result]++
		rules.Results[g.Result]++
		kinds := [2]string{g.Agents[env.Western].Kind, g.Agents[env.Eastern].Kind}
		if r.ByAgent[kinds] == nil {
			r.ByAgent[kinds] = new([4]int)
		}
		r.ByAgent[kinds][g.Result]++
	}
	if g.Ending == ByRules {
		r.Reasons[g.Reason][g.Result]++
	}
	for i := range g.Plies {
		p := &g.Plies[i]
		r.Visits += int(p.Visits)
		if p.Search == FullSearch {
			r.FullPlies++
		}
		if sampleUnits(g, i) > 0 {
			r.Positions++
		}
	}
	r.seen[lineHash(g, len(g.Plies))]++
	if g.Start == FromStart {
		for i, n := range entropyPlies {
			r.openings[i][lineHash(g, min(n, len(g.Plies)))]++
		}
	}
}

// lineHash hashes a start position and the first n moves. 64 bits: two of a million different games
// share a hash with a probability of 3e-8.
func lineHash(g *Game, n int) uint64 {
	b := []byte(g.StartFEN)
	for i := range n {
		b = binary.LittleEndian.AppendUint16(b, uint16(g.Plies[i].Move))
	}
	return xxhash.Sum64(b)
}

// Duplicates returns the number of games that repeat an earlier one move by move.
func (r *GroupReport) Duplicates() int { return r.Games - r.Distinct }

// OpeningEntropy returns the entropy, in nats, of the lines of the given number of plies (1, 2, 4 or 8)
// from the rule set's own start position, and the number of games it rests on. exp(entropy) is the
// effective number of lines; a few hundred games cannot show more than their own number.
func (r *GroupReport) OpeningEntropy(plies int) (entropy float64, games int) {
	i := slices.Index(entropyPlies[:], plies)
	if i < 0 {
		return math.NaN(), 0
	}
	counts := slices.Sorted(maps.Values(r.openings[i]))
	for _, n := range counts {
		games += n
	}
	return stats.Entropy(counts), games
}

// WesternScore returns the Western army's mean score, a draw counting half, over the games that have a
// result, with Wilson's interval.
func (r *GroupReport) WesternScore() stats.Interval { return westernScore(r.Results) }

// WesternScore is that of the games of one rule set.
func (r *RulesReport) WesternScore() stats.Interval { return westernScore(r.Results) }

func westernScore(results [4]int) stats.Interval {
	w, d, l := results[env.WesternWins], results[env.Draw], results[env.EasternWins]
	return stats.Wilson(float64(w)+float64(d)/2, w+d+l)
}

// Length returns the q-quantile of the games' lengths in plies, q from 0 to 1.
func (r *GroupReport) Length(q float64) int {
	if len(r.Lengths) == 0 {
		return 0
	}
	return r.Lengths[int(math.Round(q*float64(len(r.Lengths)-1)))]
}
