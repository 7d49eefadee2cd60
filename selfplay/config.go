package selfplay

import "fmt"

// Config says how the games of a generation are played.
type Config struct {
	Seats           int     `yaml:"seats"`            // games interleaved by one worker; the batch of one round
	FullVisits      int     `yaml:"full_visits"`      // simulations of a search whose policy becomes a target
	CheapVisits     int     `yaml:"cheap_visits"`     // simulations of the others (playout caps: Wu 2019, KataGo)
	FullProbability float64 `yaml:"full_probability"` // share of full searches, (0,1]
	SampledPlies    int     `yaml:"sampled_plies"`    // first plies of a game, drawn from the improved policy
	ForkProbability float64 `yaml:"fork_probability"` // share of games that start from a position of the generation before
	// HandicapProbability is the share of the other games that start from a handicap (Handicaps).
	HandicapProbability float64 `yaml:"handicap_probability"`
	PlyLimit            int     `yaml:"ply_limit"` // a longer game is cut: recorded as a cut, never as a draw

	// Soft endings instead of resignation: once the value at the root has been beyond SoftValue for
	// SoftPlies plies in a row, the rest of the game is played with cheap searches alone, and a full
	// search's targets carry SoftWeight. Nothing is adjudicated.
	SoftValue  float64 `yaml:"soft_value"`  // |win - loss| in (0,1]; at 1 only a proven result is beyond it
	SoftPlies  int     `yaml:"soft_plies"`  // plies in a row, at least 1
	SoftFull   float64 `yaml:"soft_full"`   // share of full searches from then on, [0,1]
	SoftWeight float64 `yaml:"soft_weight"` // sampling weight of their plies, [0,1]
}

// Validate names the first field that cannot be played with.
func (c *Config) Validate() error {
	switch {
	case c.Seats < 1 || c.Seats > 4096:
		return fmt.Errorf("seats is %d; use 1 to 4096", c.Seats)
	case c.FullVisits < 2 || c.FullVisits > 1_000_000:
		return fmt.Errorf("full_visits is %d; use 2 to 1000000", c.FullVisits)
	case c.CheapVisits < 1 || c.CheapVisits > c.FullVisits:
		return fmt.Errorf("cheap_visits is %d; use 1 to full_visits (%d)", c.CheapVisits, c.FullVisits)
	case !(c.FullProbability > 0 && c.FullProbability <= 1):
		return fmt.Errorf("full_probability is %v; use a number above 0, at most 1", c.FullProbability)
	case c.SampledPlies < 0:
		return fmt.Errorf("sampled_plies is %d; use 0 or more", c.SampledPlies)
	case !(c.ForkProbability >= 0 && c.ForkProbability < 1):
		return fmt.Errorf("fork_probability is %v; use 0 up to, not including, 1", c.ForkProbability)
	case !(c.HandicapProbability >= 0 && c.HandicapProbability <= 1):
		return fmt.Errorf("handicap_probability is %v; use 0 to 1", c.HandicapProbability)
	case c.PlyLimit < 10 || c.PlyLimit > 100_000:
		return fmt.Errorf("ply_limit is %d; use 10 to 100000", c.PlyLimit)
	case !(c.SoftValue > 0 && c.SoftValue <= 1):
		return fmt.Errorf("soft_value is %v; use a number above 0, at most 1 (1: never)", c.SoftValue)
	case c.SoftPlies < 1:
		return fmt.Errorf("soft_plies is %d; use 1 or more", c.SoftPlies)
	case !(c.SoftFull >= 0 && c.SoftFull <= 1):
		return fmt.Errorf("soft_full is %v; use 0 to 1", c.SoftFull)
	case !(c.SoftWeight >= 0 && c.SoftWeight <= 1):
		return fmt.Errorf("soft_weight is %v; use 0 to 1", c.SoftWeight)
	}
	return nil
}
