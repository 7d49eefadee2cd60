//go:build !slowcheck

package env

// slowCheckApplied does nothing: the build tag slowcheck turns the checks on.
func slowCheckApplied(r *Rules, before *Position, m Move, after *Position) {}
