package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadClock is what threadTime reads.
const threadClock = CPU

// threadTime returns the processor time that the calling thread has used.
func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return time.Duration(time.Now().UnixNano()) // cannot fail on Linux
	}
	return time.Duration(t.Nano())
}
