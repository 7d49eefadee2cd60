package env

import (
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// Canonical returns the rule set as text: the fields in the order of docs/rules.md, one a line, no base. A field
// that came later than the first version is left out at the value that it has when absent, so that the text and
// the hashes of a rule set stay what they are when fields are added. ParseRules reads the text back. Two rule
// sets with the same text are the same.
func (r *Rules) Canonical() string { return r.lines(0) }

// lines writes the fields without the first skip of them.
func (r *Rules) lines(skip int) string {
	var b strings.Builder
	for i := range fields[skip:] {
		f := &fields[skip+i]
		if f.isAbsent(r) {
			continue
		}
		value := f.get(r)
		if f.text {
			value = strconv.Quote(value)
		}
		b.WriteString(f.key + ": " + value + "\n")
	}
	return b.String()
}

// Later returns the keys of the fields that the canonical text has and that came later than the first version.
func (r *Rules) Later() (keys []string) {
	for i := range fields {
		if f := &fields[i]; f.since > 0 && !f.isAbsent(r) {
			keys = append(keys, f.key)
		}
	}
	return keys
}

// Hash identifies the rule set: an xxhash64 of the canonical text without its name.
func (r *Rules) Hash() uint64 { return r.hash }

// GroupHash identifies the mechanics: an xxhash64 of the canonical text without name and start. Rule
// sets that differ in their start position only (handicaps) share it; reports group by it.
func (r *Rules) GroupHash() uint64 { return r.groupHash }

func (r *Rules) deriveHashes() {
	r.hash, r.groupHash = xxhash.Sum64String(r.lines(1)), xxhash.Sum64String(r.lines(2))
}
