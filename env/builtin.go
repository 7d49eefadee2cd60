package env

import (
	"fmt"
	"strings"
)

// builtins are the built-in rule sets as rules files without their names; the first is the default.
var builtins = []struct{ name, text string }{
	{"moddable", `
start: rheakahr/2c2c2/8/8/8/8/PPPPPPPP/RNBQKBNR[ssssss] w KQ - 0 1
horse: blockable
horse_letter: h
cannon: xiangqi
elephant: blockable
elephant_region: 5-8
advisor: diagonal
advisor_region: d7 e7 f7 d8 e8 f8
soldier_promotion: must
soldier_promotes_to: rhcea
pawn_promotes_to: qrbn
drop_region: 5
faceoff: loses
faceoff_lines: file
campmate: false
stalemate: draw
perpetual_check: draw
soldier_step_resets: true
no_progress_plies: 100
`},
	{"moddable-strict", `
base: moddable
faceoff: illegal
`},
	{"moddable-fsf", `
base: moddable
faceoff: illegal
faceoff_lines: file-or-rank
`},
	{"pychess", `
start: rneakenr/8/1c4c1/1ss2ss1/8/8/PPPPPPPP/RNBQKBNR[ss] w KQ - 0 1
horse: leaper
horse_letter: n
cannon: janggi
elephant: leaper
elephant_region: all
advisor: king
advisor_region: all
soldier_promotion: never
soldier_promotes_to: "-"
pawn_promotes_to: qrbn
drop_region: 5
faceoff: illegal
faceoff_lines: file-or-rank
campmate: true
stalemate: loss
perpetual_check: loss
soldier_step_resets: false
no_progress_plies: 100
`},
}

// BuiltinNames returns the names of the built-in rule sets, the default first.
func BuiltinNames() (names []string) {
	for _, b := range builtins {
		names = append(names, b.name)
	}
	return names
}

// Builtin returns a built-in rule set. The error names those that there are.
func Builtin(name string) (*Rules, error) {
	for _, b := range builtins {
		if b.name == name {
			return parseRules([]byte("name: " + name + b.text))
		}
	}
	return nil, fmt.Errorf("no built-in rule set is called %q: use one of %s", name, strings.Join(BuiltinNames(), ", "))
}
