package uciengine

import (
	"slices"
	"testing"
)

func TestSplitWords(t *testing.T) {
	for line, want := range map[string][]string{
		"engine":                       {"engine"},
		"  a  -b\tc ":                  {"a", "-b", "c"},
		`"my engine" --x='a b' '' "'"`: {"my engine", "--x=a b", "", "'"},
		"":                             nil,
	} {
		if got, err := splitWords(line); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", line, got, err)
		}
	}
	if _, err := splitWords(`a "b`); err == nil {
		t.Error("an open quotation mark was taken")
	}
}

func TestParseCommand(t *testing.T) {
	c, err := ParseCommand("'my engines/strong.exe' --quiet")
	if err != nil || c.Name != "strong" || c.Command != "my engines/strong.exe" || !slices.Equal(c.Args, []string{"--quiet"}) {
		t.Errorf("%+v, %v", c, err)
	}
	for _, line := range []string{" ", "'engine"} {
		if c, err := ParseCommand(line); err == nil {
			t.Errorf("%q is the command %+v", line, c)
		}
	}
}
