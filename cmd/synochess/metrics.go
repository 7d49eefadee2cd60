package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"synochess/cmd/internal/report"
)

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
			return nil, fmt.Errorf("report: %s: line %d: %w; take the line out", path, len(all)+1, err)
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
