package datasets

import (
	"fmt"
	"strings"
	"testing"
)

// fractionWindow is half of all positions, and 20,000 at least.
func fractionWindow() WindowConfig {
	return WindowConfig{Mode: WindowFraction, MinPositions: 20000, Fraction: 0.5, Slope: 0.4, Exponent: 0.65, Offset: 50000}
}

func TestWindowSize(t *testing.T) {
	fraction := fractionWindow()
	kata := fraction
	kata.Mode, kata.MinPositions, kata.Offset = WindowPower, 100000, 50000
	for _, c := range []struct {
		cfg         WindowConfig
		total, want int
	}{
		{fraction, 0, 20000},
		{fraction, 40000, 20000},
		{fraction, 100001, 50000},
		{kata, 100000, 100000},
		// x = 150,000: .4 * (150000^.65 - 50000^.65) / (.65 * 50000^-.35)
		//  = .4 * 50000 / .65 * (3^.65 - 1) = 30769.23 * 1.0423436 = 32072.1
		{kata, 200000, 132072},
	} {
		if err := c.cfg.Validate(); err != nil {
			t.Error(err)
		}
		if got := c.cfg.Size(c.total); got != c.want {
			t.Errorf("%s: size of %d positions is %d, want %d", c.cfg.Mode, c.total, got, c.want)
		}
	}
	for field, change := range map[string]func(*WindowConfig){
		"mode":          func(c *WindowConfig) { c.Mode = "half" },
		"min_positions": func(c *WindowConfig) { c.MinPositions = 0 },
		"fraction":      func(c *WindowConfig) { c.Fraction = 1.5 },
		"slope":         func(c *WindowConfig) { c.Slope = 0 },
		"exponent":      func(c *WindowConfig) { c.Exponent = 1 },
		"offset":        func(c *WindowConfig) { c.Offset = 0 },
	} {
		cfg := fractionWindow()
		change(&cfg)
		if err := cfg.Validate(); err == nil || !strings.Contains(fmt.Sprint(err), field) {
			t.Errorf("%s: error %v", field, err)
		}
	}
}
