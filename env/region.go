package env

import (
	"fmt"
	"math/bits"
	"strings"
)

// regionField makes a field that holds a region: all, ranks (5, 5-8) or squares (d7 e7 f7).
func regionField(key string, at func(*Rules) *uint64) field {
	get := func(r *Rules) string { return regionText(*at(r)) }
	set := func(r *Rules, text string) error {
		region, err := parseRegion(text)
		if err == nil {
			*at(r) = region
		}
		return err
	}
	return field{key: key, get: get, set: set}
}

func parseRegion(text string) (uint64, error) {
	if text == "all" {
		return allSquares, nil
	}
	low, high, isRange := strings.Cut(text, "-")
	if !isRange {
		high = low
	}
	if isRank(low) && isRank(high) && low <= high {
		n := high[0] - low[0] + 1
		return (1<<(8*n) - 1) << (8 * (low[0] - '1')), nil
	}
	var region uint64
	for _, word := range strings.Fields(text) {
		s, ok := readSquare(word)
		if !ok {
			region = 0
			break
		}
		region |= 1 << s
	}
	if region == 0 {
		return 0, fmt.Errorf("%s is not a region: write all, ranks (5 or 5-8) or squares (d7 e7 f7)", quoteShort(text))
	}
	return region, nil
}

func isRank(text string) bool { return len(text) == 1 && text[0] >= '1' && text[0] <= '8' }

// regionText writes a region in the shortest of the three ways.
func regionText(region uint64) string {
	if region == allSquares {
		return "all"
	}
	low, high := bits.TrailingZeros64(region)/8, 7-bits.LeadingZeros64(region)/8
	if n := high - low + 1; region == (1<<(8*n)-1)<<(8*low) {
		if n == 1 {
			return fmt.Sprint(low + 1)
		}
		return fmt.Sprintf("%d-%d", low+1, high+1)
	}
	var squares []string
	for b := region; b != 0; b &= b - 1 {
		squares = append(squares, first(b).String())
	}
	return strings.Join(squares, " ")
}
