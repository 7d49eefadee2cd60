package train

import (
	"fmt"
	"math"
)

// The optimisers.
const (
	AdamW = "adamw" // Loshchilov, Hutter 2019; beta .9 and .999
	SGD   = "sgd"   // with momentum
)

// The falls of the learning rate.
const (
	Cosine = "cosine"
	Linear = "linear"
)

// Config is how to learn. Every field has an effect on the weights.
type Config struct {
	Batch  int `yaml:"batch"`  // positions a step, a multiple of 16 for full speed
	Passes int `yaml:"passes"` // how often a position may be learned from, at most; 4 to 8
	Ramp   int `yaml:"ramp"`   // games in the window from which on passes count in full; fewer scale them down. 0: always in full

	Optimizer    string  `yaml:"optimizer"`     // "adamw" or "sgd"
	LearningRate float64 `yaml:"learning_rate"` // the highest: 1e-3 to 3e-3 for adamw, .02 to .2 for sgd
	WarmupSteps  int     `yaml:"warmup_steps"`  // steps, once a run, in which the rate rises from 0
	Schedule     string  `yaml:"schedule"`      // the fall after that: "cosine" or "linear"
	FinalRate    float64 `yaml:"final_rate"`    // what it falls to, as a fraction of learning_rate, 0 to 1
	Momentum     float64 `yaml:"momentum"`      // of sgd, [0,1)
	WeightDecay  float64 `yaml:"weight_decay"`  // a step takes learning rate * this off a weight; not off biases and batch norms
	ClipNorm     float64 `yaml:"clip_norm"`     // longest gradient, over all tensors together; above 0

	Average   float64 `yaml:"average"`    // decay of the averaged weights a step, [0,1); 0: the last weights
	BNBatches int     `yaml:"bn_batches"` // batches that the averaged weights' batch-norm statistics are estimated on

	ValueWeight float64 `yaml:"value_weight"` // factor of the value loss beside the policy loss
	Discount    float64 `yaml:"discount"`     // of a result, for each ply until the end, (0,1]; 1: none
	QWeight     float64 `yaml:"q_weight"`     // share of the search's value in the value target, [0,1]; the rest is the result

	HeldOut float64 `yaml:"held_out"` // share of the games that is measured and never learned from, [0,1)
}

// Validate names the first field that is out of range.
func (c *Config) Validate() error {
	unit := func(v float64) bool { return v >= 0 && v < 1 }
	for _, f := range []struct {
		ok   bool
		name string
		val  any
		want string
	}{
		{c.Batch >= 1 && c.Batch <= 1<<16, "batch", c.Batch, "1 to 65536"},
		{c.Passes >= 1 && c.Passes <= 100, "passes", c.Passes, "1 to 100"},
		{c.Ramp >= 0, "ramp", c.Ramp, "0 (always all passes) or more"},
		{c.Optimizer == AdamW || c.Optimizer == SGD, "optimizer", c.Optimizer, `"adamw" or "sgd"`},
		{c.LearningRate > 0 && c.LearningRate <= 10, "learning_rate", c.LearningRate, "above 0 and at most 10"},
		{c.WarmupSteps >= 0, "warmup_steps", c.WarmupSteps, "0 or more"},
		{c.Schedule == Cosine || c.Schedule == Linear, "schedule", c.Schedule, `"cosine" or "linear"`},
		{c.FinalRate >= 0 && c.FinalRate <= 1, "final_rate", c.FinalRate, "0 to 1"},
		{unit(c.Momentum), "momentum", c.Momentum, "at least 0 and below 1"},
		{c.WeightDecay >= 0 && c.LearningRate*c.WeightDecay < 1, "weight_decay", c.WeightDecay, "0 or more, and below 1/learning_rate"},
		{c.ClipNorm > 0, "clip_norm", c.ClipNorm, "above 0"},
		{unit(c.Average), "average", c.Average, "at least 0 and below 1"},
		{c.BNBatches >= 1, "bn_batches", c.BNBatches, "at least 1"},
		{c.ValueWeight >= 0 && c.ValueWeight <= 1000, "value_weight", c.ValueWeight, "0 to 1000"},
		{c.Discount > 0 && c.Discount <= 1, "discount", c.Discount, "above 0 and at most 1"},
		{c.QWeight >= 0 && c.QWeight <= 1, "q_weight", c.QWeight, "0 to 1"},
		{unit(c.HeldOut), "held_out", c.HeldOut, "at least 0 and below 1"},
	} {
		if !f.ok {
			return fmt.Errorf("train: %s is %v, want %s", f.name, f.val, f.want)
		}
	}
	return nil
}

// Draws returns how many samples new positions are good for, in a window of so many games: each is learned from Passes
// times before it leaves the window, and less often while the window has fewer games than Ramp. A value head learns
// a few games by heart.
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
