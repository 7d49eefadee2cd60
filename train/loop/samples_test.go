package loop

import (
	"context"
	"path/filepath"
	"testing"

	"synochess/datasets"
	"synochess/env"
	"synochess/env/encode"
	"synochess/selfplay"
	"synochess/train"
)

// TestSamplesFromFilesAreThePositionsThatWerePlayed follows positions through everything between a game
// and the trainer: journal, Parquet, window, targets. The inputs of each sample, decoded, must be the
// position that the game's moves lead to by its own rule set, and its policy must belong to that position's moves.
func TestSamplesFromFilesAreThePositionsThatWerePlayed(t *testing.T) {
	c := smallConfig(t)
	c.Rules = []selfplay.RuleEntry{{Name: "moddable", Weight: 1}, {Name: "pychess", Weight: 1}, {Name: "moddable", Weight: 2, Vary: map[string][]any{
		"horse": {"blockable", "leaper"}, "cannon": {"xiangqi", "janggi"}, "no_progress_plies": {20, 21, 22, 23},
	}}}
	c.SelfPlay.PlyLimit = 40
	rules, err := selfplay.NewRuleSource(c.Rules)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	journal, _, err := datasets.OpenJournal(filepath.Join(dir, "j"))
	if err != nil {
		t.Fatal(err)
	}
	defer journal.Close()
	games := selfplay.Generation{Config: c.SelfPlay, Rules: rules, RunSeed: 4, Number: 1, Games: 24}
	keep := func(g *datasets.Game, _ int) error { _, err := journal.Append(g); return err }
	stamp := selfplay.Stamp{RunID: "r", Program: "test", KernelPath: "portable"}
	if err := selfplay.Play(context.Background(), []selfplay.Agent{selfplay.Greedy(c.Search)}, 2, 3, stamp, games.Tasks(), keep); err != nil {
		t.Fatal(err)
	}
	if _, err := datasets.Compact(journal, datasets.GenerationFile(dir, 1), "test"); err != nil {
		t.Fatal(err)
	}
	catalogue := datasets.NewCatalogue()
	if problems, err := catalogue.AddDir(dir); err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	window := catalogue.Window(1<<20, nil)
	n := window.MaxSamples(1)
	sampler, err := window.Sampler(1, n, 1)
	if err != nil {
		t.Fatal(err)
	}
	samples, _, err := train.NewStream(sampler, &c.Train, &datasets.RuleSets{}).Fill(nil, n)
	if err != nil {
		t.Fatal(err)
	}
	if len(samples) != n || n < 50 {
		t.Fatalf("%d samples of %d", len(samples), n)
	}
	drawn := map[uint64]bool{}
	for _, s := range samples {
		g, err := journal.Game(s.Game)
		if err != nil {
			t.Fatal(err)
		}
		r, err := env.ParseRules([]byte(g.Rules), "game")
		if err != nil {
			t.Fatal(err)
		}
		drawn[r.Hash()] = true
		var want env.Position
		_, err = g.Replay(r, func(game *env.Game, ply int) error {
			if ply == s.Ply {
				want = *game.Position()
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := encode.Decode(s.Row)
		if err != nil {
			t.Fatal(err)
		}
		if p.Hash() != want.Hash() || p.PlyCount() != want.PlyCount() || p.SideToMove() != want.SideToMove() {
			t.Fatalf("game %d ply %d: the sample is %s, the game stood at %s", s.Game, s.Ply, r.FEN(&p), r.FEN(&want))
		}
		policy := map[uint16]float32{}
		for _, a := range g.Plies[s.Ply].Actions {
			policy[encode.MoveIndex(a.Move)] = a.Policy
		}
		for i, index := range s.Moves {
			if d := policy[index] - s.Policy[i]; d > 1e-4 || d < -1e-4 {
				t.Fatalf("game %d ply %d: policy of index %d is %v, recorded %v", s.Game, s.Ply, index, s.Policy[i], policy[index])
			}
		}
	}
	if len(drawn) < 5 {
		t.Errorf("%d rule sets in 24 games", len(drawn))
	}
}
