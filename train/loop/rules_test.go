package loop

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synochess/datasets"
	"synochess/internal/progress"
	"synochess/selfplay"
)

// A run holds its rule sets: what becomes of the file that they came from does not matter. A run of an earlier
// version holds a path alone, and goes on only if the file says what it said.
func TestARunKeepsItsRules(t *testing.T) {
	c := shortConfig(t)
	dir := t.TempDir()
	runs(t, c, dir)
	path := c.Rules[0].Name
	saved, err := os.ReadFile(filepath.Join(dir, "config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(saved), "name: race", "campmate: true")

	edited := strings.Replace(raceRules, "faceoff: none", "faceoff: illegal", 1)
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(path, edited)
	c.Generations = 2
	refused(t, c, dir, "rules: ")

	// As an earlier version left it.
	if err := os.Remove(filepath.Join(dir, "history.yaml")); err != nil {
		t.Fatal(err)
	}
	at, to := strings.Index(string(saved), "    text: |"), strings.Index(string(saved), "    weight: 1")
	if at < 0 || to < at {
		t.Fatalf("config.yaml:\n%s", saved)
	}
	write(filepath.Join(dir, "config.yaml"), strings.Replace(string(saved[:at])+string(saved[to:]), "name: race", "name: "+path, 1))
	refused(t, c, dir, "a rules file has changed since")
	write(path, raceRules)
	runs(t, c, dir)
	legs, err := ReadHistory(datasets.RunFolder(dir))
	if err != nil || len(legs) != 2 || legs[0].KernelPath == "" {
		t.Errorf("history: %+v, %v", legs, err)
	}
	// From now on it holds them.
	write(path, edited)
	c.Rules = []selfplay.RuleEntry{{Text: raceRules, Weight: 1}}
	runs(t, c, dir)
}

// A first generation that was not trained on yet knows its rule set by its games.
func TestAnUnfinishedFirstGenerationKeepsItsRules(t *testing.T) {
	c := shortConfig(t)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Run(ctx, c, options(dir, 1, &interrupter{Reporter: progress.Silent(), left: 4, cancel: cancel}))
	cancel()
	if err == nil {
		t.Fatal("the run was not interrupted")
	}
	if err := os.Remove(filepath.Join(dir, "history.yaml")); err != nil {
		t.Fatal(err)
	}
	c.Rules = []selfplay.RuleEntry{{Text: strings.Replace(raceRules, "faceoff: none", "faceoff: illegal", 1), Weight: 1}}
	if said, err := tries(c, dir); err == nil || !strings.Contains(err.Error(), "a rules file has changed since") {
		t.Errorf("%v\n%s", err, said)
	}
}
