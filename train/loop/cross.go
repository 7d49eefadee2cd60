package loop

import (
	"fmt"

	"synochess/mcts"
)

// checkTogether names the first two settings of different sections that do not go together, whatever the
// configuration is used for.
func (c *Config) checkTogether() error {
	for _, v := range []struct {
		name   string
		visits int
	}{
		{"selfplay.full_visits", c.SelfPlay.FullVisits}, {"selfplay.cheap_visits", c.SelfPlay.CheapVisits},
		{"anchor.visits", c.Anchor.Visits}, {"proof.visits", c.Proof.Visits},
	} {
		if v.name == "anchor.visits" && c.Anchor.Every == 0 {
			continue // none are played
		}
		if err := c.Search.CheckVisits(v.visits); err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
	}
	if c.Search.Discount != c.Train.Discount {
		return fmt.Errorf("search.discount is %v and train.discount %v: the search and what the network learns from it must discount alike; set both to one",
			c.Search.Discount, c.Train.Discount)
	}
	return nil
}

// CheckSelfPlay says why games to learn from cannot be played: their searches draw noise at the root, and that is
// part of the Gumbel root. A match may use either algorithm.
func (c *Config) CheckSelfPlay() error {
	type visits struct {
		name   string
		visits int
	}
	all := []visits{{"selfplay.full_visits", c.SelfPlay.FullVisits}, {"selfplay.cheap_visits", c.SelfPlay.CheapVisits}}
	for i, l := range c.Later {
		all = append(all, visits{fmt.Sprintf("later[%d].full_visits", i), l.FullVisits}, visits{fmt.Sprintf("later[%d].cheap_visits", i), l.CheapVisits})
	}
	for _, v := range all {
		if c.Search.Algorithm(v.visits) == mcts.ModeGumbel {
			continue
		}
		if c.Search.Mode == mcts.ModeAuto {
			return fmt.Errorf("%s is %d and search.gumbel_up_to %d: above it search.mode auto means puct, and self-play needs the noise of a Gumbel root; raise gumbel_up_to to %d, or set search.mode to gumbel",
				v.name, v.visits, c.Search.GumbelUpTo, v.visits)
		}
		return fmt.Errorf("search.mode is %s: self-play needs the noise of a Gumbel root; use gumbel or auto", c.Search.Mode)
	}
	return nil
}
