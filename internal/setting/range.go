package setting

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Range is an interval of numbers.
type Range struct {
	Low, High         float64 // High is +Inf where there is no bound
	OpenLow, OpenHigh bool    // whether the bound itself is outside
}

// parseRange reads "[1,100]", "(0,1]", "[0,)".
func parseRange(text string) (Range, error) {
	inner, last := text[:len(text)-1], text[len(text)-1]
	low, high, ok := strings.Cut(inner, ",")
	if !ok || low == "" || low[0] != '[' && low[0] != '(' || last != ']' && last != ')' {
		return Range{}, fmt.Errorf("range %q: want two numbers in brackets, such as [1,100] or (0,1] or [0,)", text)
	}
	r := Range{OpenLow: low[0] == '(', OpenHigh: last == ')' && high != ""}
	var err error
	if high == "" {
		high = "Inf"
	}
	if r.Low, err = strconv.ParseFloat(low[1:], 64); err == nil {
		r.High, err = strconv.ParseFloat(high, 64)
	}
	if err != nil || !(r.Low < r.High) {
		return Range{}, fmt.Errorf("range %q: the bounds are not two numbers, the lower one first", text)
	}
	return r, nil
}

// Has reports whether x lies within the range; NaN does not.
func (r Range) Has(x float64) bool {
	return (x > r.Low || x == r.Low && !r.OpenLow) && (x < r.High || x == r.High && !r.OpenHigh)
}

// String is the range in words: "1 to 100", "above 0, at most 1", "0 or more".
func (r Range) String() string {
	low, high, endless := number(r.Low), number(r.High), math.IsInf(r.High, 1)
	switch {
	case r.OpenLow && endless:
		return "above " + low
	case endless:
		return low + " or more"
	case r.OpenLow && r.OpenHigh:
		return "above " + low + ", below " + high
	case r.OpenLow:
		return "above " + low + ", at most " + high
	case r.OpenHigh:
		return low + " or more, below " + high
	}
	return low + " to " + high
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
