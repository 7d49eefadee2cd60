//go:build !linux

package inference

import "testing"

// perSecond runs f as a benchmark and reports work a second.
func perSecond(b *testing.B, work float64, unit string, f func()) {
	f()
	for b.Loop() {
		f()
	}
	b.ReportMetric(work*float64(b.N)/b.Elapsed().Seconds(), unit+"/s")
}
