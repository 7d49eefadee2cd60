//go:build !amd64 && !arm64

package kernels

// candidates lists the Sets of this program, fastest first.
func candidates() []candidate { return []candidate{{set: &portable, runs: true}} }
