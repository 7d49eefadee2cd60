package configs

import (
	"encoding"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v4"
)

// loader fills one struct from several layers of YAML, later layers over earlier ones: mappings merge,
// lists and values replace. It remembers where each value came from and the comment that stood beside it.
//
// It walks mappings and lists itself and leaves scalars to package yaml. Every error names the source, the line
// and the key's full path.
type loader struct {
	origin   map[string]string // path of a value -> "file:line" or "--set"
	comments map[string]string // path of a key -> the comment above or beside it, without '#'
}

func newLoader() *loader {
	return &loader{origin: map[string]string{}, comments: map[string]string{}}
}

// apply reads one YAML document into *out. source names it in errors.
func (l *loader) apply(out any, source string, text []byte) error {
	root, err := parse(source, text)
	if err != nil || root == nil {
		return err
	}
	return l.fill(reflect.ValueOf(out).Elem(), root, place{source: source})
}

// set applies one command-line override of the form a.b=c, where c is YAML ("3", "[a, b]", "{x: 1}").
func (l *loader) set(out any, override string) error {
	source := "--set " + override
	path, text, ok := strings.Cut(override, "=")
	if !ok || path == "" {
		return fmt.Errorf("%s: want KEY=VALUE, such as train.batch=128", source)
	}
	node, err := parse(source, []byte(text))
	if err != nil {
		return err
	}
	if node == nil {
		return fmt.Errorf("%s: no value after '='", source)
	}
	keys := strings.Split(path, ".")
	for i := len(keys) - 1; i >= 0; i-- {
		key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: keys[i]}
		node = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{key, node}}
	}
	return l.fill(reflect.ValueOf(out).Elem(), node, place{source: source, noLines: true})
}

// parse returns the only document's root, or nil for an empty text.
func parse(source string, text []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(strings.NewReader(string(text)))
	var doc, second yaml.Node
	if err := dec.Decode(&doc); err == io.EOF {
		return nil, nil
	} else if err != nil {
		return nil, yamlError(source, err)
	}
	if err := dec.Decode(&second); err != io.EOF {
		return nil, fmt.Errorf("%s:%d: a second YAML document; one file holds one config", source, max(second.Line, 1))
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return doc.Content[0], nil
}

// yamlError adds the source and the line to an error of package yaml.
func yamlError(source string, err error) error {
	var at *yaml.LoadError
	if errors.As(err, &at) && at.Mark.Line > 0 {
		return fmt.Errorf("%s:%d: not YAML: %s", source, at.Mark.Line, at.Message)
	}
	return fmt.Errorf("%s: not YAML: %w", source, err)
}

// place says where the loader is, for errors and origins.
type place struct {
	source  string
	noLines bool   // whether line numbers mean nothing, as in an override
	path    string // "train.batch", "rules[0].name"; empty at the top
}

func (p place) key(name string) place {
	if p.path != "" {
		name = p.path + "." + name
	}
	p.path = name
	return p
}

func (p place) item(i int) place {
	p.path = fmt.Sprintf("%s[%d]", p.path, i)
	return p
}

func (p place) at(n *yaml.Node) string {
	if p.noLines {
		return p.source
	}
	return fmt.Sprintf("%s:%d", p.source, n.Line)
}

func (p place) errorf(n *yaml.Node, format string, args ...any) error {
	name := p.path
	if name == "" {
		name = "the document"
	}
	return fmt.Errorf("%s: %s: %s", p.at(n), name, fmt.Sprintf(format, args...))
}

// fill sets v, which must be settable, from node.
func (l *loader) fill(v reflect.Value, node *yaml.Node, p place) error {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if v.Kind() == reflect.Pointer && !isLeaf(v.Type()) {
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return l.fill(v.Elem(), node, p)
	}
	null := node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null"
	switch {
	case isLeaf(v.Type()):
		if null {
			return p.errorf(node, "has no value; give one or remove the key")
		}
		return l.fillLeaf(v, node, p)
	case null: // a section whose lines are all commented out
		return nil
	case v.Kind() == reflect.Struct:
		return l.fillStruct(v, node, p)
	case v.Kind() == reflect.Map:
		return l.fillMap(v, node, p)
	default:
		return l.fillList(v, node, p)
	}
}

func (l *loader) fillStruct(v reflect.Value, node *yaml.Node, p place) error {
	if node.Kind != yaml.MappingNode {
		return p.errorf(node, "needs keys (%s), got %s", strings.Join(firstKeys(v.Type()), ", "), describe(node))
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		in := p.key(key.Value)
		field := fieldByKey(v, key.Value)
		if !field.IsValid() {
			return unknownKey(v.Type(), key, in)
		}
		if seen[key.Value] {
			return in.errorf(key, "the key appears twice")
		}
		seen[key.Value] = true
		if c := comment(key, value); c != "" {
			l.comments[in.path] = c
		}
		if err := l.fill(field, value, in); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) fillMap(v reflect.Value, node *yaml.Node, p place) error {
	if node.Kind != yaml.MappingNode {
		return p.errorf(node, "needs keys with values, got %s", describe(node))
	}
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	l.origin[p.path] = p.at(node)
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		elem := reflect.New(v.Type().Elem()).Elem()
		if old := v.MapIndex(reflect.ValueOf(key.Value)); old.IsValid() {
			elem.Set(old)
		}
		if err := l.fill(elem, node.Content[i+1], p.key(key.Value)); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(key.Value), elem)
	}
	return nil
}

func (l *loader) fillList(v reflect.Value, node *yaml.Node, p place) error {
	if node.Kind != yaml.SequenceNode {
		return p.errorf(node, "needs a list, got %s", describe(node))
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(node.Content), len(node.Content)))
	} else if v.Len() != len(node.Content) {
		return p.errorf(node, "needs a list of %d, got %d", v.Len(), len(node.Content))
	}
	l.origin[p.path] = p.at(node)
	for i, item := range node.Content {
		if err := l.fill(v.Index(i), item, p.item(i)); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) fillLeaf(v reflect.Value, node *yaml.Node, p place) error {
	anything := v.Kind() == reflect.Interface
	if !anything && node.Kind != yaml.ScalarNode {
		return p.errorf(node, "needs %s, got %s", needed(v.Type()), describe(node))
	}
	// yaml would take "yes" for true.
	if v.Kind() == reflect.Bool && node.Value != "true" && node.Value != "false" {
		return p.errorf(node, "needs true or false, got %q", node.Value)
	}
	// A fresh value, because yaml would merge into an old one.
	fresh := reflect.New(v.Type())
	if err := node.Decode(fresh.Interface()); err != nil {
		if reflect.PointerTo(v.Type()).Implements(textUnmarshaler) {
			return p.errorf(node, "%v", err)
		}
		return p.errorf(node, "needs %s, got %s", needed(v.Type()), describe(node))
	}
	v.Set(fresh.Elem())
	l.origin[p.path] = p.at(node)
	return nil
}

var (
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	yamlUnmarshaler = reflect.TypeFor[yaml.Unmarshaler]()
)

// isLeaf reports whether values of type t are one value to the loader, which package yaml converts as a whole.
func isLeaf(t reflect.Type) bool {
	if p := reflect.PointerTo(t); p.Implements(textUnmarshaler) || p.Implements(yamlUnmarshaler) {
		return true
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map, reflect.Slice, reflect.Array, reflect.Pointer:
		return false
	}
	return true
}
