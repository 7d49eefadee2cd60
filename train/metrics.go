package train

import "synochess/net/graph"

// Losses is what a network says of samples with known targets. Means are over the samples that have the
// target; with none they are 0.
type Losses struct {
	Samples        int     `json:"samples"`
	PolicySamples  int     `json:"policy_samples"`  // with a policy target
	ValueSamples   int     `json:"value_samples"`   // with a value target
	Policy         float64 `json:"policy_loss"`     // cross entropy, nats, weighted mean
	Value          float64 `json:"value_loss"`      // cross entropy, nats, weighted mean
	PolicyAccuracy float64 `json:"policy_accuracy"` // share whose likeliest move is the target's
	ValueAccuracy  float64 `json:"value_accuracy"`  // share whose likeliest result is the target's
	Entropy        float64 `json:"policy_entropy"`  // of the network's policy, nats
}

// Metrics is what a step measured, before it changed the weights.
type Metrics struct {
	Step         int     `json:"step"` // number of this step, 1 is the run's first
	LearningRate float64 `json:"learning_rate"`
	GradNorm     float64 `json:"grad_norm"` // before clipping
	Loss         float64 `json:"loss"`      // what is minimised
	Losses
}

// lossesOf divides a tally's sums by what was counted.
func lossesOf(t graph.Tally) Losses {
	mean := func(sum, n float64) float64 {
		if n == 0 {
			return 0
		}
		return sum / n
	}
	p, v := t.Policy, t.Value
	return Losses{
		Samples: t.Rows, PolicySamples: p.Rows, ValueSamples: v.Rows,
		Policy: mean(p.Loss, p.Weight), Value: mean(v.Loss, v.Weight),
		PolicyAccuracy: mean(float64(p.Hits), float64(p.Rows)),
		ValueAccuracy:  mean(float64(v.Hits), float64(v.Rows)),
		Entropy:        mean(p.Entropy, float64(p.Rows)),
	}
}
