package loop

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"synochess/datasets"
	"synochess/env"
	"synochess/internal/progress"
	"synochess/selfplay"
	"synochess/selfplay/matchfile"
	"synochess/selfplay/uciengine"
	"synochess/selfplay/uciengine/enginetest"
)

// The engine of the tests knows the race, and no other rule set of theirs.
func TestMain(m *testing.M) {
	enginetest.Main(m, func(variant string) (*env.Rules, error) {
		if variant == "race" {
			return env.ParseRules([]byte(raceRules), variant)
		}
		return nil, fmt.Errorf("no variant is called %q", variant)
	})
}

// withEngine is a loop whose only anchor match is against the engine of the tests, with faults.
func withEngine(t *testing.T, faults string) *Config {
	c := withAnchors(shortConfig(t))
	c.Anchor.Against, c.Anchor.Limit = []string{"uci:scripted"}, "depth=1"
	c.Anchor.Engines = map[string]uciengine.Config{"scripted": {Command: enginetest.Command(t, faults), Patience: 30 * time.Second}}
	return c
}

// An engine that crashes loses its games, which are kept as those of any match; the run goes on. Rule sets that it does
// not know are named.
func TestAnEngineThatCrashesIsAnAnchor(t *testing.T) {
	c := withEngine(t, "crash")
	c.Rules = append(c.Rules, selfplay.RuleEntry{Text: strings.Replace(raceRules, "name: race\n", "name: short\nno_progress_plies: 20\n", 1), Weight: 1})
	dir := t.TempDir()
	contains(t, runs(t, c, dir), `no anchor matches against uci:scripted in short: engine scripted: it does not know the variant "short"`,
		"race, generation 1 against scripted: 100.0%", "; forfeits: scripted as Eastern: crash 2, scripted as Western: crash 2")
	a, err := ReadAnchors(datasets.RunFolder(dir))
	if err != nil || len(a.Matches) != 1 {
		t.Fatalf("%d matches, %v", len(a.Matches), err)
	}
	m := &a.Matches[0]
	if m.Rules != "race" || m.Against != "uci:scripted" || m.Second != "scripted" || m.Tally.Limits != [2]string{"nodes=4", "depth=1"} ||
		!strings.HasPrefix(m.Opponent, "depth=1 Scripted 1 {") {
		t.Errorf("match: %+v", m)
	}
	stem := filepath.Join(dir, "anchors", "000001-scripted-"+m.ID)
	games, err := readAll(stem + ".parquet")
	if err != nil || len(games) != 4 {
		t.Fatalf("%d games, %v", len(games), err)
	}
	for _, g := range games {
		if g.Ending != datasets.Forfeit || !strings.HasPrefix(g.Note, "crash: it has ended after `go depth 1`") {
			t.Errorf("game %d ended by %s: %s", g.Number, g.Ending, g.Note)
		}
	}
	record, err := matchfile.Read(filepath.Join(stem, matchfile.Name))
	if err != nil {
		t.Fatal(err)
	}
	if e := record.Agents[1]; e.Name != "scripted" || e.Kind != "engine" || e.EvalID != "Scripted 1" || e.Limit != "depth=1" {
		t.Errorf("record of the engine: %+v", e)
	}
	// The run goes on without it, and holds what it needs to go on with it.
	saved, err := os.ReadFile(filepath.Join(dir, "config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(saved), "limit: depth=1", "command: "+c.Anchor.Engines["scripted"].Command)
}

// breaking makes the engine of the tests unable to start once a match with it begins.
type breaking struct{ progress.Reporter }

func (b breaking) Start(name string, total int64, unit string) progress.Task {
	if strings.HasSuffix(name, "against scripted") {
		os.Setenv(enginetest.Variable, "dead")
	}
	return b.Reporter.Start(name, total, unit)
}

// An engine that no longer starts costs the run its match, which is played to its end when the engine is mended.
func TestABrokenEngineDoesNotStopTheRun(t *testing.T) {
	c := withEngine(t, "")
	c.Anchor.Openings = 5 // as many games as an engine may fail in a row
	dir := t.TempDir()
	var out bytes.Buffer
	proof, err := Run(context.Background(), c, options(dir, 1, breaking{progress.NewLines(&out, time.Hour, time.Now)}))
	if err != nil || proof == nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	contains(t, out.String(), "warning: no anchor match of generation 1 against uci:scripted: game ", "engine scripted failed 10 times in a row")
	if a, err := ReadAnchors(datasets.RunFolder(dir)); err != nil || len(a.Matches) != 0 {
		t.Errorf("%d matches, %v", len(a.Matches), err)
	}
	os.Setenv(enginetest.Variable, "engine")
	contains(t, runs(t, c, dir), "race, generation 1 against scripted: ")
	if a, err := ReadAnchors(datasets.RunFolder(dir)); err != nil || len(a.Matches) != 1 || a.Matches[0].Tally.Games != 10 {
		t.Errorf("%+v, %v", a, err)
	}
}

// An engine that cannot play is an error before anything is made.
func TestAnEngineThatCannotPlayIsRefused(t *testing.T) {
	for faults, want := range map[string]string{
		"dead":      "it has ended (it says: no such library)",
		"miscounts": "it does not play by the rules of race: `go perft 3`",
	} {
		c, dir := withEngine(t, faults), t.TempDir()
		_, err := tries(c, dir)
		if err == nil || !strings.Contains(err.Error(), "anchor: against: no anchor matches against uci:scripted in race: engine scripted: ") ||
			!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "take it out of anchor.against") {
			t.Errorf("%s: error %v, want %q", faults, err, want)
		}
		if _, err := os.Stat(filepath.Join(dir, "config.yaml")); err == nil {
			t.Errorf("%s: the run has begun", faults)
		}
		if c.Anchor.Every = 0; faults == "dead" {
			runs(t, c, dir) // without matches there is no engine to start
		}
	}
}

func TestEngineConfig(t *testing.T) {
	for want, change := range map[string]func(*AnchorConfig){
		"limit is missing":                     func(c *AnchorConfig) { c.Limit = "" },
		`limit "depth": want nodes=800`:        func(c *AnchorConfig) { c.Limit = "depth" },
		"limit is movetime=5ms: by time":       func(c *AnchorConfig) { c.Limit = "movetime=5ms" },
		`against has "uci:": there is no comm`: func(c *AnchorConfig) { c.Against = []string{"uci:"} },
		`of one in engines (odd, other)`:       func(c *AnchorConfig) { c.Against = []string{`uci:"`} },
		"engines.odd.command is missing":       func(c *AnchorConfig) { c.Against = []string{"uci:odd"} },
		`the name "a/b" would name files`:      func(c *AnchorConfig) { c.Engines["a/b"], c.Against = c.Engines["other"], []string{"uci:a/b"} },
		"against has uci:engine -q twice":      func(c *AnchorConfig) { c.Against = append(c.Against, c.Against...) },
	} {
		c := withAnchors(smallConfig(t))
		c.Anchor.Against, c.Anchor.Limit = []string{"uci:engine -q"}, "nodes=10"
		c.Anchor.Engines = map[string]uciengine.Config{"odd": {}, "other": {Command: "x"}}
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		change(&c.Anchor)
		if err := c.Validate(); err == nil || !strings.HasPrefix(err.Error(), "anchor") || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
