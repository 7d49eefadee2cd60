package main

import (
	"fmt"
	"slices"
	"time"

	"synochess/cmd/internal/report"
	"synochess/internal/progress"
	"synochess/selfplay/uciengine"
	"synochess/train/loop"
)

// facts sums up a run.
func (r *runRecord) facts() []report.Fact {
	total := func(name string) float64 { return sum(r.lines, "generation", name) }
	seconds := func(name string) string {
		return progress.FormatDuration(time.Duration(total(name) * float64(time.Second)))
	}
	whole := func(name string) string { return fmt.Sprintf("%.0f", total(name)) }
	facts := []report.Fact{
		{Name: "generations", Value: fmt.Sprint(len(series(r.lines, "", "generation", "generation", "games").X))},
		{Name: "games", Value: whole("games")},
		{Name: "positions learned from", Value: whole("positions")},
		{Name: "simulations", Value: whole("visits")},
		{Name: "training steps", Value: whole("steps")},
		{Name: "time playing", Value: seconds("play_seconds")},
		{Name: "time training", Value: seconds("train_seconds")},
	}
	for _, leg := range r.legs {
		facts = append(facts, report.Fact{
			Name:  fmt.Sprintf("from generation %d", leg.From),
			Value: fmt.Sprintf("program %s, kernel path %s", leg.Program, leg.KernelPath),
		})
	}
	return facts
}

// strengthCharts draws the scores of the anchor matches, a chart for each rule set. Where budgets or the opponent of a
// name changed on the way, a curve of its own begins.
func strengthCharts(a *loop.Anchors) []report.Chart {
	var charts []report.Chart
	var newest [][]*loop.MatchResult // [chart][curve]
	for i := range a.Matches {
		m := &a.Matches[i]
		title := "Strength in " + m.Rules
		i := slices.IndexFunc(charts, func(c report.Chart) bool { return c.Title == title })
		if i < 0 {
			i = len(charts)
			charts = append(charts, report.Chart{Title: title, X: "generation", Y: "score, with its 95% interval"})
			newest = append(newest, nil)
		}
		c := &charts[i]
		j := slices.IndexFunc(newest[i], m.Continues)
		if j < 0 {
			j = len(c.Series)
			name := "against " + opponentOf(m)
			if m.Against == loop.AgainstEarlier {
				name = "against its earlier self"
			}
			if slices.ContainsFunc(newest[i], func(o *loop.MatchResult) bool { return o.Against == m.Against }) {
				name += fmt.Sprintf(", other settings from generation %d", m.Generation)
			}
			c.Series = append(c.Series, report.Series{Name: name})
			newest[i] = append(newest[i], nil)
		}
		newest[i][j] = m
		s := &c.Series[j]
		s.X, s.Y = append(s.X, float64(m.Generation)), append(s.Y, m.Score.Estimate)
		s.Low, s.High = append(s.Low, m.Score.Low), append(s.High, m.Score.High)
	}
	return charts
}

// opponentOf names the second agent of a match, an engine with what it may spend on a move.
func opponentOf(m *loop.MatchResult) string {
	if uciengine.Named(m.Against) {
		return m.Second + " at " + m.Tally.Limits[1]
	}
	return m.Second
}

// runCharts draws a run's curves from its metrics.
func runCharts(lines []metricLine) []report.Chart {
	step := func(name, y string) report.Series { return series(lines, name, "step", "step", y) }
	held := func(name, y string) report.Series { return series(lines, name, "held-out", "step", y) }
	generation := func(name, y string) report.Series { return series(lines, name, "generation", "generation", y) }
	return []report.Chart{
		{Title: "Policy loss", X: "training step", Y: "nats", Series: []report.Series{
			step("training games", "policy_loss"), held("held-out games", "policy_loss"), step("entropy of the policy", "policy_entropy"),
		}},
		{Title: "Value loss", X: "training step", Y: "nats", Series: []report.Series{
			step("training games", "value_loss"), held("held-out games", "value_loss"),
		}},
		{Title: "Accuracy: the likeliest is the target's", X: "training step", Y: "share", Series: []report.Series{
			step("policy", "policy_accuracy"), held("policy, held out", "policy_accuracy"),
			step("value", "value_accuracy"), held("value, held out", "value_accuracy"),
		}},
		{Title: "Gradient norm before clipping", X: "training step", Y: "norm", Series: []report.Series{step("gradient", "grad_norm")}},
		{Title: "Self-play games", X: "generation", Y: "games", Series: []report.Series{
			generation("all", "games"), generation("drawn", "draws"), generation("cut", "cuts"),
		}},
		{Title: "Western score in self-play", X: "generation", Y: "score", Series: []report.Series{
			generation("over games with a result", "western_score"),
		}},
	}
}
