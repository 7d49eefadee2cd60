package configs

import (
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v4"

	"synochess/internal/setting"
)

// fieldByKey returns the field of the struct v that a YAML key names, or the zero Value.
func fieldByKey(v reflect.Value, key string) reflect.Value {
	for _, f := range setting.Fields(v.Type()) {
		if f.Key == key {
			return f.In(v)
		}
	}
	return reflect.Value{}
}

// keysOf returns the YAML keys of a struct type in order.
func keysOf(t reflect.Type) []string {
	var keys []string
	for _, f := range setting.Fields(t) {
		keys = append(keys, f.Key)
	}
	return keys
}

// firstKeys returns a few keys of a struct type, for an error.
func firstKeys(t reflect.Type) []string {
	keys := keysOf(t)
	if len(keys) > 4 {
		keys = append(keys[:4:4], "...")
	}
	return keys
}

// unknownKey names the key that may have been meant, or else every key there is.
func unknownKey(t reflect.Type, key *yaml.Node, p place) error {
	keys := keysOf(t)
	if near := nearest(key.Value, keys); near != "" {
		return p.errorf(key, "unknown key; did you mean %q?", near)
	}
	return p.errorf(key, "unknown key; there are: %s", strings.Join(keys, ", "))
}

// nearest returns the candidate with the fewest edits to word, or "" when none is near.
func nearest(word string, candidates []string) string {
	best, fewest := "", 1+len(word)/3
	for _, c := range candidates {
		if d := edits(word, c); d <= fewest && (best == "" || d < fewest) {
			best, fewest = c, d
		}
	}
	return best
}

// edits is the number of letters to insert, delete, replace or swap with the next to turn a into b
// (the optimal string alignment distance).
func edits(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// needed says in words what a value of type t is.
func needed(t reflect.Type) string {
	if t.String() == "time.Duration" {
		return "a duration such as 30s"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number" + bits(t)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number of at least 0" + bits(t)
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.String:
		return "text"
	}
	return "another value"
}

// bits says how many bits a number of type t has, if not 64.
func bits(t reflect.Type) string {
	if t.Bits() < 64 {
		return fmt.Sprintf(" of %d bits", t.Bits())
	}
	return ""
}

// describe says in words what a node is.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "keys with values"
	case yaml.SequenceNode:
		return "a list"
	}
	return fmt.Sprintf("%q", n.Value)
}
