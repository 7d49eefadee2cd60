//go:build !amd64

package kernels

// int16Candidates lists the quantised paths of this program, fastest first.
func int16Candidates() []int16Candidate { return []int16Candidate{{set: &portableInt16, runs: true}} }
