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
	var all loop.GenerationLine // sums
	for i := range r.metrics.Generations {
		g := &r.metrics.Generations[i]
		all.Games += g.Games
		all.Positions += g.Positions
		all.Visits += g.Visits
		all.Steps += g.Steps
		all.PlaySeconds += g.PlaySeconds
		all.TrainSeconds += g.TrainSeconds
	}
	duration := func(seconds float64) string {
		return progress.FormatDuration(time.Duration(seconds * float64(time.Second)))
	}
	facts := []report.Fact{
		{Name: "generations", Value: fmt.Sprint(len(r.metrics.Generations))},
		{Name: "games", Value: fmt.Sprint(all.Games)},
		{Name: "positions learned from", Value: fmt.Sprint(all.Positions)},
		{Name: "simulations", Value: fmt.Sprint(all.Visits)},
		{Name: "training steps", Value: fmt.Sprint(all.Steps)},
		{Name: "time playing", Value: duration(all.PlaySeconds)},
		{Name: "time training", Value: duration(all.TrainSeconds)},
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
func runCharts(m *loop.Metrics) []report.Chart {
	step := func(name string, y func(l *loop.StepLine) float64) report.Series {
		return series(name, m.Steps, func(l *loop.StepLine) float64 { return float64(l.Step) }, y)
	}
	held := func(name string, y func(l *loop.HeldOutLine) float64) report.Series {
		return series(name, m.HeldOut, func(l *loop.HeldOutLine) float64 { return float64(l.Step) }, y)
	}
	generation := func(name string, y func(l *loop.GenerationLine) float64) report.Series {
		return series(name, m.Generations, func(l *loop.GenerationLine) float64 { return float64(l.Generation) }, y)
	}
	return []report.Chart{
		{Title: "Policy loss", X: "training step", Y: "nats", Series: []report.Series{
			step("training games", func(l *loop.StepLine) float64 { return l.Policy }),
			held("held-out games", func(l *loop.HeldOutLine) float64 { return l.Policy }),
			step("entropy of the policy", func(l *loop.StepLine) float64 { return l.Entropy }),
		}},
		{Title: "Value loss", X: "training step", Y: "nats", Series: []report.Series{
			step("training games", func(l *loop.StepLine) float64 { return l.Value }),
			held("held-out games", func(l *loop.HeldOutLine) float64 { return l.Value }),
		}},
		{Title: "Accuracy: the likeliest is the target's", X: "training step", Y: "share", Series: []report.Series{
			step("policy", func(l *loop.StepLine) float64 { return l.PolicyAccuracy }),
			held("policy, held out", func(l *loop.HeldOutLine) float64 { return l.PolicyAccuracy }),
			step("value", func(l *loop.StepLine) float64 { return l.ValueAccuracy }),
			held("value, held out", func(l *loop.HeldOutLine) float64 { return l.ValueAccuracy }),
		}},
		{Title: "Gradient norm before clipping", X: "training step", Y: "norm", Series: []report.Series{
			step("gradient", func(l *loop.StepLine) float64 { return l.GradNorm }),
		}},
		{Title: "Self-play games", X: "generation", Y: "games", Series: []report.Series{
			generation("all", func(l *loop.GenerationLine) float64 { return float64(l.Games) }),
			generation("drawn", func(l *loop.GenerationLine) float64 { return float64(l.Draws) }),
			generation("cut", func(l *loop.GenerationLine) float64 { return float64(l.Cuts) }),
		}},
		{Title: "Western score in self-play", X: "generation", Y: "score", Series: []report.Series{
			generation("over games with a result", func(l *loop.GenerationLine) float64 { return l.WesternScore }),
		}},
	}
}

// series takes one number of every line of a kind, over another one.
func series[Line any](name string, lines []Line, x, y func(*Line) float64) report.Series {
	s := report.Series{Name: name}
	for i := range lines {
		s.X, s.Y = append(s.X, x(&lines[i])), append(s.Y, y(&lines[i]))
	}
	return s
}
