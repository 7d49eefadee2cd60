package selfplay

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"synochess/env"
)

// ReadOpenings reads opening positions of a rule set, one a line:
//
//   - a FEN with its two counters, or without them as in EPD; what follows after the fields of an EPD line
//     is not looked at;
//   - or a JSON object with "fen" and, if wanted, "rules" (the rule set's name) and "moves" (UCI, played from
//     there); other keys are not looked at.
//
// Empty lines and lines that begin with '#' are left out. A position that is over, stands there twice or is
// of another rule set is an error with the name of the text and the line.
func ReadOpenings(r *env.Rules, name string, text io.Reader) ([]Opening, error) {
	var all []Opening
	seen := map[uint64]int{}
	lines := bufio.NewScanner(text)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		o, err := readOpening(r, line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		p, err := o.Position()
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		if first := seen[p.Hash()]; first > 0 {
			return nil, fmt.Errorf("%s:%d: the position is already in line %d; remove one, since its games would be counted twice", name, number, first)
		}
		seen[p.Hash()] = number
		all = append(all, *o)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no positions in it; want a FEN, EPD or JSON object with \"fen\" a line", name)
	}
	return all, nil
}

func readOpening(r *env.Rules, line string) (*Opening, error) {
	var entry struct {
		Rules string
		FEN   string
		Moves []string
	}
	if line[0] == '{' {
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			return nil, fmt.Errorf("not a JSON object of an opening: %w", err)
		}
		if entry.FEN == "" {
			return nil, fmt.Errorf("the JSON object has no \"fen\"")
		}
		if entry.Rules != "" && entry.Rules != r.Name {
			return nil, fmt.Errorf("the position is of the rule set %s and the match in %s; choose one of them with --rules", entry.Rules, r.Name)
		}
	} else {
		entry.FEN = fenOf(line)
	}
	start, err := r.ParseFEN(entry.FEN)
	if err != nil {
		return nil, err
	}
	g := env.NewGame(r, start)
	for _, text := range entry.Moves {
		if err := g.PlayUCI(text); err != nil {
			return nil, err
		}
	}
	return &Opening{Rules: r, Start: start, Line: g.Moves()}, nil
}

// fenOf returns the FEN of a line: its first six fields, or where the fifth is no number the first four with
// counters that have not moved.
func fenOf(line string) string {
	fields := strings.Fields(line)
	if len(fields) >= 6 {
		if _, err := strconv.Atoi(fields[4]); err == nil {
			return strings.Join(fields[:6], " ")
		}
	}
	if len(fields) > 4 {
		fields = fields[:4]
	}
	return strings.Join(append(fields, "0", "1"), " ")
}

// Position returns what the agents begin with; it is an error if the game is over there.
func (o *Opening) Position() (*env.Position, error) {
	g := env.NewGame(o.Rules, o.Start)
	for _, m := range o.Line {
		if err := g.Play(m); err != nil {
			return nil, err
		}
	}
	if end := g.Outcome(); end.Over() {
		return nil, fmt.Errorf("the game is over in this position: %s, %s", end.Result, end.Reason)
	}
	return g.Position(), nil
}
