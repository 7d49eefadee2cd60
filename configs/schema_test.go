package configs

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// schema is a part of a JSON Schema.
type schema map[string]any

// TestSchema compares schema.json with the code and the root preset.
func TestSchema(t *testing.T) {
	c := resolved(t, root)
	keys := map[string]key{}
	for _, k := range allKeys(t) {
		keys[k.path] = k
	}
	s := object(c, keys, reflect.TypeFor[layer](), "")
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "Configuration of a synochess run"
	s["properties"].(schema)["base"].(schema)["enum"] = PresetNames()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(s); err != nil {
		t.Fatal(err)
	}
	same(t, "schema.json", b.String())
}

// object is the schema of a struct.
func object(c *Config, keys map[string]key, t reflect.Type, path string) schema {
	properties, required := schema{}, []string{}
	for _, name := range keysOf(t) {
		k := keys[strings.TrimPrefix(path+"."+name, ".")]
		p := value(c, keys, &k, k.Type)
		p["description"] = k.meaning
		if _, list := p["items"]; path+name != "base" && !k.entry && (isLeaf(k.Type) || list && len(k.OneOf) > 0) {
			p["default"] = k.in(c).Interface()
		}
		properties[name] = p
		if k.entry && k.Required {
			required = append(required, name)
		}
	}
	s := schema{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// value is the schema of a key's value, or of the values of its list or mapping, whose type is t. A section, list or
// mapping may be null: its lines are all commented out.
func value(c *Config, keys map[string]key, k *key, t reflect.Type) schema {
	scalar := []string{"string", "number", "boolean"} // YAML reads 64 and true as text too
	if t == reflect.TypeFor[time.Duration]() {
		return schema{"type": "string", "pattern": `^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$`}
	}
	switch t.Kind() {
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.Uint64:
		return schema{"type": "integer", "minimum": 0, "maximum": uint64(math.MaxUint64)}
	case reflect.Int:
		return bounds(k, schema{"type": "integer"})
	case reflect.Float64:
		return bounds(k, schema{"type": "number"})
	case reflect.String:
		return words(k, scalar)
	case reflect.Interface:
		return schema{"type": scalar}
	case reflect.Struct:
		s := object(c, keys, t, k.path)
		s["type"] = []string{"object", "null"}
		return s
	case reflect.Slice:
		s := schema{"type": []string{"array", "null"}}
		if t.Elem().Kind() == reflect.Struct {
			s["items"] = object(c, keys, t.Elem(), k.path+"[]")
		} else {
			s["items"] = value(c, keys, k, t.Elem())
		}
		if k.Required {
			s["minItems"] = 1
		}
		return s
	}
	s := schema{"type": []string{"object", "null"}}
	if t.Elem().Kind() == reflect.Struct {
		s["additionalProperties"] = object(c, keys, t.Elem(), k.path+".NAME")
	} else {
		s["additionalProperties"] = value(c, keys, k, t.Elem())
		if t.Elem().Kind() == reflect.Slice { // as a section it may be left empty, but not with a name
			s["additionalProperties"].(schema)["type"], s["additionalProperties"].(schema)["minItems"] = "array", 1
		}
	}
	return s
}

// bounds adds the range of a number.
func bounds(k *key, s schema) schema {
	low, high := "minimum", "maximum"
	if k.Range.OpenLow {
		low = "exclusiveMinimum"
	}
	if k.Range.OpenHigh {
		high = "exclusiveMaximum"
	}
	s[low] = k.Range.Low
	if !math.IsInf(k.Range.High, 1) {
		s[high] = k.Range.High
	}
	return s
}

// words is the schema of a text.
func words(k *key, scalar []string) schema {
	switch {
	case k.Required:
		return schema{"type": scalar, "minLength": 1}
	case len(k.OneOf) == 0:
		return schema{"type": scalar}
	}
	var whole []string
	var either []schema
	for _, w := range k.OneOf {
		if begin, more := strings.CutSuffix(w, "..."); more {
			either = append(either, schema{"type": "string", "pattern": "^" + begin})
		} else {
			whole = append(whole, w)
		}
	}
	if either == nil {
		return schema{"enum": whole}
	}
	return schema{"anyOf": append(either, schema{"enum": whole})}
}
