package stats

import (
	"cmp"
	"fmt"
	"slices"
)

// Contest is a match of two agents under one set of rules. Agents, and sets of rules, are told apart by their
// strings alone.
type Contest struct {
	First, Second string
	Rules         string
	Pairs         []Pair // from the first agent's side
}

// Rating is an agent's place on a scale.
type Rating struct {
	Agent string `json:"agent"`
	// Elo is the rating with its 95% interval, 0 for the anchor. It means nothing where Apart is set.
	Elo  float64 `json:"elo"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Games is the number of games with a result, and Score what the agent scored in them, 0 to 1.
	Games int     `json:"games"`
	Score float64 `json:"score"`
	// AtLeast says that nothing bounds the rating from above: no chain of agents, each of which took a point or
	// half a one from the next, leads from the anchor to the agent. AtMost says that nothing bounds it from
	// below: no such chain leads from the agent to the anchor. An agent that won every game is an example of the
	// first, one that lost every game of the second. Only the fit's correction makes such a rating finite.
	AtLeast bool `json:"at_least"`
	AtMost  bool `json:"at_most"`
	// Apart says that no chain of games leads from the agent to the anchor.
	Apart bool `json:"apart"`
}

// Advantage is by how much the Western army is the stronger one under a set of rules, between equal
// agents, with its 95% interval.
type Advantage struct {
	Rules string  `json:"rules"`
	Elo   float64 `json:"elo"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Scale is one scale of ratings for all agents.
type Scale struct {
	Anchor  string      `json:"anchor"`
	Ratings []Rating    `json:"ratings"`  // best first, then those apart
	Armies  []Advantage `json:"armies"`   // by the rules' names; only of contests that are part of the scale
	LeftOut []int       `json:"left_out"` // indices of the contests without results with both armies, which tell nothing of the agents
}

// FitScale puts all agents that games join to the anchor on one scale with the anchor at 0:
//
//	logit(s_W) = A + r_i - r_j,  logit(s_E) = -A + r_i - r_j
//
// for agent i against j, with an A for each set of rules, a draw counting half. The fit is Firth's (1993): a
// correction of the likelihood removes the estimates' bias to the first order and gives perfect scores finite
// ratings (Heinze and Schemper 2002). The standard errors take each contest's spread, and the likeness of the
// games of its pairs, as they were observed, like FitDifference. An anchor that played none of the contests is
// an error, and so are games that leave the ratings undetermined.
func FitScale(contests []Contest, anchor string) (*Scale, error) {
	s := &Scale{Anchor: anchor}
	totals := map[string]*Rating{}
	total := func(agent string) *Rating {
		if totals[agent] == nil {
			totals[agent] = &Rating{Agent: agent}
		}
		return totals[agent]
	}
	counts := make([]cells, len(contests))
	for i, c := range contests {
		n := count(c.Pairs)
		if !n.tells() {
			s.LeftOut = append(s.LeftOut, i)
			n = cells{}
		}
		counts[i] = n
		games, score := n.west.games+n.east.games, n.west.score+n.east.score
		first, second := total(c.First), total(c.Second)
		first.Games, first.Score = first.Games+games, first.Score+score
		second.Games, second.Score = second.Games+games, second.Score+float64(games)-score
	}
	if totals[anchor] == nil {
		return nil, fmt.Errorf("the anchor %q has played none of the matches", anchor)
	}
	took := points(contests, counts)
	above := reached(took, anchor)
	gave := reversed(took)
	below := reached(gave, anchor)
	joined := reached(append(gave, took...), anchor)
	f := newFit(contests, counts, anchor, joined)
	estimates, deviations, err := f.solve()
	if err != nil {
		return nil, err
	}
	at := func(i int) (elo, low, high float64) {
		elo, half := EloPerLogit*estimates[i], EloPerLogit*z95*deviations[i]
		return elo, elo - half, elo + half
	}
	for agent, r := range totals {
		if r.Games > 0 {
			r.Score /= float64(r.Games)
		}
		r.Apart = !joined[agent]
		r.AtLeast, r.AtMost = !r.Apart && !above[agent], !r.Apart && !below[agent]
		if i, ok := f.agents[agent]; ok {
			r.Elo, r.Low, r.High = at(i)
		}
		s.Ratings = append(s.Ratings, *r)
	}
	slices.SortFunc(s.Ratings, byRating)
	for rules, i := range f.rules {
		a := Advantage{Rules: rules}
		a.Elo, a.Low, a.High = at(i)
		s.Armies = append(s.Armies, a)
	}
	slices.SortFunc(s.Armies, func(a, b Advantage) int { return cmp.Compare(a.Rules, b.Rules) })
	return s, nil
}

func byRating(a, b Rating) int {
	if a.Apart != b.Apart {
		if a.Apart {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(b.Elo, a.Elo), cmp.Compare(a.Agent, b.Agent))
}

// link is a step from one agent to another.
type link struct{ from, to string }

// points returns a link from each agent to those that it took a point or half a one from.
func points(contests []Contest, counts []cells) []link {
	var all []link
	for i, c := range contests {
		n := counts[i]
		score, games := n.west.score+n.east.score, float64(n.west.games+n.east.games)
		if score > 0 {
			all = append(all, link{c.First, c.Second})
		}
		if score < games {
			all = append(all, link{c.Second, c.First})
		}
	}
	return all
}

func reversed(links []link) []link {
	all := make([]link, len(links))
	for i, l := range links {
		all[i] = link{l.to, l.from}
	}
	return all
}

// reached returns the agents that chains of links lead to from the start, and the start itself.
func reached(links []link, start string) map[string]bool {
	joined := map[string]bool{start: true}
	for grown := true; grown; {
		grown = false
		for _, l := range links {
			if joined[l.from] && !joined[l.to] {
				joined[l.to], grown = true, true
			}
		}
	}
	return joined
}
