package arena

import (
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"synochess/datasets"
	"synochess/env"
	"synochess/internal/files"
	"synochess/selfplay"
	"synochess/selfplay/matchfile"
)

// writeText writes games as text that people and PGN tools can read: tags, then the moves in UCI notation,
// because Portable Game Notation has none for the Eastern pieces.
func writeText(path string, m *matchfile.File, games iter.Seq2[*datasets.Game, error]) error {
	return files.WriteAtomic(path, func(w io.Writer) error {
		for g, err := range games {
			if err != nil {
				return err
			}
			text, err := gameText(m, g)
			if err != nil {
				return err
			}
			if _, err := io.WriteString(w, text); err != nil {
				return err
			}
		}
		return nil
	})
}

// gameText returns one game as text: tags, an empty line, moves and an empty line.
func gameText(m *matchfile.File, g *datasets.Game) (string, error) {
	r, err := env.ParseRules([]byte(g.Rules), fmt.Sprintf("game %d", g.Number))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	writeTags(&b, m, g, r.Name)
	b.WriteByte('\n')
	writeMoves(&b, g, r)
	b.WriteString("\n\n")
	return b.String(), nil
}

// writeTags writes what Portable Game Notation says of a game before its moves.
func writeTags(b *strings.Builder, m *matchfile.File, g *datasets.Game, rules string) {
	tag := func(name, value string) {
		fmt.Fprintf(b, "[%s \"%s\"]\n", name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value))
	}
	player := func(a env.Army) string { // the kind and the limit, which is a word of the settings
		for _, word := range strings.Fields(g.Agents[a].Settings) {
			if l, err := selfplay.ParseLimit(word); err == nil {
				return g.Agents[a].Kind + ", " + l.String()
			}
		}
		return g.Agents[a].Kind
	}
	tag("Event", m.Agents[0].Name+" against "+m.Agents[1].Name)
	tag("Round", fmt.Sprint(g.Number))
	tag("White", player(env.Western)) // the Western army
	tag("Black", player(env.Eastern))
	tag("Result", g.Result.String())
	tag("Variant", rules)
	tag("SetUp", "1")
	tag("FEN", g.StartFEN)
	switch {
	case g.Ending == datasets.ByRules:
		tag("Termination", g.Reason.String())
	case g.Note != "":
		tag("Termination", g.Ending.String()+", "+g.Note)
	default:
		tag("Termination", g.Ending.String())
	}
	tag("PlyCount", fmt.Sprint(len(g.Plies)))
}

// writeMoves writes the moves and the result, in lines of at most 100 bytes.
func writeMoves(b *strings.Builder, g *datasets.Game, r *env.Rules) {
	line := 0
	word := func(text string) {
		if line > 0 && line+1+len(text) > 100 {
			b.WriteByte('\n')
			line = 0
		}
		if line > 0 {
			b.WriteByte(' ')
			line++
		}
		b.WriteString(text)
		line += len(text)
	}
	number := firstNumber(g.StartFEN)
	for i := range g.Plies {
		mover := g.Mover(i)
		switch {
		case mover == env.Western:
			word(fmt.Sprintf("%d.", number))
		case i == 0:
			word(fmt.Sprintf("%d...", number))
		}
		word(r.MoveString(g.Plies[i].Move))
		if mover == env.Eastern {
			number++
		}
	}
	word(g.Result.String())
}

// firstNumber returns the number of the next move, a FEN's last field.
func firstNumber(fen string) int {
	fields := strings.Fields(fen)
	if n, err := strconv.Atoi(fields[len(fields)-1]); err == nil {
		return n
	}
	return 1
}
