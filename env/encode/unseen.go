package encode

import (
	"slices"
	"strings"

	"synochess/env"
)

// Unseen returns the keys of the rule fields that a network of an encoding version cannot see: fields that came later
// than the first rule sets, that one of these has away from the value that they have when absent, and whose input came
// with a newer version. To such a network the rule sets look as if the field were absent.
func Unseen(version int, rules ...*env.Rules) (keys []string) {
	for _, r := range rules {
		for _, key := range r.Later() {
			if sinceVersion(key) > version && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// sinceVersion returns the encoding version that brought the inputs of a later rule field, 0 if it has none.
func sinceVersion(key string) int {
	for _, in := range planeInputs {
		if name, _, _ := strings.Cut(in.Name, ":"); name == key {
			return in.Since
		}
	}
	for _, in := range scalarInputs {
		if name, _, _ := strings.Cut(in.Name, ":"); name == key {
			return in.Since
		}
	}
	return 0
}
