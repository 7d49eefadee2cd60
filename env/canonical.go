package env

import (
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// Canonical returns the rule set as text: every field in the order of docs/rules.md, one a line, no
// base. ParseRules reads it back. Two rule sets with the same text are the same.
func (r *Rules) Canonical() string { return r.lines(0) }

// lines writes the fields without the first skip of them.
func (r *Rules) lines(skip int) string {
	var b strings.Builder
	for i := range fields[skip:] {
		f := &fields[skip+i]
		value := f.get(r)
		if f.text {
			value = strconv.Quote(value)
		}
		b.WriteString(f.key + ": " + value + "\n")
	}
	return b.String()
}

// Hash identifies the rule set: an xxhash64 of the canonical text without its name.
func (r *Rules) Hash() uint64 { return r.hash }

// GroupHash identifies the mechanics: an xxhash64 of the canonical text without name and start. Rule
// sets that differ in their start position only (handicaps) share it; reports group by it.
func (r *Rules) GroupHash() uint64 { return r.groupHash }

func (r *Rules) deriveHashes() {
	r.hash, r.groupHash = xxhash.Sum64String(r.lines(1)), xxhash.Sum64String(r.lines(2))
}
