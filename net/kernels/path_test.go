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
			case a.Runs && (err != nil || got.Vectors != p.Vectors || got.Float != p.Float):
				t.Errorf("%s: %v, error %v", a.Name, got, err)
			case !a.Runs && (err == nil || !strings.Contains(err.Error(), a.Needs)):
				t.Errorf("%s: error %v does not say that it needs %s", a.Name, err, a.Needs)
			}
			if q, err := p.Quantised(); err != nil || p.Int16.Runs && q != p || !q.Int16.Runs {
				t.Errorf("beside %s quantised networks run on %v, error %v", p.Float.Name, q, err)
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

// A path without integers of its own, or on a processor that lacks what they need, gives way to the next. One that
// the user named does not: an error says what is missing.
func TestQuantised(t *testing.T) {
	for _, p := range Paths() {
		was := p.Int16
		for want, lacking := range map[string]Arithmetic{"has no int16 kernels": {}, "needs more": {Name: "some-i16", Needs: "more"}} {
			p.Int16 = lacking
			if q, err := p.Quantised(); err != nil || q == p && p != Portable {
				t.Errorf("quantised networks run on %v without an arithmetic for them, error %v", q, err)
			}
			if !p.Float.Runs {
				continue
			}
			t.Setenv(Variable, p.Float.Name)
			forced, err := Choose()
			if err != nil {
				t.Fatal(err)
			}
			if q, err := forced.Quantised(); err == nil || !strings.Contains(err.Error(), p.Float.Name) || !strings.Contains(err.Error(), want) {
				t.Errorf("forced %s: quantised networks run on %v, error %v, want %q", p.Float.Name, q, err, want)
			}
		}
		p.Int16 = was
	}
}
