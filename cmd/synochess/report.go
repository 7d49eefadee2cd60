package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"synochess/cmd/internal/report"
	"synochess/datasets"
	"synochess/env"
	"synochess/internal/files"
	"synochess/internal/stats"
	"synochess/train/loop"
)

func newReport() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "report RUN",
		Short: "Draw the curves of a run: strength, losses, games",
		Long: "Draws what a run's folder holds so far as one HTML page, and prints its matches. The run may be going on in\n" +
			"another process, stopped or finished; nothing in its folder changes but the page.",
		Example: "  synochess report runs/quick\n  synochess report runs/quick --out quick.html",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			run := datasets.RunFolder(args[0])
			if _, err := os.Stat(run.Metrics()); err != nil {
				return misused(fmt.Errorf("%s is not a run's folder, or the run has not begun: there is no metrics.jsonl in it", args[0]))
			}
			r, err := readRun(run)
			if err != nil {
				return err
			}
			if out == "" {
				out = run.Report()
			}
			if err := r.write(out); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s%slearning curves: %s\n", anchorTable(r.anchors), proofTable(r.proof), out)
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "file for the page (default: report.html in RUN)")
	return cmd
}

// runRecord is what a run's folder says of it.
type runRecord struct {
	name    string
	metrics *loop.Metrics
	anchors *loop.Anchors
	proof   *loop.Proof // nil while there is none
	legs    []loop.Leg
}

// readRun reads a run's folder, which another process may be writing to.
func readRun(f datasets.RunFolder) (*runRecord, error) {
	whole, err := filepath.Abs(string(f))
	if err != nil {
		return nil, err
	}
	r := &runRecord{name: filepath.Base(whole)}
	if r.metrics, err = loop.ReadMetrics(f); err != nil {
		return nil, err
	}
	if r.anchors, err = loop.ReadAnchors(f); err != nil {
		return nil, err
	}
	if r.proof, err = loop.ReadProof(f); err != nil {
		return nil, err
	}
	r.legs, err = loop.ReadHistory(f)
	return r, err
}

// write draws the page.
func (r *runRecord) write(path string) error {
	page := report.Page{Title: "Synochess: " + r.name, Facts: r.facts(), Charts: append(strengthCharts(r.anchors), runCharts(r.metrics)...)}
	if r.proof != nil {
		page.Texts = append(page.Texts, report.Text{Title: "What it learned", Body: proofTable(r.proof)})
	}
	if len(r.anchors.Matches) > 0 {
		page.Texts = append(page.Texts, report.Text{Title: "On the way", Body: anchorTable(r.anchors)})
	}
	return files.WriteAtomic(path, page.Write)
}

// anchorTable is the matches that a run played on its way; nothing if there are none.
func anchorTable(a *loop.Anchors) string { return matchTables("On the way", a.Matches) }

// proofTable is the closing matches; nothing if there is no proof.
func proofTable(p *loop.Proof) string {
	switch {
	case p == nil:
		return ""
	case p.Generation == 0: // of an earlier version, which did not say
		return matchTables("Proof", p.Matches)
	}
	return matchTables(fmt.Sprintf("Proof of generation %d", p.Generation), p.Matches)
}

// matchTables is a table of matches for each rule set and for each budget and openings, one match a line.
func matchTables(title string, matches []loop.MatchResult) string {
	var b strings.Builder
	for i, m := range matches {
		same := func(o loop.MatchResult) bool {
			return o.Rules == m.Rules && o.Openings == m.Openings && o.Plies == m.Plies && o.Visits == m.Visits
		}
		if slices.ContainsFunc(matches[:i], same) {
			continue
		}
		fmt.Fprintf(&b, "%s in %s: %d openings of %d random plies, each with both armies, %d visits a move\n",
			title, m.Rules, m.Openings, m.Plies, m.Visits)
		matchTable(&b, slices.DeleteFunc(slices.Clone(matches), func(o loop.MatchResult) bool { return !same(o) }))
	}
	return b.String()
}

// matchTable writes matches, one a line.
func matchTable(b *strings.Builder, matches []loop.MatchResult) {
	t := tabwriter.NewWriter(b, 0, 0, 3, ' ', 0)
	fmt.Fprintln(t, "\tscore (95%)\tElo\tas Western\tas Eastern\twon\tdrawn\tlost\tdistinct games")
	for i := range matches {
		m := &matches[i]
		w, e := m.Tally.ByArmy[env.Western], m.Tally.ByArmy[env.Eastern]
		fmt.Fprintf(t, "%s against %s\t%s\t%s\t%.1f%%\t%.1f%%\t%d\t%d\t%d\t%d of %d\n", m.First, opponentOf(m), m.Score, elo(m.Difference),
			100*m.AsWestern.Estimate, 100*m.AsEastern.Estimate, w.Wins+e.Wins, w.Draws+e.Draws, w.Losses+e.Losses, m.Tally.Distinct, m.Tally.Games)
	}
	t.Flush() // to a Builder, which cannot fail
	for i := range matches {
		m := &matches[i]
		if forfeits := m.Tally.Forfeits(); forfeits != "" {
			fmt.Fprintf(b, "forfeits of %s against %s: %s\n", m.First, opponentOf(m), forfeits)
		}
	}
}

// elo writes by how much an agent is the stronger one, with the interval as far as games bound it.
func elo(d stats.Difference) string {
	if d.Pairs == 0 || math.IsNaN(d.Elo) {
		return "-"
	}
	end := func(x float64) string {
		if math.IsInf(x, 0) {
			return "any"
		}
		return fmt.Sprintf("%+.0f", x)
	}
	if math.IsInf(d.Elo, 1) {
		return "above " + end(d.Low)
	}
	if math.IsInf(d.Elo, -1) {
		return "below " + end(d.High)
	}
	return fmt.Sprintf("%+.0f (%s to %s)", d.Elo, end(d.Low), end(d.High))
}
