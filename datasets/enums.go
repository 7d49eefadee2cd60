package datasets

import (
	"fmt"
	"slices"

	"synochess/env"
)

// The spellings of the enums in files and reports; index is the value. They never change.
var (
	purposeNames = []string{"training", "match"}
	endingNames  = []string{"rules", "cut", "adjudicated", "forfeit", "void"}
	startNames   = []string{"start", "book", "fork", "handicap"}
	chosenNames  = []string{"best", "sampled", "forced"}
	searchNames  = []string{"none", "cheap", "full"}
	provenNames  = []string{"no", "win", "loss", "draw"}
	armyNames    = []string{"western", "eastern"}
	resultNames  = []string{"*", "1-0", "0-1", "1/2-1/2"}
	reasonNames  = func() (names []string) {
		for r := range env.NumReasons {
			names = append(names, r.String())
		}
		return names
	}()
)

// String returns "training" or "match".
func (p Purpose) String() string { return spell(purposeNames, p) }

// String returns "rules", "cut", "adjudicated", "forfeit" or "void".
func (e Ending) String() string { return spell(endingNames, e) }

// String returns "start", "book", "fork" or "handicap".
func (k StartKind) String() string { return spell(startNames, k) }

// String returns "best", "sampled" or "forced".
func (c Chosen) String() string { return spell(chosenNames, c) }

// String returns "none", "cheap" or "full".
func (k SearchKind) String() string { return spell(searchNames, k) }

// String returns "no", "win", "loss" or "draw".
func (p Proven) String() string { return spell(provenNames, p) }

// spell returns an enum value's name; a value out of range is shown as a number.
func spell[E ~uint8](names []string, e E) string {
	if int(e) < len(names) {
		return names[e]
	}
	return fmt.Sprintf("unknown(%d)", e)
}

// parse is the inverse of spell; what names the field in the error.
func parse[E ~uint8](names []string, what, s string) (E, error) {
	if i := slices.Index(names, s); i >= 0 {
		return E(i), nil
	}
	return 0, fmt.Errorf("%s is %q, want one of %q", what, s, names)
}
