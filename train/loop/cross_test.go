package loop

import (
	"strings"
	"testing"

	"synochess/datasets"
	"synochess/mcts"
	"synochess/net"
	"synochess/net/fast"
	"synochess/selfplay"
)

// Settings of different sections that do not go together are an error at once, which names both.
func TestSectionsGoTogether(t *testing.T) {
	valid := func() *Config {
		return &Config{
			Generations: 1, Games: 1, Precision: fast.Auto, Rules: []selfplay.RuleEntry{{Name: "moddable", Weight: 1}},
			Net: net.Arch{Blocks: 1, Width: 8, ValueChannels: 2, ValueHidden: 8}, Search: mcts.ReferenceConfig(),
			SelfPlay: selfplay.Config{
				Seats: 1, FullVisits: 64, CheapVisits: 16, FullProbability: 0.25, PlyLimit: 100, SoftValue: 1, SoftPlies: 1,
			},
			Window: datasets.WindowConfig{}, Train: trainConfig(),
			Proof: selfplay.MatchConfig{Openings: 1, Visits: 64, Seats: 1},
		}
	}
	together := func(c *Config) error { return c.checkTogether() }
	play := func(c *Config) error { return c.CheckSelfPlay() }
	for _, c := range []struct {
		name   string
		change func(c *Config)
		check  func(c *Config) error
		want   string // "" for none
	}{
		{"as it is", func(*Config) {}, together, ""},
		{"as it is", func(*Config) {}, play, ""},
		{"a tree that just fits", func(c *Config) { c.Search.MaxNodes = 65 }, together, ""},
		{"full searches", func(c *Config) { c.Search.MaxNodes = 64 }, together, "selfplay.full_visits: 64 visits do not fit in a tree of search.max_nodes (64): take fewer, or raise search.max_nodes to 65"},
		{"matches", func(c *Config) { c.Proof.Visits = 400_000 }, together, "proof.visits: 400000 visits do not fit"},
		{"anchor matches", func(c *Config) { c.Anchor.Every, c.Anchor.Visits = 1, 400_000 }, together, "anchor.visits: 400000 visits do not fit"},
		{"no anchor matches", func(c *Config) { c.Anchor.Visits = 400_000 }, together, ""},
		{"discounts", func(c *Config) { c.Search.Discount = 1 }, together, "search.discount is 1 and train.discount 0.995"},
		{"a match by PUCT", func(c *Config) { c.Search.Mode = mcts.ModePUCT }, together, ""},
		{"at the limit of auto", func(c *Config) { c.SelfPlay.FullVisits = 400 }, play, ""},
		{"above the limit of auto", func(c *Config) { c.SelfPlay.FullVisits = 401 }, play, "selfplay.full_visits is 401 and search.gumbel_up_to 400"},
		{"above it, but not auto", func(c *Config) { c.SelfPlay.FullVisits, c.Search.Mode = 401, mcts.ModeGumbel }, play, ""},
		{"self-play by PUCT", func(c *Config) { c.Search.Mode = mcts.ModePUCT }, play, "search.mode is puct"},
	} {
		cfg := valid()
		c.change(cfg)
		err := c.check(cfg)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}
