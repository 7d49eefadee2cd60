package kernels

import (
	"strings"
	"testing"
)

// A path is chosen by the name of either arithmetic, and quantised networks then run on that path too.
func TestChoose(t *testing.T) {
	for _, p := range Paths() {
		for _, a := range []Arithmetic{p.Float, p.Int16} {
			if a.Name == "" {
				continue
			}
			t.Setenv(Variable, a.Name)
			got, err := Choose()
			switch {
			case a.Runs && (err != nil || got != p):
				t.Errorf("%s: %v, error %v", a.Name, got, err)
			case !a.Runs && (err == nil || !strings.Contains(err.Error(), a.Needs)):
				t.Errorf("%s: error %v does not say that it needs %s", a.Name, err, a.Needs)
			}
			if q := p.Quantised(); p.Int16.Runs && q != p || !q.Int16.Runs {
				t.Errorf("quantised networks run on %s beside %s", q.Int16.Name, p.Float.Name)
			}
		}
	}
	t.Setenv(Variable, "avx3")
	if _, err := Choose(); err == nil || !strings.HasPrefix(err.Error(), Variable+`: there is no kernel path "avx3"`) {
		t.Errorf("avx3: error %v", err)
	}
	t.Setenv(Variable, "")
	if p, err := Choose(); err != nil || p != Best() || !p.Float.Runs {
		t.Errorf("without the variable: %v, error %v, want the fastest", p, err)
	}
}

// A path without integers of its own, or on a processor that lacks what they need, gives way to the next.
func TestQuantised(t *testing.T) {
	for _, p := range Paths() {
		was := p.Int16
		p.Int16 = Arithmetic{}
		if q := p.Quantised(); q == p && p != Portable {
			t.Errorf("%s runs quantised networks without an arithmetic for them", p.Float.Name)
		}
		p.Int16 = was
	}
}
