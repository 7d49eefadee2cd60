package progress

import (
	"os"
	"runtime"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
	"golang.org/x/term"
)

// drawable says whether f is a terminal that a line can be drawn over.
func drawable(f *os.File) bool {
	kind := os.Getenv("TERM")
	return term.IsTerminal(int(f.Fd())) && kind != "dumb" && (kind != "" || runtime.GOOS == "windows")
}

// widthOf returns a function that asks the terminal how many columns it has now: people resize windows.
func widthOf(f *os.File) func() int {
	return func() int {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
		return 80
	}
}

// utf8Locale says whether the locale's characters are UTF-8, by the first of its variables that is set.
func utf8Locale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}

// glyphs are the characters that a bar is drawn with.
type glyphs struct{ full, empty, ellipsis string }

var (
	blocks = glyphs{"█", "░", "…"}
	plain  = glyphs{"#", "-", ".."}
)

// clean replaces control characters, which would move the cursor, by blanks. Where only ASCII can be shown it
// replaces all other characters by question marks.
func (g glyphs) clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case g == plain && r > unicode.MaxASCII:
			return '?'
		}
		return r
	}, text)
}

// cut shortens a text to the given columns, with an ellipsis in the place of what is left out.
func (g glyphs) cut(text string, columns int) string {
	if uniseg.StringWidth(text) <= columns {
		return text
	}
	room := columns - len([]rune(g.ellipsis))
	if room < 1 {
		return ""
	}
	var b strings.Builder
	for clusters := uniseg.NewGraphemes(text); clusters.Next(); {
		if room -= clusters.Width(); room < 0 {
			break
		}
		b.WriteString(clusters.Str())
	}
	return strings.TrimRight(b.String(), " ") + g.ellipsis
}
