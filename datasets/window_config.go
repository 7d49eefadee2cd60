package datasets

import (
	"fmt"

	"synochess/internal/portable"
)

// The shapes of a replay window.
const (
	WindowFraction = "fraction" // a fixed part of all positions
	WindowPower    = "power"    // grows ever more slowly (KataGo)
)

// WindowConfig says how many of the newest positions training draws from.
type WindowConfig struct {
	Mode         string  `yaml:"mode"`          // "fraction" or "power"
	MinPositions int     `yaml:"min_positions"` // least size, and all there is while there is less
	Fraction     float64 `yaml:"fraction"`      // mode fraction: part of all positions, (0,1]
	Slope        float64 `yaml:"slope"`         // mode power: growth of the window when it begins to grow, (0,1]; KataGo .4
	Exponent     float64 `yaml:"exponent"`      // mode power: (0,1); KataGo .65
	Offset       int     `yaml:"offset"`        // mode power: positions after which growth slows down; for small runs 50,000
}

// Validate names the first field that is out of range.
func (c *WindowConfig) Validate() error {
	switch {
	case c.Mode != WindowFraction && c.Mode != WindowPower:
		return fmt.Errorf("mode is %q, want %q or %q", c.Mode, WindowFraction, WindowPower)
	case c.MinPositions < 1:
		return fmt.Errorf("min_positions is %d, want at least 1", c.MinPositions)
	case !(c.Fraction > 0 && c.Fraction <= 1):
		return fmt.Errorf("fraction is %v, want more than 0 and at most 1", c.Fraction)
	case !(c.Slope > 0 && c.Slope <= 1):
		return fmt.Errorf("slope is %v, want more than 0 and at most 1", c.Slope)
	case !(c.Exponent > 0 && c.Exponent < 1):
		return fmt.Errorf("exponent is %v, want between 0 and 1", c.Exponent)
	case c.Offset < 1:
		return fmt.Errorf("offset is %d, want at least 1", c.Offset)
	}
	return nil
}

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
