package selfplay

import (
	"fmt"
	"strconv"
	"strings"

	"synochess/datasets"
	"synochess/env"
	"synochess/mcts"
)

// searched is what a game's record says of one army's searches beside their visits. It is stored as words in
// front of the agent's settings.
type searched struct {
	algorithm string // mcts.ModeGumbel, mcts.ModePUCT, bothAlgorithms, or "" if it never searched
	full      int    // searches cut because the tree was full
}

// bothAlgorithms is the algorithm of an agent that searched by one and by the other, as `auto` does with
// budgets on both sides of its limit.
const bothAlgorithms = mcts.ModeGumbel + "+" + mcts.ModePUCT

// The words of searched in a record.
const (
	algorithmWord = "algorithm="
	fullWord      = "full_trees="
)

// note counts a search that has ended.
func (s *searched) note(r *mcts.Result) {
	s.algorithm = together(s.algorithm, r.Algorithm)
	if r.Full {
		s.full++
	}
}

// together returns the algorithm of searches by a and of searches by b; "" stands for none.
func together(a, b string) string {
	switch {
	case b == "" || a == b:
		return a
	case a == "":
		return b
	}
	return bothAlgorithms
}

// sign puts the words in front of an agent's settings.
func (s *searched) sign(info *datasets.AgentInfo) {
	var words []string
	if s.algorithm != "" {
		words = append(words, algorithmWord+s.algorithm)
	}
	if s.full > 0 {
		words = append(words, fullWord+strconv.Itoa(s.full))
	}
	if info.Settings != "" {
		words = append(words, info.Settings)
	}
	info.Settings = strings.Join(words, " ")
}

// searchedIn reads the words of a record back.
func searchedIn(info *datasets.AgentInfo) (s searched) {
	for _, word := range strings.Fields(info.Settings) {
		if text, ok := strings.CutPrefix(word, algorithmWord); ok {
			s.algorithm = text
		} else if text, ok := strings.CutPrefix(word, fullWord); ok {
			s.full, _ = strconv.Atoi(text) // what is no number was not written by sign
		}
	}
	return s
}

// Effort is what an agent's searches in the games of a match were. The visits asked for are an upper bound
// of those made: a search ends early when its position is proven, or its tree full.
type Effort struct {
	Algorithm string `json:"algorithm,omitempty"` // gumbel, puct or gumbel+puct; empty for an agent without a search
	Searches  int    `json:"searches"`
	Visits    int    `json:"visits"`     // of all searches
	Full      int    `json:"full_trees"` // searches cut because the tree was full
}

// add counts the searches of an agent in a game in which it had army a.
func (e *Effort) add(g *datasets.Game, a env.Army) {
	s := searchedIn(&g.Agents[a])
	e.Algorithm = together(e.Algorithm, s.algorithm)
	e.Full += s.full
	for i := range g.Plies {
		if p := &g.Plies[i]; g.Mover(i) == a && p.Search != datasets.NoSearch {
			e.Searches++
			e.Visits += int(p.Visits)
		}
	}
}

// effort is the part of String about the agents' searches, with warnings of what makes them hard to compare.
func (t *Tally) effort() string {
	var b strings.Builder
	for i, e := range t.Effort {
		if e.Searches == 0 {
			continue
		}
		fmt.Fprintf(&b, "  %s made %.1f visits a search (%s)", t.Agents[i], float64(e.Visits)/float64(e.Searches), e.Algorithm)
		if e.Full > 0 {
			fmt.Fprintf(&b, "; %d of %d searches were cut, their trees full: raise search.max_nodes", e.Full, e.Searches)
		}
		b.WriteByte('\n')
	}
	if a, c := t.Effort[0].Algorithm, t.Effort[1].Algorithm; a != "" && c != "" && a != c {
		fmt.Fprintf(&b, "  warning: the agents search by different algorithms; search.mode gumbel or puct makes them one\n")
	}
	return b.String()
}
