package selfplay

import "synochess/internal/setting"

// Config says how the games of a generation are played.
type Config struct {
	Seats           int     `yaml:"seats" range:"[1,4096]"`           // games interleaved by one worker; the batch of one round
	FullVisits      int     `yaml:"full_visits" range:"[2,1000000]"`  // simulations of a search whose policy becomes a target
	CheapVisits     int     `yaml:"cheap_visits" range:"[1,1000000]"` // simulations of the others (playout caps: Wu 2019, KataGo)
	FullProbability float64 `yaml:"full_probability" range:"(0,1]"`   // share of full searches
	SampledPlies    int     `yaml:"sampled_plies" range:"[0,)"`       // first plies of a game, drawn from the improved policy
	ForkProbability float64 `yaml:"fork_probability" range:"[0,1)"`   // share of games that start from a position of the generation before
	// HandicapProbability is the share of the other games that start from a handicap (Handicaps).
	HandicapProbability float64 `yaml:"handicap_probability" range:"[0,1]"`
	PlyLimit            int     `yaml:"ply_limit" range:"[10,100000]"` // a longer game is cut: recorded as a cut, never as a draw

	// Soft endings instead of resignation: once the value at the root has been beyond SoftValue for
	// SoftPlies plies in a row, the rest of the game is played with cheap searches alone, and a full
	// search's targets carry SoftWeight. Nothing is adjudicated.
	SoftValue  float64 `yaml:"soft_value" range:"(0,1]"`  // |win - loss|; at 1 only a proven result is beyond it
	SoftPlies  int     `yaml:"soft_plies" range:"[1,)"`   // plies in a row
	SoftFull   float64 `yaml:"soft_full" range:"[0,1]"`   // share of full searches from then on
	SoftWeight float64 `yaml:"soft_weight" range:"[0,1]"` // sampling weight of their plies
}

// Validate names the fields that cannot be played with.
func (c *Config) Validate() error {
	if err := setting.Check(c); err != nil {
		return err
	}
	if c.CheapVisits > c.FullVisits {
		return setting.Errorf("cheap_visits", "is %d; use 1 to full_visits (%d)", c.CheapVisits, c.FullVisits)
	}
	return nil
}
