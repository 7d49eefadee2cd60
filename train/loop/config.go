package loop

import (
	"fmt"
	"slices"

	"synochess/datasets"
	"synochess/internal/setting"
	"synochess/mcts"
	"synochess/net"
	"synochess/net/fast"
	"synochess/net/kernels"
	"synochess/selfplay"
	"synochess/train"
)

// Config is all that decides what a run computes. Together with the program version and the kernel path
// it fixes every game and every weight; what only decides how fast that happens is Machine.
type Config struct {
	Seed        uint64                `yaml:"seed"`
	Start       string                `yaml:"start"`                                // what LoadWeights reads, whose network a new run begins with, grown to Net; "": untrained
	Generations int                   `yaml:"generations" range:"[1,999999]"`       // turns of the loop
	Games       int                   `yaml:"games" range:"[1,1000000]"`            // self-play games of one generation
	Precision   fast.Precision        `yaml:"precision" oneof:"auto float32 int16"` // in which networks play
	Rules       []selfplay.RuleEntry  `yaml:"rules" required:""`                    // rule sets and how often each is played
	Net         net.Arch              `yaml:"net"`
	Search      mcts.Config           `yaml:"search"`
	SelfPlay    selfplay.Config       `yaml:"selfplay"`
	Window      datasets.WindowConfig `yaml:"window"`
	Train       train.Config          `yaml:"train"`
	Anchor      AnchorConfig          `yaml:"anchor"` // matches on the way
	Proof       selfplay.MatchConfig  `yaml:"proof"`  // the matches at the end
	Later       []Later               `yaml:"later"`  // settings that change on the way
}

// Machine is what a run may use of a machine. The number of workers and threads changes no result; games and weights
// repeat bit for bit on one kernel path.
type Machine struct {
	Kernels *kernels.Path // what networks play and learn on
	Workers int           // self-play and match goroutines
	Threads int           // goroutines of a training step
}

// settled returns the configuration with nothing in it that depends on where and when it is read: with the rule sets
// of all rules files, and the version of the inputs.
func (c *Config) settled() (*Config, error) {
	whole := *c
	whole.Net.EncodingVersion = c.Net.Complete().EncodingVersion
	whole.Rules = slices.Clone(c.Rules)
	for i, e := range c.Rules {
		var err error
		if whole.Rules[i], err = e.Whole("."); err != nil {
			return nil, fmt.Errorf("rules[%d].%w", i, err)
		}
	}
	return &whole, nil
}

// Validate names the fields that cannot be run with, of the first section that has any.
func (c *Config) Validate() error {
	if err := setting.Check(c); err != nil {
		return err
	}
	if err := c.Precision.Check(c.Net); err != nil {
		return err
	}
	if _, err := selfplay.NewRuleSource(c.Rules); err != nil {
		return err
	}
	for _, section := range []struct {
		name  string
		check func() error
	}{
		{"net", c.Net.CheckChoice}, {"search", c.Search.Validate}, {"selfplay", c.SelfPlay.Validate},
		{"window", c.Window.Validate}, {"train", c.Train.Validate}, {"anchor", c.Anchor.Validate}, {"proof", c.Proof.Validate},
	} {
		if err := section.check(); err != nil {
			return setting.In(section.name, err)
		}
	}
	if err := c.checkTogether(); err != nil {
		return err
	}
	return c.checkLater()
}
