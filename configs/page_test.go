package configs

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestPage compares the generated part of docs/configuration.md with the code and the presets.
func TestPage(t *testing.T) {
	const path, begin, end = "../docs/configuration.md", "<!-- generated: settings -->\n", "<!-- end: settings -->"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(string(text), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("%s lacks the lines %q and %q", path, begin, end)
	}
	same(t, path, before+begin+tables(t)+end+after)
}

// tables is a table of the keys of each section, beginning with those outside of all sections.
func tables(t *testing.T) string {
	var all []*Config
	for _, name := range []string{root, "standard", "strong", "tiny", "play"} {
		all = append(all, resolved(t, name))
	}
	keys := slices.DeleteFunc(allKeys(t), func(k key) bool { return k.path == "base" }) // which the page tells of before
	var b strings.Builder
	table(&b, all, "", keys)
	for _, k := range keys {
		if !strings.Contains(k.path, ".") && !isLeaf(k.Type) {
			fmt.Fprintf(&b, "\n### %s\n\n%s.\n\n", k.path, capital(k.meaning))
			table(&b, all, k.path, keys)
		}
	}
	return b.String()
}

// table writes the keys of a section, "" for those of none, with a column for each preset that changes any of them.
func table(b *strings.Builder, all []*Config, section string, keys []key) {
	var inside []key
	for _, k := range keys {
		in := ""
		if i := strings.IndexAny(k.path, ".["); i >= 0 {
			in = k.path[:i]
		}
		if in == section && (in != "" || isLeaf(k.Type)) {
			inside = append(inside, k)
		}
	}
	var shown []*Config
	for _, c := range all {
		for _, k := range inside {
			if value := k.valueIn(c); value != "" && (c == all[0] || value != k.valueIn(all[0])) {
				shown = append(shown, c)
				break
			}
		}
	}
	head := "| key | type | allowed |"
	for _, c := range shown {
		head += " " + c.name + " |"
	}
	head += " meaning |"
	fmt.Fprintf(b, "%s\n%s|\n", head, strings.Repeat("|---", strings.Count(head, "|")-1))
	for _, k := range inside {
		name := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(k.path, section), "[]"), ".")
		fmt.Fprintf(b, "| `%s` | %s | %s |", name, kind(k.Type), k.Allowed())
		for _, c := range shown {
			value := k.valueIn(c)
			if c != all[0] && value == k.valueIn(all[0]) {
				value = ""
			}
			fmt.Fprintf(b, " %s |", value)
		}
		fmt.Fprintf(b, " %s |\n", strings.ReplaceAll(k.meaning, "|", `\|`))
	}
}

// valueIn returns the key's value in a configuration, "" for one that stands in entries.
func (k *key) valueIn(c *Config) string {
	if k.entry {
		return ""
	}
	v := k.in(c)
	switch v.Kind() {
	case reflect.Slice:
		return strings.ReplaceAll(fmt.Sprint(v.Interface()), " ", ", ")
	case reflect.Map:
		return "" // each preset's is empty
	}
	return fmt.Sprint(v.Interface())
}

// kind says in a word or two what a value of type t is.
func kind(t reflect.Type) string {
	if t == reflect.TypeFor[time.Duration]() {
		return "duration"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Uint64:
		return "whole number"
	case reflect.Float64:
		return "number"
	case reflect.Slice:
		return "list"
	case reflect.Map:
		return "keys with values"
	}
	return "text"
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
