package main

import (
	"fmt"
	"strconv"
	"strings"

	"synochess/internal/stats"
	"synochess/selfplay"
)

// parseSPRT reads elo0,elo1[,alpha,beta]; "" is no test.
func parseSPRT(text string) (*stats.SPRT, error) {
	if text == "" {
		return nil, nil
	}
	numbers := []float64{0, 0, 0.05, 0.05}
	words := strings.Split(text, ",")
	if len(words) != 2 && len(words) != 4 {
		return nil, fmt.Errorf("--sprt %s: want elo0,elo1 or elo0,elo1,alpha,beta", text)
	}
	for i, word := range words {
		x, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil {
			return nil, fmt.Errorf("--sprt %s: %q is not a number", text, word)
		}
		numbers[i] = x
	}
	test := &stats.SPRT{Elo0: numbers[0], Elo1: numbers[1], Alpha: numbers[2], Beta: numbers[3]}
	if err := test.Check(); err != nil {
		return nil, fmt.Errorf("--sprt %s: %w", text, err)
	}
	return test, nil
}

// verdict says what a sequential test has come to.
func verdict(test *stats.SPRT, tally *selfplay.Tally) string {
	s := test.Decide(tally.Prefix())
	return fmt.Sprintf("  test:        %s after %d pairs: log likelihood ratio %.2f, bounds %.2f and %.2f\n"+
		"               H0 is a difference of %g, H1 of %g normalised Elo; H1 is accepted wrongly in %g%%, H0 in %g%%\n",
		s.Verdict, len(tally.Prefix()), s.LLR, s.Lower, s.Upper, test.Elo0, test.Elo1, 100*test.Alpha, 100*test.Beta)
}
