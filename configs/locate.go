package configs

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"synochess/internal/setting"
)

// locate adds to each faulty setting where its value comes from and what it means. If that is not known, or a preset, name
// takes its place: the configuration that was asked for has changed something else that the preset's value does not go with.
func (l *loader) locate(name string, err error) error {
	var faults setting.Faults
	means, unread := meanings()
	if !errors.As(err, &faults) || unread != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var lines []error
	for _, f := range faults {
		where := innermost(l.origin, f.Path)
		if where == "" || isPreset(where) {
			where = name
		}
		line := fmt.Errorf("%s: %s %s", where, f.Path, f.Says)
		if meaning := innermost(means, item.ReplaceAllString(f.Path, "[0]")); meaning != "" {
			line = fmt.Errorf("%w (%s)", line, meaning)
		}
		lines = append(lines, line)
	}
	return errors.Join(lines...)
}

// item is an index of a list in a path.
var item = regexp.MustCompile(`\[\d+\]`)

// meanings returns what the root preset says beside each key, by path; in a list, beside those of its first item.
func meanings() (map[string]string, error) {
	source, text, err := read(root)
	if err != nil {
		return nil, err
	}
	l := newLoader()
	return l.comments, l.apply(new(layer), source, text)
}

// innermost returns what is known of a path, or else of the innermost list or section around it; "" if nothing is.
func innermost(known map[string]string, path string) string {
	for path != "" && known[path] == "" {
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return known[path]
}
