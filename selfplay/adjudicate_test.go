package selfplay

import (
	"context"
	"testing"

	"synochess/datasets"
	"synochess/env"
	"synochess/internal/eval"
)

// A verdict needs the whole row of searches; one that is less sure begins it anew, and plies without a search
// do not count.
func TestDrawVerdictByHand(t *testing.T) {
	v := DrawVerdict{Value: 0.9, Plies: 3}
	game := func(result env.Result, ending datasets.Ending, draws ...float32) *datasets.Game {
		g := &datasets.Game{Result: result, Ending: ending}
		for _, d := range draws {
			p := datasets.Ply{Search: datasets.CheapSearch, After: [3]float32{1 - d, d, 0}}
			if d < 0 {
				p = datasets.Ply{}
			}
			g.Plies = append(g.Plies, p)
		}
		return g
	}
	for _, c := range []struct {
		name       string
		game       *datasets.Game
		met, wrong bool
	}{
		{"drawn", game(env.Draw, datasets.ByRules, .95, .92, .99, .2), true, false},
		{"won", game(env.EasternWins, datasets.ByRules, .2, .95, .92, .99), true, true},
		{"interrupted row", game(env.WesternWins, datasets.ByRules, .95, .92, .89, .95, .95), false, false},
		{"a forced move between", game(env.WesternWins, datasets.ByRules, .95, .92, -1, .95), true, true},
		{"cut", game(env.Undecided, datasets.Cut, .95, .95, .95), false, false},
		{"adjudicated", game(env.Draw, datasets.Adjudicated, .95, .95, .95), false, false},
	} {
		if met, wrong := v.WouldBeDrawn(c.game); met != c.met || wrong != c.wrong {
			t.Errorf("%s: met %v, wrong %v; want %v, %v", c.name, met, wrong, c.met, c.wrong)
		}
	}
	never := DrawVerdict{Value: 1, Plies: 3}
	if met, _ := never.WouldBeDrawn(game(env.Draw, datasets.ByRules, 1, 1, 1)); met {
		t.Error("a value of 1 means never")
	}
}

// drawish holds every position for a draw.
type drawish struct{ eval.Evaluator }

func (drawish) Evaluate(b *eval.Batch) error {
	b.PrepareOutputs()
	for row := range b.Len() {
		copy(b.RowWDL(row), []float32{0.01, 0.98, 0.01})
	}
	return nil
}

// Games that are not spared end as soon as the verdict may fall, are stored as adjudicated draws that verify,
// and the others go on to an end of their own.
func TestDrawVerdictEndsGames(t *testing.T) {
	cfg := testConfig
	cfg.SampledPlies, cfg.Draws = 0, DrawVerdict{Value: 0.9, Plies: 4, PlayedOut: 0.3}
	agent := greedy()
	agent.NewEvaluator = func() (eval.Evaluator, error) { return drawish{NewMaterial()}, nil }
	g := Generation{Config: cfg, Rules: OnlyRules(mustRules(t, "moddable")), RunSeed: 5, Number: 1, Games: 40}
	adjudicated := 0
	record := func(game *datasets.Game, _ int) error {
		if err := datasets.NewVerifier().Check(game); err != nil {
			t.Error(err)
		}
		if game.Ending != datasets.Adjudicated {
			return nil
		}
		adjudicated++
		if game.Result != env.Draw || len(game.Plies) > 12 {
			t.Errorf("game %d: %v after %d plies", game.Number, game.Result, len(game.Plies))
		}
		return nil
	}
	if err := Play(context.Background(), []Agent{agent}, 1, 8, Stamp{RunID: "test"}, g.Tasks(), record); err != nil {
		t.Fatal(err)
	}
	if adjudicated < 20 || adjudicated > 36 {
		t.Errorf("%d of 40 games were adjudicated, some 28 expected", adjudicated)
	}
}
