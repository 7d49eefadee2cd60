package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"synochess/env"
	"synochess/internal/files"
	"synochess/internal/loop"
	"synochess/internal/report"
)

// writeReport draws the learning curves of a run from its metrics and returns the page's path.
func writeReport(dir string, proof *loop.Proof) (string, error) {
	lines, err := readMetrics(filepath.Join(dir, "metrics.jsonl"))
	if err != nil {
		return "", err
	}
	page := report.Page{
		Title:  "Synochess: " + filepath.Base(dir),
		Facts:  runFacts(lines),
		Texts:  []report.Text{{Title: "What it learned", Body: proofTable(proof)}},
		Charts: runCharts(lines),
	}
	path := filepath.Join(dir, "report.html")
	return path, files.WriteAtomic(path, page.Write)
}

// proofTable is the closing matches, one a line, by rule set.
func proofTable(p *loop.Proof) string {
	var b strings.Builder
	for rest := p.Matches; len(rest) > 0; {
		m := &rest[0]
		n := slices.IndexFunc(rest, func(o loop.MatchResult) bool { return o.Rules != m.Rules })
		if n < 0 {
			n = len(rest)
		}
		fmt.Fprintf(&b, "Proof in %s: %d openings of %d random plies, each with both armies, %d visits a move\n",
			m.Rules, m.Openings, m.Plies, m.Visits)
		matchTable(&b, rest[:n])
		rest = rest[n:]
	}
	return b.String()
}

// matchTable writes matches, one a line.
func matchTable(b *strings.Builder, matches []loop.MatchResult) {
	t := tabwriter.NewWriter(b, 0, 0, 3, ' ', 0)
	fmt.Fprintln(t, "\tscore (95%)\tas Western\tas Eastern\twon\tdrawn\tlost\tdistinct games")
	for _, m := range matches {
		w, e := m.Tally.ByArmy[env.Western], m.Tally.ByArmy[env.Eastern]
		fmt.Fprintf(t, "%s against %s\t%s\t%.1f%%\t%.1f%%\t%d\t%d\t%d\t%d of %d\n", m.First, m.Second, m.Score,
			100*m.AsWestern.Estimate, 100*m.AsEastern.Estimate, w.Wins+e.Wins, w.Draws+e.Draws, w.Losses+e.Losses, m.Tally.Distinct, m.Tally.Games)
	}
	t.Flush() // to a Builder, which cannot fail
}

// metricLine is a line of metrics.jsonl: its kind, and its numbers by name.
type metricLine struct {
	kind    string
	numbers map[string]float64
}

// readMetrics reads metrics.jsonl; a torn last line is left out, as the run would do.
func readMetrics(path string) ([]metricLine, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	defer f.Close()
	var all []metricLine
	r := bufio.NewReader(f)
	for {
		text, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("report: %s: %w", path, err)
		}
		var fields map[string]any
		if err := json.Unmarshal(text, &fields); err != nil {
			return nil, fmt.Errorf("report: %s: line %d: %w", path, len(all)+1, err)
		}
		line := metricLine{numbers: map[string]float64{}}
		line.kind, _ = fields["kind"].(string)
		for name, v := range fields {
			if x, ok := v.(float64); ok {
				line.numbers[name] = x
			}
		}
		all = append(all, line)
	}
}

// series takes one number of every line of a kind, over another one.
func series(lines []metricLine, name, kind, x, y string) report.Series {
	s := report.Series{Name: name}
	for _, l := range lines {
		if l.kind != kind {
			continue
		}
		if vx, ok := l.numbers[x]; ok {
			if vy, ok := l.numbers[y]; ok {
				s.X, s.Y = append(s.X, vx), append(s.Y, vy)
			}
		}
	}
	return s
}

// sum adds up one number over the lines of a kind.
func sum(lines []metricLine, kind, name string) float64 {
	total := 0.0
	for _, l := range lines {
		if l.kind == kind {
			total += l.numbers[name]
		}
	}
	return total
}
