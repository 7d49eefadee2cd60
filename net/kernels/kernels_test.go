package kernels

import "testing"

// everyPath runs a test on each path. Those that cannot run here are named.
func everyPath(t *testing.T, f func(t *testing.T, p *Path)) {
	for _, p := range Paths() {
		t.Run(p.Float.Name, func(t *testing.T) {
			if !p.Float.Runs {
				t.Skipf("skipped: this processor does not have %s", p.Float.Needs)
			}
			f(t, p)
		})
	}
}
