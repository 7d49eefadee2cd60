package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"synochess/internal/files"
	"synochess/internal/stats"
	"synochess/selfplay/matchfile"
)

func newRate() *cobra.Command {
	var anchor, picture string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "rate FOLDER",
		Short: "Put all agents of stored matches on one scale",
		Long: "Reads every match.json in FOLDER and the folders below it, as `match` and `train` write them. It gives a\n" +
			"rating to each agent, and an advantage of the Western army to each rule set and kind of openings, all with\n" +
			"95% intervals. One agent is one name, one set of weights and one limit on its moves. The anchor's rating\n" +
			"is 0. An agent that no chain of games joins to the anchor gets no rating. If an agent won or lost every\n" +
			"game, its results bound the rating on one side only; its number is then marked as a bound.",
		Example: "  synochess rate matches\n  synochess rate matches --anchor greedy --picture ratings.svg",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if picture == "" {
				picture = filepath.Join(args[0], "ratings.png")
			}
			format := strings.TrimPrefix(filepath.Ext(picture), ".")
			if format != "png" && format != "svg" {
				return misused(fmt.Errorf("--picture %s: want a name that ends in .png or .svg", picture))
			}
			r, err := readRating(args[0])
			if err != nil {
				return err
			}
			if err := r.fit(anchor); err != nil {
				return err
			}
			chart := r.chart()
			if err := files.WriteAtomic(picture, func(w io.Writer) error { return chart.Write(w, format) }); err != nil {
				return err
			}
			if asJSON {
				e := json.NewEncoder(cmd.OutOrStdout())
				e.SetIndent("", " ")
				return e.Encode(r)
			}
			if err := r.writeText(cmd.OutOrStdout()); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "picture: %s\n", picture)
			return err
		},
	}
	cmd.Flags().StringVar(&anchor, "anchor", "", "agent whose rating is 0 (default: the one with most games)")
	cmd.Flags().StringVar(&picture, "picture", "", "where to draw the ratings, .png or .svg (default: ratings.png in FOLDER)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON instead of tables")
	return cmd
}

// rating is what `rate` prints, in JSON as it stands.
type rating struct {
	Anchor  string       `json:"anchor"`
	Agents  []ratedAgent `json:"agents"` // best first, then those without a rating
	Armies  []ratedRules `json:"armies"`
	Matches []ratedMatch `json:"matches"`
	files   []*matchfile.File
}

// ratedAgent is an agent with its rating, in which it goes by its label.
type ratedAgent struct {
	matchfile.Agent
	stats.Rating
}

// ratedRules is the Western army's advantage in one rule set with one kind of openings.
type ratedRules struct {
	Rules     string  `json:"rules"`
	RulesHash string  `json:"rules_hash"`
	Openings  string  `json:"openings"` // their kind, however many
	Elo       float64 `json:"elo"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
}

// ratedMatch is a match that the ratings are fitted to.
type ratedMatch struct {
	Path       string           `json:"path"`
	Agents     [2]string        `json:"agents"` // labels
	Finished   bool             `json:"finished"`
	LeftOut    bool             `json:"left_out"`   // no results with both armies: it tells nothing of the agents
	Difference stats.Difference `json:"difference"` // of this match alone
}

// readRating reads the records of all matches in a folder.
func readRating(dir string) (*rating, error) {
	paths, err := matchfile.Find(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, misused(fmt.Errorf("%s: no such folder; want one that matches were kept in", dir))
	}
	if err != nil {
		return nil, misused(err)
	}
	if len(paths) == 0 {
		return nil, misused(fmt.Errorf("%s: no %s in it or below it; `synochess match A B --out %s` plays a match that is kept",
			dir, matchfile.Name, filepath.Join(dir, "a-b")))
	}
	r := &rating{}
	for _, path := range paths {
		f, err := matchfile.Read(path)
		if err != nil {
			return nil, err
		}
		r.files = append(r.files, f)
		r.Matches = append(r.Matches, ratedMatch{Path: path, Finished: !f.Finished.IsZero(), Difference: stats.FitDifference(f.Stats())})
	}
	return r, nil
}

// fit fills in everything but the matches' own differences.
func (r *rating) fit(anchor string) error {
	agents, labels := agentLabels(r.files)
	rules, games := map[string]*matchfile.File{}, map[string]int{}
	var contests []stats.Contest
	for i, f := range r.files {
		first, second := f.Agents[0].ID(), f.Agents[1].ID()
		c := stats.Contest{First: first, Second: second, Rules: f.RulesHash + "\x00" + f.OpeningsKind(), Pairs: f.Stats()}
		contests = append(contests, c)
		rules[c.Rules] = f
		games[first] += r.Matches[i].Difference.Games
		games[second] += r.Matches[i].Difference.Games
		r.Matches[i].Agents = [2]string{labels[first], labels[second]}
	}
	id, err := chooseAnchor(anchor, agents, labels, games)
	if err != nil {
		return misused(err)
	}
	r.Anchor = labels[id]
	scale, err := stats.FitScale(contests, id)
	if err != nil {
		return err
	}
	for _, i := range scale.LeftOut {
		r.Matches[i].LeftOut = true
	}
	for _, x := range scale.Ratings {
		agent := agents[x.Agent]
		x.Agent = labels[x.Agent]
		r.Agents = append(r.Agents, ratedAgent{agent, x})
	}
	for _, a := range scale.Armies {
		f := rules[a.Rules]
		r.Armies = append(r.Armies, ratedRules{f.Rules, f.RulesHash, f.OpeningsKind(), a.Elo, a.Low, a.High})
	}
	return nil
}

// chooseAnchor returns the ID of the agent that was asked for, by label or by a name that is the only one,
// or of the one with most games.
func chooseAnchor(asked string, agents map[string]matchfile.Agent, labels map[string]string, games map[string]int) (string, error) {
	ids := slices.SortedFunc(maps.Keys(agents), func(a, b string) int { return cmp.Compare(labels[a], labels[b]) })
	most := ids[0]
	var all, found []string
	for _, id := range ids {
		all = append(all, labels[id])
		if labels[id] == asked {
			return id, nil
		}
		if agents[id].Name == asked {
			found = append(found, id)
		}
		if games[id] > games[most] {
			most = id
		}
	}
	switch {
	case asked == "":
		return most, nil
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return "", fmt.Errorf("--anchor %s: there are %d agents of that name; name one of %s", asked, len(found), quoted(all))
	}
	return "", fmt.Errorf("--anchor %s: no such agent; there are %s", asked, quoted(all))
}
