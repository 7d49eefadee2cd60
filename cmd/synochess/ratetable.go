package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"synochess/cmd/internal/report"
	"synochess/selfplay/matchfile"
)

// agentLabels returns the agents by their ID, and what to call each: its name, with the limit and as much of
// the evaluation ID as it takes where the name alone does not tell it from another.
func agentLabels(records []*matchfile.File) (agents map[string]matchfile.Agent, labels map[string]string) {
	agents, labels = map[string]matchfile.Agent{}, map[string]string{}
	for _, f := range records {
		for _, a := range f.Agents {
			agents[a.ID()] = a
		}
	}
	for id, a := range agents {
		limits, evaluators, alike := false, false, false
		for _, b := range agents {
			if b.Name == a.Name {
				limits = limits || b.Limit != a.Limit
				evaluators = evaluators || b.EvalID != a.EvalID
				alike = alike || b.EvalID != a.EvalID && shortHash(b.EvalID) == shortHash(a.EvalID)
			}
		}
		label := a.Name
		switch {
		case alike: // as engines' names, which end with the version
			label += " " + a.EvalID
		case evaluators && a.EvalID != "":
			label += " " + shortHash(a.EvalID)
		}
		if limits && a.Limit != "" {
			label += " (" + a.Limit + ")"
		}
		labels[id] = label
	}
	return agents, labels
}

// shortHash is as much of a hash as a person compares.
func shortHash(hash string) string { return hash[:min(8, len(hash))] }

// quoted lists names for an error.
func quoted(names []string) string {
	var all []string
	for _, n := range names {
		all = append(all, strconv.Quote(n))
	}
	return strings.Join(all, ", ")
}

// writeText prints the ratings and the armies' advantages as tables.
func (r *rating) writeText(w io.Writer) error {
	unfinished, leftOut := 0, 0
	for _, m := range r.Matches {
		if !m.Finished {
			unfinished++
		}
		if m.LeftOut {
			leftOut++
		}
	}
	matches := "matches"
	if len(r.Matches) == 1 {
		matches = "match"
	}
	fmt.Fprintf(w, "%d %s", len(r.Matches), matches)
	if unfinished > 0 {
		fmt.Fprintf(w, ", %d of them not complete", unfinished)
	}
	if leftOut > 0 {
		fmt.Fprintf(w, ", %d left out for want of results with both armies", leftOut)
	}
	fmt.Fprintf(w, "; %s stands at 0\n\n", r.Anchor)
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	fmt.Fprintln(t, "agent\tElo\t95% interval\tgames\tscore\tlimit\t")
	for _, a := range r.Agents {
		elo, interval, note := fmt.Sprintf("%+.0f", a.Elo), fmt.Sprintf("%+.0f to %+.0f", a.Low, a.High), ""
		switch {
		case a.Apart:
			elo, interval, note = "-", "-", "no games join it to "+r.Anchor
		case a.Rating.Agent == r.Anchor:
			elo, interval = "0", "anchor"
		case a.AtLeast:
			note = "at least about this: nothing bounds it from above"
		case a.AtMost:
			note = "at most about this: nothing bounds it from below"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%.1f%%\t%s\t%s\n", a.Rating.Agent, elo, interval, a.Games, 100*a.Score, a.Limit, note)
	}
	fmt.Fprintln(t)
	if err := t.Flush(); err != nil {
		return err
	}
	t = tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	fmt.Fprintln(t, "West over East\tElo\t95% interval\topenings")
	for _, a := range r.Armies {
		fmt.Fprintf(t, "%s %s\t%+.0f\t%+.0f to %+.0f\t%s\n", a.Rules, shortHash(a.RulesHash), a.Elo, a.Low, a.High, a.Openings)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	note := "\n"
	if n := r.ruleSets(); n > 1 {
		note = fmt.Sprintf("\nThe ratings are over %d rule sets together; agents may differ in strength between them.\n", n)
	}
	_, err := io.WriteString(w, note)
	return err
}

// ruleSets is how many rule sets the ratings rest on.
func (r *rating) ruleSets() int {
	hashes := map[string]bool{}
	for _, a := range r.Armies {
		hashes[a.RulesHash] = true
	}
	return len(hashes)
}

// chart draws the agents that have a rating.
func (r *rating) chart() *report.Ratings {
	c := &report.Ratings{Title: "Ratings", X: "Elo over " + r.Anchor + ", with 95% intervals"}
	for _, a := range r.Agents {
		if !a.Apart {
			c.Rows = append(c.Rows, report.Row{Name: a.Rating.Agent, Value: a.Elo, Low: a.Low, High: a.High, Doubtful: a.AtLeast || a.AtMost})
		}
	}
	return c
}
