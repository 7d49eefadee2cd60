package train

import (
	"math"

	"synochess/internal/setting"
)

// The optimisers.
const (
	AdamW = "adamw" // Loshchilov, Hutter 2019; beta .9 and .999
	SGD   = "sgd"   // with momentum
)

// How the learning rate falls.
const (
	Cosine = "cosine"
	Linear = "linear"
)

// Config is how to learn. Every field has an effect on the weights.
type Config struct {
	Batch  int `yaml:"batch" range:"[1,65536]"` // positions a step, a multiple of 16 for full speed
	Passes int `yaml:"passes" range:"[1,100]"`  // how often a position may be learned from, at most; 4 to 8
	Ramp   int `yaml:"ramp" range:"[0,)"`       // games in the window from which on passes count in full; fewer scale them down. 0: always in full

	Optimizer    string  `yaml:"optimizer" oneof:"adamw sgd"`    // AdamW or SGD
	LearningRate float64 `yaml:"learning_rate" range:"(0,10]"`   // the highest: 1e-3 to 3e-3 for adamw, .02 to .2 for sgd
	WarmupSteps  int     `yaml:"warmup_steps" range:"[0,)"`      // steps, once a run, in which the rate rises from 0
	Schedule     string  `yaml:"schedule" oneof:"linear cosine"` // the fall after that: Cosine or Linear
	FinalRate    float64 `yaml:"final_rate" range:"[0,1]"`       // what it falls to, as a fraction of learning_rate
	Momentum     float64 `yaml:"momentum" range:"[0,1)"`         // of SGD
	WeightDecay  float64 `yaml:"weight_decay" range:"[0,)"`      // a step takes learning rate * this off a weight; not off biases and batch norms
	ClipNorm     float64 `yaml:"clip_norm" range:"(0,)"`         // longest gradient, over all tensors together

	Average   float64 `yaml:"average" range:"[0,1)"`   // decay of the averaged weights a step; 0: the last weights
	BNBatches int     `yaml:"bn_batches" range:"[1,)"` // batches that the averaged weights' batch-norm statistics are estimated on

	ValueWeight float64 `yaml:"value_weight" range:"[0,1000]"` // factor of the value loss beside the policy loss
	Discount    float64 `yaml:"discount" range:"(0,1]"`        // of a result, for each ply until the end; 1: none
	QWeight     float64 `yaml:"q_weight" range:"[0,1]"`        // share of the search's value in the value target; the rest is the result

	HeldOut float64 `yaml:"held_out" range:"[0,1)"` // share of the games that is measured and never learned from
}

// Validate names the fields that are out of range.
func (c *Config) Validate() error {
	if err := setting.Check(c); err != nil {
		return err
	}
	if !(c.LearningRate*c.WeightDecay < 1) {
		return setting.Errorf("weight_decay", "is %v; use 0 or more, and less than 1/learning_rate (%v)", c.WeightDecay, 1/c.LearningRate)
	}
	return nil
}

// Draws returns how many samples to draw from a window of so many games when so many positions are new in it. In the end each
// position is learned from Passes times, and less often while the window has fewer games than Ramp, because a value head
// learns a few games by heart.
func (c *Config) Draws(positions, games int) int {
	draws := c.Passes * positions
	if games < c.Ramp {
		draws = draws * games / c.Ramp
	}
	return draws
}

// Rate returns the learning rate of a step (0 is the run's first). progress is the part of the run's
// training that is done, from 0 to 1; it must come from counts, never from a clock.
func (c *Config) Rate(step int, progress float64) float64 {
	progress = min(max(progress, 0), 1)
	left := 1 - progress
	if c.Schedule == Cosine {
		left = (1 + math.Cos(math.Pi*progress)) / 2
	}
	rate := c.LearningRate * (c.FinalRate + float64((1-c.FinalRate)*left))
	if step < c.WarmupSteps {
		rate *= float64(step+1) / float64(c.WarmupSteps)
	}
	return rate
}
