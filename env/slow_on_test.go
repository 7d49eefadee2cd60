//go:build slowcheck

package env

import "testing"

const slowcheckEnabled = true

// TestSlowCheckSees wants a drifted hash, a wrong counter and a lost piece found.
func TestSlowCheckSees(t *testing.T) {
	r := builtin(t, "moddable")
	p := r.StartPosition()
	m := NewMove(12, 28, Plain)
	var good Position
	r.Apply(&p, m, &good)
	for what, spoil := range map[string]func(*Position){
		"hash":    func(p *Position) { p.hash ^= 1 },
		"counter": func(p *Position) { p.plyCount++ },
		"board":   func(p *Position) { p.horses &= p.horses - 1 },
		"castling": func(p *Position) {
			p.castling = 0
		},
	} {
		after := good
		spoil(&after)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a wrong %s was not found", what)
				}
			}()
			slowCheckApplied(r, &p, m, &after)
		}()
	}
}
