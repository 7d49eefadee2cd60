// Package setting checks configurations by tags of their fields, so that a range stands in one place, from which
// errors, a reference page and a schema are made:
//
//	Fraction float64 `yaml:"fraction" range:"(0,1]"`
//	Mode     string  `yaml:"mode" oneof:"fraction power"`
//
// The tag yaml names the key. The tag range bounds a number: [ and ] include a bound, ( and ) do not, and an upper bound
// may be left out. The tag oneof lists the words that a text, or each text of a list, may be; one that ends in "..."
// stands for all that begin with it. A text or list with the tag required may not be empty. The tag doc tells what a key
// means if no preset names the key with a comment.
package setting

import (
	"fmt"
	"reflect"
	"strings"
)

// Field is a field of a struct that a YAML key sets.
type Field struct {
	Key      string
	Type     reflect.Type
	Range    *Range   // of a number; nil: any
	OneOf    []string // words that a text may be; nil: any text
	Required bool     // the empty text or list, or the number 0, is refused
	Doc      string   // what the key means; "" if a preset tells it
	index    []int    // of the field in the struct, as reflect.Value.FieldByIndex takes it
}

// Fields returns the fields of a struct type that YAML sets, those of inlined structs among them, in their order. It
// panics at a tag that cannot be read, because that is a fault of the program.
func Fields(t reflect.Type) []Field {
	var all []Field
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case !f.IsExported() || name == "-":
		case strings.Contains(options, "inline"):
			for _, inner := range Fields(f.Type) {
				inner.index = append([]int{i}, inner.index...)
				all = append(all, inner)
			}
		default:
			field := Field{Key: name, Type: f.Type, OneOf: strings.Fields(f.Tag.Get("oneof")), Doc: f.Tag.Get("doc"), index: []int{i}}
			_, field.Required = f.Tag.Lookup("required")
			if text := f.Tag.Get("range"); text != "" {
				r, err := parseRange(text)
				if err != nil {
					panic(fmt.Sprintf("%s.%s: %v", t, f.Name, err))
				}
				field.Range, field.Required = &r, !r.Has(0)
			}
			all = append(all, field)
		}
	}
	return all
}

// In returns the field of a struct's value.
func (f *Field) In(v reflect.Value) reflect.Value { return v.FieldByIndex(f.index) }

// Allowed says in words what the field may hold: "1 to 100", "auto, gumbel or puct"; "" for anything.
func (f *Field) Allowed() string {
	if f.Range != nil {
		return f.Range.String()
	}
	last := max(0, len(f.OneOf)-1)
	return strings.TrimPrefix(strings.Join(f.OneOf[:last], ", ")+" or "+strings.Join(f.OneOf[last:], ""), " or ")
}
