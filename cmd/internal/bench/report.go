package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"synochess/internal/files"
)

// Report is all that was measured, as it is written to the file.
type Report struct {
	Program   string    `json:"program"` // version
	Machine   Machine   `json:"machine"`
	Rivals    []string  `json:"rivals,omitempty"` // with versions
	Behaviour Behaviour `json:"behaviour"`
	Seconds   float64   `json:"seconds"` // that the whole took
	Results   []Result  `json:"results"`
}

// Behaviour is the behaviour number (package behaviour) and what it should be.
type Behaviour struct {
	Nodes  int    `json:"nodes"`
	Number string `json:"number"`
	Same   bool   `json:"as_expected"`
}

// Result is the rate of one contender.
type Result struct {
	Group  string    `json:"group"`
	Name   string    `json:"name"`
	Who    string    `json:"who"`
	Rival  bool      `json:"rival,omitempty"`
	Rate   float64   `json:"rate"` // median of the rounds
	Low    float64   `json:"low"`
	High   float64   `json:"high"`
	Unit   string    `json:"unit"`
	Clock  Clock     `json:"clock"`
	Rounds []float64 `json:"rounds"` // the rate in each, in order
	Ratios []Ratio   `json:"ratios,omitempty"`
}

// set sets the rates of the rounds and what follows from them.
func (r *Result) set(rounds []float64) {
	r.Rounds, r.Rate, r.Low, r.High = rounds, median(rounds), slices.Min(rounds), slices.Max(rounds)
}

// Ratio is a contender's rate divided by another's: the median of the rounds' ratios.
type Ratio struct {
	To    string  `json:"to"`
	Times float64 `json:"times"`
}

// Save writes the report as JSON, whole or not at all.
func (r *Report) Save(path string) error {
	return files.WriteAtomic(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(r)
	})
}

// Table writes the report as text.
func (r *Report) Table(w io.Writer) error {
	same := "as expected"
	if !r.Behaviour.Same {
		same = "NOT the expected one"
	}
	fmt.Fprintf(w, "synochess %s, %s\n", r.Program, r.Machine)
	fmt.Fprintf(w, "behaviour: nodes %d, number %s, %s\n\n", r.Behaviour.Nodes, r.Behaviour.Number, same)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "group\twork\tby\trate\t\tclock\trounds\ttimes as fast as")
	for i, res := range r.Results {
		group, name := res.Group, res.Name
		if i > 0 && r.Results[i-1].Group == group {
			group = ""
			if r.Results[i-1].Name == name {
				name = ""
			}
		}
		var ratios []string
		for _, q := range res.Ratios {
			ratios = append(ratios, fmt.Sprintf("%.2f %s", q.Times, q.To))
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\n", group, name, res.Who, number(res.Rate), res.Unit, res.Clock, len(res.Rounds), strings.Join(ratios, ", "))
	}
	return t.Flush()
}

// number writes a figure with three or more digits.
func number(x float64) string {
	switch {
	case x >= 1e7:
		return fmt.Sprintf("%.1fM", x/1e6)
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}
