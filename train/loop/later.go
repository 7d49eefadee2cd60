package loop

import (
	"fmt"

	"synochess/internal/setting"
)

// Later changes settings on the way: what an entry names holds from one generation on, until another entry names it. The
// entries are in the order of their generations.
type Later struct {
	From        int     `yaml:"from" range:"[2,999999]" doc:"first generation for which the rest of the entry holds"`
	FullVisits  int     `yaml:"full_visits,omitempty" range:"[0,1000000]" doc:"selfplay.full_visits from then on; 0 or left out: as before"`
	CheapVisits int     `yaml:"cheap_visits,omitempty" range:"[0,1000000]" doc:"selfplay.cheap_visits from then on; 0 or left out: as before"`
	Average     float64 `yaml:"average,omitempty" range:"[0,1)" doc:"train.average from then on; 0 or left out: as before"`
}

// at returns the configuration as it holds for a generation, counted from 1.
func (c *Config) at(generation int) *Config {
	now := *c
	for _, l := range c.Later {
		if l.From > generation {
			break
		}
		if l.FullVisits > 0 {
			now.SelfPlay.FullVisits = l.FullVisits
		}
		if l.CheapVisits > 0 {
			now.SelfPlay.CheapVisits = l.CheapVisits
		}
		if l.Average > 0 {
			now.Train.Average = l.Average
		}
	}
	return &now
}

// checkLater names what the entries of Later cannot be, by themselves or with all that holds beside them.
func (c *Config) checkLater() error {
	for i, l := range c.Later {
		err := setting.Check(l)
		if err == nil && i > 0 && l.From <= c.Later[i-1].From {
			err = setting.Errorf("from", "is %d, and that of the entry before %d; list them in the order of generations", l.From, c.Later[i-1].From)
		}
		now := c.at(l.From)
		for _, check := range []func() error{now.SelfPlay.Validate, now.Train.Validate, now.checkTogether} {
			if err == nil {
				err = check()
			}
		}
		if err != nil {
			return setting.In(fmt.Sprintf("later[%d]", i), err)
		}
	}
	return nil
}
