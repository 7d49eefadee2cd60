package datasets

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"synochess/env"
)

// WriteText prints a report for people.
func (r *Report) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "%d games, %d plies in %d files\n", r.Games, r.Plies, r.Files)
	for _, g := range r.Groups {
		if err := g.writeText(w); err != nil {
			return err
		}
	}
	for _, err := range r.Problems {
		if _, err := fmt.Fprintf(w, "\nBAD FILE %v\n", err); err != nil {
			return err
		}
	}
	return nil
}

func (r *GroupReport) writeText(out io.Writer) error {
	names := r.Rules[0].Name
	if n := len(r.Rules); n > 1 {
		names += fmt.Sprintf(" and %d more that differ in their start alone", n-1)
	}
	fmt.Fprintf(out, "\nRules %s (group %016x), %s games\n", names, r.GroupHash, r.Purpose)
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	n := float64(max(1, r.Games))
	fmt.Fprintf(w, "  games\t%d\tdistinct %d, duplicates %d\n", r.Games, r.Distinct, r.Duplicates())
	fmt.Fprintf(w, "  starts\t%s\n", tally(startNames, r.Starts[:]))
	fmt.Fprintf(w, "  ended by\t%s\n", tally(endingNames, r.Endings[:]))
	fmt.Fprintf(w, "  without result\t%d cut, %d void\tcounted in no score\n", r.Endings[Cut], r.Endings[Void])
	fmt.Fprintf(w, "  results\tWestern %d, Eastern %d, drawn %d\tWestern score %s\n",
		r.Results[env.WesternWins], r.Results[env.EasternWins], r.Results[env.Draw], r.WesternScore())
	fmt.Fprintf(w, "  plies a game\tmean %.1f\tleast %d, quartiles %d %d %d, 95%% %d, most %d\n", float64(r.Plies)/n,
		r.Length(0), r.Length(0.25), r.Length(0.5), r.Length(0.75), r.Length(0.95), r.Length(1))
	fmt.Fprintf(w, "  plies\t%d\t%d searched in full, %d to train on, %.1f visits a ply\n",
		r.Plies, r.FullPlies, r.Positions, float64(r.Visits)/float64(max(1, r.Plies)))
	for _, plies := range entropyPlies {
		if h, games := r.OpeningEntropy(plies); games > 0 {
			fmt.Fprintf(w, "  openings to ply %d\tentropy %.2f nats\teffectively %.1f lines in %d games\n", plies, h, math.Exp(h), games)
		}
	}
	if err := w.Flush(); err != nil { // the columns of the tables below are narrower
		return err
	}
	if len(r.Rules) > 1 {
		if err := r.writeRules(w); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "  reason\tWestern wins\tEastern wins\tdraws\n")
	for reason, results := range r.Reasons {
		if results != [4]int{} {
			fmt.Fprintf(w, "    %s\t%d\t%d\t%d\n", env.Reason(reason), results[env.WesternWins], results[env.EasternWins], results[env.Draw])
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "  Western vs Eastern agent\tWestern wins\tEastern wins\tdraws\n")
	byName := func(a, b [2]string) int { return strings.Compare(a[0]+" "+a[1], b[0]+" "+b[1]) }
	for _, kinds := range slices.SortedFunc(maps.Keys(r.ByAgent), byName) {
		results := r.ByAgent[kinds]
		fmt.Fprintf(w, "    %s vs %s\t%d\t%d\t%d\n", kinds[0], kinds[1], results[env.WesternWins], results[env.EasternWins], results[env.Draw])
	}
	return w.Flush()
}

// mostRules is how many rule sets of a group are listed.
const mostRules = 12

// writeRules tells the rule sets of a group apart.
func (r *GroupReport) writeRules(w *tabwriter.Writer) error {
	fmt.Fprintf(w, "  rule set\tgames\tWestern score\tstart\n")
	for i, x := range r.Rules {
		if i == mostRules {
			fmt.Fprintf(w, "    and %d more\n", len(r.Rules)-i)
			break
		}
		fmt.Fprintf(w, "    %s\t%d\t%s\t%s\n", x.Name, x.Games, x.WesternScore(), x.Start)
	}
	return w.Flush()
}

// tally prints the counts that are not 0 with their names.
func tally(names []string, counts []int) string {
	var parts []string
	for i, n := range counts {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", names[i], n))
		}
	}
	return strings.Join(parts, ", ")
}
