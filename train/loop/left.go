package loop

import (
	"slices"
	"time"

	"synochess/selfplay"
)

// paceOver is how many of the newest generations tell how long the next ones take. Of each figure it is their median,
// since a generation that was interrupted tells less than its whole time.
const paceOver = 5

// matchPliesPerGame is what a game of a match lasts, more or less.
const matchPliesPerGame = 120.0

// matchVisits estimates the simulations that networks make in matches, each of which is played in a number of rule sets. sides
// counts the networks in these matches: one or two in each.
func matchVisits(c *selfplay.MatchConfig, ruleSets int, sides float64) float64 {
	return 2 * float64(c.Openings) * matchPliesPerGame / 2 * sides * float64(c.Visits) * float64(ruleSets)
}

// proofVisits is matchVisits of the proof: in one of its four matches both sides are networks, in the others one is.
func (c *Config) proofVisits(ruleSets int) float64 { return matchVisits(&c.Proof, ruleSets, 2+3) }

// anchorVisits is matchVisits of a round of anchor matches; what engines think is not known, and not counted.
func (c *Config) anchorVisits(ruleSets int) float64 {
	sides := float64(len(c.Anchor.Against))
	if slices.Contains(c.Anchor.Against, AgainstEarlier) {
		sides++
	}
	return matchVisits(&c.Anchor.MatchConfig, ruleSets, sides)
}

// left returns how long this process is expected to go on once the games of a generation are played, or once it is
// trained too; 0 while no generation tells.
func (r *run) left(generation int, trained bool) time.Duration {
	newest := r.done[max(0, len(r.done)-paceOver):]
	if len(newest) == 0 {
		return 0
	}
	median := func(of func(*GenerationLine) float64) float64 {
		var all []float64
		for i := range newest {
			all = append(all, of(&newest[i]))
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	play := median(func(l *GenerationLine) float64 { return l.PlaySeconds })
	training := median(func(l *GenerationLine) float64 { return l.TrainSeconds })
	aVisit := median(func(l *GenerationLine) float64 { return l.PlaySeconds / float64(max(1, l.Visits)) })
	rest := float64(r.last-generation) * (play + training)
	if !trained {
		rest += training
	}
	rules := len(r.rules.Bases())
	if every := r.cfg.Anchor.Every; every > 0 {
		rest += float64(r.last/every-(generation-1)/every) * r.cfg.anchorVisits(rules) * aVisit
	}
	if r.last == r.cfg.Generations {
		rest += r.cfg.proofVisits(rules) * aVisit
	}
	return seconds(rest)
}
