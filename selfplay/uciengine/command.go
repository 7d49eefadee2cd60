package uciengine

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Prefix begins the name of an agent that is an engine. A command line follows, or the name of an engine that a file of
// engines describes.
const Prefix = "uci:"

// Named reports whether an agent's name means an engine.
func Named(agent string) bool { return strings.HasPrefix(agent, Prefix) }

// ParseCommand returns the engine that a command line starts, called after its program.
func ParseCommand(line string) (Config, error) {
	words, err := splitWords(line)
	if err != nil {
		return Config{}, err
	}
	if len(words) == 0 {
		return Config{}, errors.New("there is no command")
	}
	base := filepath.Base(words[0])
	return Config{Name: strings.TrimSuffix(base, filepath.Ext(base)), Command: words[0], Args: words[1:]}, nil
}

// splitWords splits a command line at blanks; what stands between two ' or two " keeps its blanks.
func splitWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune // the one that is open, or 0
	inside := false
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, inside = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if inside {
				words = append(words, word.String())
			}
			word.Reset()
			inside = false
		default:
			word.WriteRune(c)
			inside = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("%q: the quotation mark %c is not closed", line, quote)
	}
	if inside {
		words = append(words, word.String())
	}
	return words, nil
}
