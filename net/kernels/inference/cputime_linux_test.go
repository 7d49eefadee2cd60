package inference

import (
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// threadTime returns the processor time of the calling thread, to which the goroutine must be locked. On a
// busy machine it tells what wall-clock time hides.
func threadTime() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		panic("no clock of the thread's processor time")
	}
	return time.Duration(t.Nano())
}

// perSecond runs f as a benchmark and reports work a second of processor time.
func perSecond(b *testing.B, work float64, unit string, f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	f()
	start := threadTime()
	for b.Loop() {
		f()
	}
	b.ReportMetric(work*float64(b.N)/(threadTime()-start).Seconds(), unit+"/cpu-s")
}
