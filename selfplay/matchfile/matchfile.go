// Package matchfile reads and writes the record of a match, match.json, which lies beside its games. It says
// who played whom, under which rules and limits, and what every opening's two games scored. Ratings are fitted
// to these records alone. The package knows no chess: agents, rules and openings are strings.
package matchfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode"

	"synochess/internal/files"
	"synochess/internal/stats"
)

// Name is the name of the record in a match's folder.
const Name = "match.json"

// Version is the layout that this program writes and reads.
const Version = 1

// File is the record of one match.
type File struct {
	Version   int         `json:"version"`
	Agents    [2]Agent    `json:"agents"`     // all scores are those of the first
	Rules     string      `json:"rules"`      // name of the rule set, for people
	RulesHash string      `json:"rules_hash"` // hash of the rule set (env.Rules.Hash, 16 hexadecimal digits), which tells it from others
	Openings  string      `json:"openings"`   // how many openings of what kind, such as "100 of 4 random plies"
	Seed      uint64      `json:"seed"`
	Program   string      `json:"program"` // version of the program that played
	Machine   string      `json:"machine"` // processor and kernel path
	Started   time.Time   `json:"started"`
	Finished  time.Time   `json:"finished,omitzero"` // absent while the match is not complete
	Pairs     []PairScore `json:"pairs"`
}

// howMany is the beginning of Openings that says how many there are.
var howMany = regexp.MustCompile(`^(the first )?[0-9]+ of `)

// OpeningsKind returns the kind of openings without their number, because the armies' chances depend on the
// kind alone.
func (f *File) OpeningsKind() string { return howMany.ReplaceAllString(f.Openings, "") }

// Agent is one side of a match. Name, EvalID and Limit together identify it: two networks of the same name are two
// agents, and so is one network with few visits and with many.
type Agent struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"`     // network, greedy, random or engine
	EvalID   string `json:"eval_id"`  // what evaluates: a hash of weights, an engine's own name and version
	Limit    string `json:"limit"`    // what it may spend on a move, such as "nodes=800"; empty where it does not search
	Settings string `json:"settings"` // of its search or its engine options
}

// ID is what tells one agent from another.
func (a Agent) ID() string { return a.Name + "\x00" + a.EvalID + "\x00" + a.Limit }

// PairScore is what the first agent scored in the two games of one opening: 0, 0.5 or 1, or nil (null in the
// file) where the game has no result.
type PairScore struct {
	Opening string   `json:"opening"` // the opening's position, as FEN
	West    *float64 `json:"west"`    // as Western
	East    *float64 `json:"east"`    // as Eastern
}

// Score returns a score as PairScore holds it.
func Score(score float64) *float64 { return &score }

// Stats returns the pairs as package stats takes them, NaN for a game without a result.
func (f *File) Stats() []stats.Pair {
	pairs := make([]stats.Pair, len(f.Pairs))
	for i, p := range f.Pairs {
		pairs[i] = stats.Pair{West: number(p.West), East: number(p.East)}
	}
	return pairs
}

func number(score *float64) float64 {
	if score == nil {
		return math.NaN()
	}
	return *score
}

// check returns an error that names the key of the first fault.
func (f *File) check() error {
	if f.Version != Version {
		return fmt.Errorf("version is %d: want %d, the only one that this program reads", f.Version, Version)
	}
	for i, a := range f.Agents {
		if a.Name == "" {
			return fmt.Errorf("agents[%d].name is empty: want the agent's name", i)
		}
		if strings.ContainsFunc(a.Name+a.EvalID+a.Limit, unicode.IsControl) {
			return fmt.Errorf("agents[%d]: a control character in name, eval_id or limit, %q; remove it", i, a.Name+" "+a.EvalID+" "+a.Limit)
		}
	}
	if f.RulesHash == "" {
		return errors.New("rules_hash is empty: want the rule set's hash")
	}
	for i, p := range f.Pairs {
		for _, g := range []struct {
			army  string
			score *float64
		}{{"west", p.West}, {"east", p.East}} {
			if s := g.score; s != nil && *s != 0 && *s != 0.5 && *s != 1 {
				return fmt.Errorf("pairs[%d].%s is %v: want 0, 0.5, 1 or null", i, g.army, *s)
			}
		}
	}
	return nil
}

// Write writes the record into a match's folder, whole or not at all, and sets its version. What Read would
// refuse is an error.
func Write(dir string, f *File) error {
	f.Version = Version
	path := filepath.Join(dir, Name)
	if err := f.check(); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return files.WriteAtomic(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(f)
	})
}

// Read reads a record. Unknown keys, missing values and impossible scores are errors that name the file and
// the key.
func Read(path string) (*File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	f := &File{}
	if err := d.Decode(f); err != nil {
		return nil, fmt.Errorf("%s: not the record of a match: %s", path, plain(err))
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("%s: more text after the record; remove it", path)
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// plain says what is wrong with JSON without the decoder's jargon.
func plain(err error) string {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind):
		return fmt.Sprintf("%s is a %s", kind.Field, kind.Value)
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return "the file ends early"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// Find returns the paths of all records in a folder and the folders below it, sorted.
func Find(dir string) ([]string, error) {
	var paths []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() == Name {
			paths = append(paths, path)
		}
		return err
	})
	return paths, err
}
