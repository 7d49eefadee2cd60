// Package stats computes from the results of matches how strong agents are, with 95% intervals: differences in
// Elo, sequential tests, ratings on one scale (docs/strength.md). It knows no chess: a score is a number in
// [0,1], and a pair is the two games of one opening, with the armies exchanged.
package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Interval is an estimate with the two ends of its confidence interval.
type Interval struct {
	Estimate float64 `json:"estimate"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
}

// String prints the interval in per cent: "71.5% (66.2 to 76.6)".
func (i Interval) String() string {
	return fmt.Sprintf("%.1f%% (%.1f to %.1f)", 100*i.Estimate, 100*i.Low, 100*i.High)
}

// z95 is the standard normal quantile of a two-sided 95% interval.
const z95 = 1.959963984540054

// Wilson returns the 95% score interval of a share: successes out of n independent trials (Wilson 1927).
// A draw may count as half a success; the interval is then a little too wide. With n = 0 nothing is
// known and the interval is [0,1].
func Wilson(successes float64, n int) Interval {
	if n == 0 {
		return Interval{Estimate: 0.5, Low: 0, High: 1}
	}
	p, m := successes/float64(n), float64(n)
	centre := (p + z95*z95/(2*m)) / (1 + z95*z95/m)
	half := z95 / (1 + z95*z95/m) * math.Sqrt(p*(1-p)/m+z95*z95/(4*m*m))
	return Interval{Estimate: p, Low: max(0, centre-half), High: min(1, centre+half)}
}

// With bootstrapRounds resamplings the noise of an interval's end is well below a tenth of its width.
const bootstrapRounds = 4000

// ClusterMean returns the mean of all scores and its 95% percentile-bootstrap interval. It resamples whole
// clusters (the games of one opening), because games of one cluster resemble each other. When every
// cluster has the same mean the bootstrap sees no spread, and the interval is Wilson's with the clusters
// as trials. The same input gives the same interval.
func ClusterMean(clusters [][]float64) Interval {
	var sums, counts []float64
	var total, n float64
	for _, c := range clusters {
		if len(c) == 0 {
			continue
		}
		s := 0.0
		for _, x := range c {
			s += x
		}
		sums, counts = append(sums, s), append(counts, float64(len(c)))
		total, n = total+s, n+float64(len(c))
	}
	if n == 0 {
		return Wilson(0, 0)
	}
	mean := total / n
	differ := false
	for i := range sums {
		differ = differ || sums[i]*counts[0] != sums[0]*counts[i]
	}
	if !differ {
		return Wilson(mean*float64(len(sums)), len(sums))
	}
	rng := rand.New(rand.NewPCG(0x57a7, uint64(len(sums))))
	means := make([]float64, bootstrapRounds)
	for b := range means {
		var s, m float64
		for range sums {
			i := rng.IntN(len(sums))
			s, m = s+sums[i], m+counts[i]
		}
		means[b] = s / m
	}
	slices.Sort(means)
	return Interval{Estimate: mean, Low: means[bootstrapRounds/40], High: means[bootstrapRounds-1-bootstrapRounds/40]}
}

// Entropy returns the Shannon entropy in nats of a distribution given by counts.
func Entropy(counts []int) float64 {
	n := 0
	for _, c := range counts {
		n += c
	}
	h := 0.0
	for _, c := range counts {
		if c > 0 {
			p := float64(c) / float64(n)
			h -= p * math.Log(p)
		}
	}
	return h
}
