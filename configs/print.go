package configs

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// comment returns what is written about a key: the lines above it or the end of its line.
func comment(key, value *yaml.Node) string {
	for _, c := range []string{key.LineComment, value.LineComment, key.HeadComment} {
		if c != "" {
			lines := strings.Split(c, "\n")
			for i := range lines {
				lines[i] = strings.TrimSpace(strings.TrimLeft(lines[i], "# "))
			}
			return strings.Join(lines, " ")
		}
	}
	return ""
}

// print returns v as YAML with the layers' comments. A value that comes from a source for which `plain`
// is false also names that source.
func (l *loader) print(v any, plain func(origin string) bool) ([]byte, error) {
	var root yaml.Node
	if err := root.Encode(v); err != nil {
		return nil, err
	}
	l.annotate(&root, place{}, plain)
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(&root); err != nil {
		return nil, err
	}
	return out.Bytes(), enc.Close()
}

// annotate puts comments and origins beside the keys in node.
func (l *loader) annotate(node *yaml.Node, p place, plain func(string) bool) {
	switch node.Kind {
	case yaml.DocumentNode:
		l.annotate(node.Content[0], p, plain)
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			key, value := node.Content[i], node.Content[i+1]
			in := p.key(key.Value)
			text := l.comments[in.path]
			if from, ok := l.origin[in.path]; ok && !plain(from) {
				text = strings.TrimSpace(fmt.Sprintf("%s [%s]", text, from))
			}
			if text != "" {
				if value.Kind == yaml.ScalarNode {
					value.LineComment = "# " + text
				} else {
					key.HeadComment = "# " + text
				}
			}
			l.annotate(value, in, plain)
		}
	case yaml.SequenceNode:
		for i, item := range node.Content {
			l.annotate(item, p.item(i), plain)
		}
	}
}
