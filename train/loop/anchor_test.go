package loop

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synochess/datasets"
	"synochess/internal/progress"
	"synochess/net"
	"synochess/selfplay"
	"synochess/selfplay/matchfile"
)

func withAnchors(c *Config) *Config {
	c.Anchor = AnchorConfig{
		Every: 1, Against: []string{AgainstGreedy, AgainstEarlier}, Earlier: 1,
		MatchConfig: selfplay.MatchConfig{Openings: 2, Plies: 2, Visits: 4, Seed: 9, Seats: 2},
	}
	return c
}

// Of generations whose matches are all kept the weights need not be there any more; of others that is said.
func TestAnchorMatchesKeptWithoutWeights(t *testing.T) {
	c := withAnchors(shortConfig(t))
	c.Generations = 2
	dir := t.TempDir()
	runs(t, c, dir)
	if err := os.Remove(filepath.Join(dir, "weights", "000001.weights")); err != nil {
		t.Fatal(err)
	}
	c.Generations = 3
	if said := runs(t, c, dir); strings.Contains(said, "warning: no anchor") {
		t.Errorf("it says\n%s", said)
	}
	if err := os.Remove(filepath.Join(dir, "anchors.json")); err != nil {
		t.Fatal(err)
	}
	contains(t, runs(t, c, dir), "warning: no anchor matches of generation 1")
}

// Anchor matches are played in each rule set, once, with the networks that they name, and change nothing else of the
// run; interrupted, they end the same.
func TestAnchorMatches(t *testing.T) {
	c := shortConfig(t)
	c.Generations = 2
	c.Rules = append(c.Rules, selfplay.RuleEntry{Text: strings.Replace(raceRules, "name: race\n", "name: short\nno_progress_plies: 20\n", 1), Weight: 1})
	plain, alone, stopped := t.TempDir(), t.TempDir(), t.TempDir()
	runs(t, c, plain)
	withAnchors(c)
	runs(t, c, alone)
	learned := func(dir string) string { // the run's name is another, since its configuration is
		text, err := os.ReadFile(filepath.Join(dir, "checkpoints", "000002.ckpt"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if learned(alone) != learned(plain) {
		t.Error("with anchor matches something else is learned")
	}
	for after := 1; ; after += 15 {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := Run(ctx, c, options(stopped, 1+after%2, &interrupter{Reporter: progress.Silent(), left: after, cancel: cancel}))
		cancel()
		if err == nil {
			break
		}
		if ctx.Err() == nil {
			t.Fatal(err)
		}
	}
	want := anchorsFile(t, alone)
	if got := anchorsFile(t, stopped); got != want {
		t.Errorf("interrupted, the run holds\n%s\nwant\n%s", got, want)
	}
	// A run that had none so far gets all of them, the same but for the run's name.
	runs(t, c, plain)
	if got := anchorsFile(t, plain); got != want {
		t.Errorf("played later\n%s\nwant\n%s", got, want)
	}

	a, err := ReadAnchors(datasets.RunFolder(alone))
	if err != nil || len(a.Matches) != 8 {
		t.Fatalf("%d matches, %v", len(a.Matches), err)
	}
	var list []string
	for _, m := range a.Matches {
		list = append(list, m.Rules+" "+m.First+" "+m.Second)
	}
	if got, want := strings.Join(list[:4], ", ")+", "+list[7], "race generation-1 greedy, race generation-1 generation-0, "+
		"short generation-1 greedy, short generation-1 generation-0, short generation-2 generation-1"; got != want {
		t.Errorf("matches: %s\nwant %s", got, want)
	}
	var ids []string
	for _, generation := range []string{"000002", "000001"} {
		w, err := net.Load(filepath.Join(alone, "weights", generation+".weights"))
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, w.EvalID())
	}
	games, err := readAll(filepath.Join(alone, "anchors", "000002-earlier-"+a.Matches[5].ID+".parquet"))
	if err != nil || len(games) != 4 {
		t.Fatalf("%d games, %v", len(games), err)
	}
	for _, g := range games {
		if agents := [2]string{g.Agents[0].EvalID, g.Agents[1].EvalID}; g.Purpose != datasets.Match || agents != [2]string(ids) && agents != [2]string{ids[1], ids[0]} {
			t.Errorf("game %d is for %v, between %v, want %v", g.Number, g.Purpose, agents, ids)
		}
	}

	// Each match has a record that ratings are fitted to, in which networks go by their generation.
	found, err := matchfile.Find(filepath.Join(alone, "anchors"))
	if err != nil || len(found) != 8 {
		t.Fatalf("%d records, %v", len(found), err)
	}
	record, err := matchfile.Read(filepath.Join(alone, "anchors", "000002-earlier-"+a.Matches[5].ID, matchfile.Name))
	if err != nil {
		t.Fatal(err)
	}
	if record.Agents[0].Name != "generation-2" || record.Agents[1].Name != "generation-1" || record.Agents[0].EvalID != ids[0] ||
		record.Agents[0].Kind != "network" || record.Agents[0].Limit != "nodes=4" || record.Finished.IsZero() {
		t.Errorf("record: %+v", record)
	}
	score, n := 0.0, 0
	for _, p := range record.Stats() {
		score, n = score+p.West+p.East, n+2
	}
	if got := a.Matches[5].Score.Estimate; n != 4 || score/4 != got || a.Matches[5].Difference.Games != 4 {
		t.Errorf("the record has a score of %v in %d games, the match %v", score/4, n, got)
	}

	// Other settings are for the generations to come; those that passed keep their matches.
	c.Anchor.Visits, c.Anchor.Against = 2, []string{AgainstEarlier, AgainstGreedy}
	said := runs(t, c, alone)
	contains(t, said, "going on with anchor.visits: 4 -> 2")
	if got := anchorsFile(t, alone); got != want || strings.Contains(said, ", generation ") {
		t.Errorf("with other settings\n%s\nwant\n%s\n%s", got, want, said)
	}
	c.Generations = 3
	runs(t, c, alone)
	if a, err = ReadAnchors(datasets.RunFolder(alone)); err != nil || len(a.Matches) != 12 || a.Matches[7].Visits != 4 || a.Matches[8].Visits != 2 {
		t.Fatalf("%d matches, %v", len(a.Matches), err)
	}
	if then, now := &a.Matches[6], &a.Matches[11]; then.Against != AgainstGreedy || then.Rules != now.Rules || now.Against != AgainstGreedy ||
		now.Continues(then) || !a.Matches[6].Continues(&a.Matches[2]) {
		t.Errorf("curves mix budgets: %+v, %+v", then, now)
	}
	// A match that is gone is made up for only if it was one of today's settings.
	a.Matches = a.Matches[1:11]
	if err := writeJSON(datasets.RunFolder(alone).AnchorResults(), a); err != nil {
		t.Fatal(err)
	}
	said = runs(t, c, alone)
	contains(t, said, "short, generation 3 against greedy: ")
	if strings.Contains(said, "generation 1 against") || strings.Contains(said, "race, generation 3") {
		t.Errorf("played again:\n%s", said)
	}
	if err := os.WriteFile(filepath.Join(alone, "anchors.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := tries(c, alone); err == nil || !strings.Contains(err.Error(), "anchors.json") {
		t.Errorf("a torn anchors.json: %v", err)
	}
}

// A run whose earlier networks are gone goes on without the matches that need them.
func TestAnchorMatchesWithoutEarlierNetworks(t *testing.T) {
	c := withAnchors(shortConfig(t))
	c.Generations, c.Anchor.Earlier, c.Anchor.Openings, c.Anchor.Visits = 2, 2, 1, 2
	dir := t.TempDir()
	runs(t, c, dir)
	if err := os.Remove(filepath.Join(dir, "weights", "000001.weights")); err != nil {
		t.Fatal(err)
	}
	c.Generations = 3
	contains(t, runs(t, c, dir), "no anchor match of generation 3 against earlier: ", "race, generation 3 against greedy: ")
	// A damaged record says what to do.
	records, err := filepath.Glob(filepath.Join(dir, "proof", "*", matchfile.Name))
	if err != nil || len(records) != 4 {
		t.Fatal(records, err)
	}
	for _, path := range records {
		f, err := matchfile.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range f.Agents {
			if want := map[bool]string{true: "", false: "nodes=8"}[a.Kind == "random"]; a.Limit != want {
				t.Errorf("%s has the limit %q, want %q", a.Name, a.Limit, want)
			}
		}
	}
	if err := os.WriteFile(records[0], []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := tries(c, dir); err == nil || !strings.Contains(err.Error(), records[0]+": version is 0") || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("a damaged record: %v", err)
	}
}

func anchorsFile(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "anchors.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(withoutEvaluations(text))
}

func TestAnchorConfig(t *testing.T) {
	for want, change := range map[string]func(*AnchorConfig){
		"every is -1":          func(c *AnchorConfig) { c.Every = -1 },
		"against is empty":     func(c *AnchorConfig) { c.Against = nil },
		`against[0] is "nero"`: func(c *AnchorConfig) { c.Against = []string{"nero"} },
		"against has greedy":   func(c *AnchorConfig) { c.Against = []string{"greedy", "greedy"} },
		"earlier is 0":         func(c *AnchorConfig) { c.Earlier = 0 },
		"visits is 0":          func(c *AnchorConfig) { c.Visits = 0 },
		"openings is 1000000":  func(c *AnchorConfig) { c.Openings = 1000000 },
	} {
		c := withAnchors(smallConfig(t))
		change(&c.Anchor)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "anchor."+want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if c.Anchor.Every = 0; c.Validate() != nil {
			t.Errorf("no anchor matches: %v", c.Validate())
		}
	}
}
