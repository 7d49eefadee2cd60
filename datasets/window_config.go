package datasets

import (
	"synochess/internal/portable"
	"synochess/internal/setting"
)

// The shapes of a replay window.
const (
	WindowFraction = "fraction" // a fixed part of all positions
	WindowPower    = "power"    // grows ever more slowly (KataGo)
)

// WindowConfig says how many of the newest positions training draws from.
type WindowConfig struct {
	Mode         string  `yaml:"mode" oneof:"fraction power"` // WindowFraction or WindowPower
	MinPositions int     `yaml:"min_positions" range:"[1,)"`  // least size, and all there is while there is less
	Fraction     float64 `yaml:"fraction" range:"(0,1]"`      // mode fraction: part of all positions
	Slope        float64 `yaml:"slope" range:"(0,1]"`         // mode power: growth of the window when it begins to grow; KataGo .4
	Exponent     float64 `yaml:"exponent" range:"(0,1)"`      // mode power; KataGo .65
	Offset       int     `yaml:"offset" range:"[1,)"`         // mode power: positions after which growth slows down; for small runs 50,000
}

// Validate names the fields that are out of range.
func (c *WindowConfig) Validate() error { return setting.Check(c) }

// Size returns the window's size in positions, of total positions there are. Mode power is KataGo's
// min + slope * (x^e - o^e) / (e * o^(e-1)) with x = total - min + o; its derivative at x = o is slope.
func (c *WindowConfig) Size(total int) int {
	if total <= c.MinPositions {
		return c.MinPositions
	}
	if c.Mode == WindowFraction {
		return max(c.MinPositions, int(c.Fraction*float64(total)))
	}
	o, e := float64(c.Offset), c.Exponent
	x := float64(total-c.MinPositions) + o
	return c.MinPositions + int(float64(c.Slope*(power(x, e)-power(o, e)))/float64(e*power(o, e-1)))
}

// power is x^e for x > 0, the same on every machine.
func power(x, e float64) float64 { return portable.Exp(float64(e * portable.Log(x))) }
