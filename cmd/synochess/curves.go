package main

import (
	"fmt"
	"time"

	"synochess/internal/progress"
	"synochess/internal/report"
)

// runFacts sums up a run from its metrics.
func runFacts(lines []metricLine) []report.Fact {
	total := func(name string) float64 { return sum(lines, "generation", name) }
	seconds := func(name string) string {
		return progress.FormatDuration(time.Duration(total(name) * float64(time.Second)))
	}
	whole := func(name string) string { return fmt.Sprintf("%.0f", total(name)) }
	return []report.Fact{
		{Name: "games", Value: whole("games")},
		{Name: "positions learned from", Value: whole("positions")},
		{Name: "simulations", Value: whole("visits")},
		{Name: "training steps", Value: whole("steps")},
		{Name: "time playing", Value: seconds("play_seconds")},
		{Name: "time training", Value: seconds("train_seconds")},
	}
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
