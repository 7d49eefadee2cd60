package setting

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Fault is what is wrong with one setting.
type Fault struct {
	Path string // of keys, "train.batch"
	Says string // "is 0; use 1 to 65536"
}

// Faults is an error that names settings by their paths, so that whoever reads them from a file can add the line.
type Faults []Fault

// Error is a line for each fault.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i := range f {
		lines[i] = f[i].Path + " " + f[i].Says
	}
	return strings.Join(lines, "\n")
}

// Errorf returns the fault of one setting, as Faults.
func Errorf(path, format string, args ...any) error {
	return Faults{{path, fmt.Sprintf(format, args...)}}
}

// In returns the error of a section's own check with the section's key before each fault's path.
func In(section string, err error) error {
	var faults Faults
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &faults):
		return fmt.Errorf("%s: %w", section, err)
	}
	inside := make(Faults, len(faults))
	for i, f := range faults {
		inside[i] = Fault{section + "." + f.Path, f.Says}
	}
	return inside
}

// Check returns a fault for every field of a struct, given by value or pointer, that its tags do not allow. Structs
// within it are left to checks of their own.
func Check(config any) error {
	v := reflect.Indirect(reflect.ValueOf(config))
	var faults Faults
	for _, f := range Fields(v.Type()) {
		faults = append(faults, f.check(f.Key, f.In(v))...)
	}
	if len(faults) == 0 {
		return nil
	}
	return faults
}

func (f *Field) check(path string, v reflect.Value) Faults {
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		return f.checkNumber(path, v, float64(v.Int()))
	case reflect.Float64:
		return f.checkNumber(path, v, v.Float())
	case reflect.String:
		return f.checkText(path, v.String())
	case reflect.Slice:
		var faults Faults
		for i := 0; i < v.Len() && v.Type().Elem().Kind() == reflect.String; i++ {
			faults = append(faults, f.checkText(fmt.Sprintf("%s[%d]", path, i), v.Index(i).String())...)
		}
		if f.Required && v.Len() == 0 {
			return Faults{{path, "is empty; list at least one"}}
		}
		return faults
	}
	return nil
}

func (f *Field) checkNumber(path string, v reflect.Value, x float64) Faults {
	if f.Range == nil || f.Range.Has(x) {
		return nil
	}
	use := f.Allowed()
	if f.Range.OpenLow {
		use = "a number " + use
	}
	return Faults{{path, fmt.Sprintf("is %v; use %s", v.Interface(), use)}}
}

func (f *Field) checkText(path, text string) Faults {
	switch {
	case f.Required && text == "":
		return Faults{{path, "is missing"}}
	case len(f.OneOf) > 0 && !f.allows(text):
		return Faults{{path, fmt.Sprintf("is %q; use %s", text, f.Allowed())}}
	}
	return nil
}

// allows reports whether a text is one of the words, or begins like one that ends in "...".
func (f *Field) allows(text string) bool {
	return slices.ContainsFunc(f.OneOf, func(word string) bool {
		begin, more := strings.CutSuffix(word, "...")
		return text == word || more && strings.HasPrefix(text, begin)
	})
}
