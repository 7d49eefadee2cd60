package env

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
	"go.yaml.in/yaml/v4"
)

// maxRulesSize is the greatest length of a rules file in bytes.
const maxRulesSize = 64 << 10

// ParseRules reads a rule set from YAML: a base (the name of a built-in rule set) and the fields it
// changes, or every field and no base; a field that came later than the first version may always be missing. source
// names the text in errors, which also name the line, the field and what to do. Where a text with a base has no name,
// one is made of the base and the changes.
func ParseRules(text []byte, source string) (*Rules, error) {
	r, err := parseRules(text)
	if err == nil {
		err = r.checkName()
	}
	if err != nil {
		return nil, fmt.Errorf("rules %s: %w", source, err)
	}
	return r, nil
}

// LoadRules reads a rule set from a YAML file.
func LoadRules(path string) (*Rules, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	return ParseRules(text, path)
}

// ResolveRules returns the built-in rule set of that name, otherwise reads the file of that path.
func ResolveRules(nameOrPath string) (*Rules, error) {
	if r, err := Builtin(nameOrPath); err == nil {
		return r, nil
	}
	r, err := LoadRules(nameOrPath)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%q is neither a built-in rule set (%s) nor a file", nameOrPath, strings.Join(BuiltinNames(), ", "))
	}
	return r, err
}

// With returns a rule set that differs in the given fields; keys and values are those of a rules file,
// values may also be of type bool or int. Without a change of name the new one is called after base and
// changes.
func (r *Rules) With(changes map[string]any) (*Rules, error) {
	texts := make(map[string]string, len(changes))
	for key, value := range changes {
		if fieldByKey(key) == nil {
			return nil, fmt.Errorf("rules derived from %s: %w", r.Name, unknownField(key))
		}
		texts[key] = fmt.Sprint(value)
	}
	derived, err := r.change(texts, func(string) int { return 0 })
	if err == nil {
		err = derived.checkName()
	}
	if err != nil {
		return nil, fmt.Errorf("rules derived from %s: %w", r.Name, err)
	}
	return derived, nil
}

// change applies new field texts to a copy of r and finishes it; line tells where a field was given, 0
// if unknown.
func (r *Rules) change(texts map[string]string, line func(key string) int) (*Rules, error) {
	changed := *r
	var summary []string
	for i := range fields {
		f := &fields[i]
		text, given := texts[f.key]
		if !given {
			continue
		}
		if err := f.set(&changed, text); err != nil {
			return nil, atLine(line(f.key), fmt.Errorf("field %s: %w", f.key, err))
		}
		switch {
		case f.key == "start":
			summary = append(summary, "start")
		case f.key != "name":
			summary = append(summary, f.key+"="+strings.Trim(f.get(&changed), `"`))
		}
	}
	if _, named := texts["name"]; !named && len(summary) > 0 {
		changed.Name = shorten(r.Name+"+"+strings.Join(summary, "+"), maxNameLength)
	}
	if _, given := texts["start"]; !given && changed.HorseLetter != r.HorseLetter && r.Start != "" {
		start, err := r.readFEN(r.Start)
		if err != nil {
			return nil, fmt.Errorf("field start: %w", err)
		}
		changed.Start = changed.FEN(&start) // the same position in the new letters
	}
	if key, err := changed.finish(); err != nil {
		return nil, atLine(line(key), fmt.Errorf("field %s: %w", key, err))
	}
	return &changed, nil
}

// checkName keeps the names of the built-in rule sets for them.
func (r *Rules) checkName() error {
	if builtin, err := Builtin(r.Name); err == nil && builtin.Hash() != r.Hash() {
		return fmt.Errorf("field name: %q is a built-in rule set with other fields: choose another name", r.Name)
	}
	return nil
}

func shorten(s string, most int) string {
	if len(s) > most {
		return s[:most-3] + "..."
	}
	return s
}

func atLine(line int, err error) error {
	if line == 0 {
		return err
	}
	return fmt.Errorf("line %d: %w", line, err)
}

func unknownField(key string) error {
	var keys []string
	for i := range fields {
		keys = append(keys, fields[i].key)
	}
	return fmt.Errorf("unknown field %s: the fields are base, %s", quoteShort(key), strings.Join(keys, ", "))
}

func parseRules(text []byte) (*Rules, error) {
	if len(text) > maxRulesSize {
		return nil, fmt.Errorf("has %d bytes, more than %d: this is not a rules file", len(text), maxRulesSize)
	}
	texts, lines, err := readMapping(text)
	if err != nil {
		return nil, err
	}
	line := func(key string) int { return lines[key] }
	base, hasBase := texts["base"]
	delete(texts, "base")
	if hasBase {
		r, err := Builtin(base)
		if err != nil {
			return nil, atLine(lines["base"], fmt.Errorf("field base: %s is not a built-in rule set: use one of %s", quoteShort(base), strings.Join(BuiltinNames(), ", ")))
		}
		return r.change(texts, line)
	}
	var missing []string
	for i := range fields {
		f := &fields[i]
		switch _, given := texts[f.key]; {
		case given:
		case f.since > 0:
			texts[f.key] = f.absent
		default:
			missing = append(missing, f.key)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("no base, and these fields are missing: %s; add them, or a base such as \"base: moddable\"", strings.Join(missing, ", "))
	}
	return new(Rules).change(texts, line)
}

// readMapping reads a YAML document that is one flat mapping of known fields; it returns the values as
// they are spelled and their lines.
func readMapping(text []byte) (texts map[string]string, lines map[string]int, err error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document yaml.Node
	if err := decoder.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("is empty; a rules file needs a base or every field")
		}
		return nil, nil, err
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, nil, errors.New("holds more than one YAML document: keep one rule set a file")
	}
	if len(document.Content) != 1 || document.Content[0].Kind != yaml.MappingNode {
		return nil, nil, errors.New("is not a list of fields: write lines such as \"faceoff: illegal\"")
	}
	content := document.Content[0].Content
	texts, lines = map[string]string{}, map[string]int{}
	for i := 0; i+1 < len(content); i += 2 {
		key, value := content[i], content[i+1]
		switch {
		case key.Kind != yaml.ScalarNode || key.Value != "base" && fieldByKey(key.Value) == nil:
			return nil, nil, atLine(key.Line, unknownField(key.Value))
		case lines[key.Value] != 0:
			return nil, nil, atLine(key.Line, fmt.Errorf("field %s appears twice: remove one", key.Value))
		case value.Kind != yaml.ScalarNode || value.Tag == "!!null":
			return nil, nil, atLine(value.Line, fmt.Errorf("field %s needs a single value", key.Value))
		}
		texts[key.Value], lines[key.Value] = value.Value, key.Line
	}
	return texts, lines, nil
}

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
