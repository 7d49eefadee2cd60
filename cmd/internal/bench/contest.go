package bench

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Clock says by which clock a figure was timed.
type Clock string

// The clocks.
const (
	CPU  Clock = "cpu"  // processor time
	Wall Clock = "wall" // time passed
)

// contender does some work over and over.
type contender struct {
	name  string // who it is; " on N" after that for a number of threads (see Benchmarks)
	rival bool   // not this program
	clock Clock
	// run does the work n times and returns the seconds it took by the contender's clock.
	run func(n int) (seconds float64, err error)
}

// local makes the run function of work in this process.
func local(clock Clock, work func() error) func(n int) (float64, error) {
	now := func() time.Duration { return time.Duration(time.Now().UnixNano()) }
	if clock == CPU {
		now = cpuTime
	}
	return func(n int) (float64, error) {
		start := now()
		for range n {
			if err := work(); err != nil {
				return 0, err
			}
		}
		return max((now() - start).Seconds(), 1e-9), nil
	}
}

// contest is the same work for some contenders.
type contest struct {
	group, name string  // what the work is; the name's parts are separated by ", " (see Benchmarks)
	unit        string  // of the rate, such as "evaluations/s"
	units       float64 // that doing the work once makes
	budget      time.Duration
	contenders  []contender
}

// How a contest spends its time: a contender works for about a slice in each round, and there are at most
// maxRounds rounds, fewer if the next would not fit the budget. Below fewRounds medians have no confidence
// interval of 95%, so a slow machine may spend two budgets to reach them; one round there always is.
const (
	slice     = 100 * time.Millisecond
	fewRounds = 6
	maxRounds = 9
)

// more reports whether there is to be another round after so many that took so long.
func (c *contest) more(rounds int, spent time.Duration) bool {
	if rounds == 0 {
		return true
	}
	next := spent * time.Duration(rounds+1) / time.Duration(rounds)
	return rounds < maxRounds && next < c.budget || rounds < fewRounds && next < 2*c.budget
}

// run holds the contest and returns a result for each contender. Ours tell their ratio to all that stand
// before them and to all rivals.
func (c *contest) run(ctx context.Context) ([]Result, error) {
	repeat := make([]int, len(c.contenders))
	for i, who := range c.contenders {
		seconds, err := who.run(1) // the first time is never typical
		if err == nil && seconds < slice.Seconds() {
			seconds, err = who.run(1)
		}
		if err != nil {
			return nil, fmt.Errorf("bench: %s %s: %s: %w", c.group, c.name, who.name, err)
		}
		repeat[i] = max(1, int(slice.Seconds()/max(seconds, 1e-9)))
	}
	rates := make([][]float64, len(c.contenders))
	began := time.Now()
	for rounds := 0; c.more(rounds, time.Since(began)); rounds++ {
		for i, who := range c.contenders {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			seconds, err := who.run(repeat[i])
			if err != nil {
				return nil, fmt.Errorf("bench: %s %s: %s: %w", c.group, c.name, who.name, err)
			}
			rates[i] = append(rates[i], c.units*float64(repeat[i])/seconds)
		}
	}
	var results []Result
	for i, who := range c.contenders {
		r := Result{
			Group: c.group, Name: c.name, Who: who.name, Rival: who.rival, Unit: c.unit, Clock: who.clock,
		}
		r.set(rates[i])
		for j, other := range c.contenders {
			if !who.rival && (j < i || other.rival) {
				ratios := make([]float64, len(rates[i]))
				for k := range ratios {
					ratios[k] = rates[i][k] / rates[j][k]
				}
				r.Ratios = append(r.Ratios, Ratio{other.name, median(ratios)})
			}
		}
		results = append(results, r)
	}
	return results, nil
}

// median returns the middle value, the mean of the middle two for an even number.
func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}
